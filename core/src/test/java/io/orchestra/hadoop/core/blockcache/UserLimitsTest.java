package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class UserLimitsTest {
  private UserLimits limits;

  @BeforeEach
  void limit() throws InvalidConfigurationException {
    Configuration conf = new Configuration(false);
    conf.set("hadoop.tmp.dir", "/tmp");
    conf.set("orchestra.block-cache.connections", "3");
    conf.set("orchestra.block-cache.connections-per-user", "2");
    limits = new UserLimits(BlockCacheConfig.from(conf));
  }

  @Test
  void nobodyTakesThePlacesOfOthers() {
    assertThat(limits.connect("mallory")).isTrue();
    assertThat(limits.connect("mallory")).isTrue();
    assertThat(limits.connect("mallory")).isFalse();
    assertThat(limits.connect("alice")).isTrue();
  }

  @Test
  void thereAreNoMorePlacesThanForAllTogether() {
    assertThat(limits.connect("alice")).isTrue();
    assertThat(limits.connect("bob")).isTrue();
    assertThat(limits.connect("carol")).isTrue();
    assertThat(limits.connect("dave")).isFalse();
  }

  @Test
  void whoLeavesMakesAPlaceFreeForHimselfAndAll() {
    assertThat(limits.connect("alice")).isTrue();
    assertThat(limits.connect("alice")).isTrue();
    assertThat(limits.connect("bob")).isTrue();
    limits.disconnect("alice");
    assertThat(limits.connect("alice")).isTrue();
    limits.disconnect("bob");
    assertThat(limits.connect("carol")).isTrue();
  }

  @Test
  void whoWasRefusedTakesNoPlace() {
    assertThat(limits.connect("alice")).isTrue();
    assertThat(limits.connect("alice")).isTrue();
    assertThat(limits.connect("alice")).isFalse();
    limits.disconnect("alice");
    assertThat(limits.connect("alice")).isTrue();
  }
}
