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
    conf.set("orchestra.block-cache.connections-per-user", "2");
    conf.set("orchestra.block-cache.capacity", "1000");
    conf.set("orchestra.block-cache.share-per-user", "0.5");
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
  void whoLeavesMakesAPlaceFree() {
    assertThat(limits.connect("alice")).isTrue();
    assertThat(limits.connect("alice")).isTrue();
    limits.disconnect("alice");
    assertThat(limits.connect("alice")).isTrue();
    assertThat(limits.connect("alice")).isFalse();
  }

  @Test
  void nobodyHoldsMoreThanAShareOfTheCache() {
    assertThat(limits.hold("mallory", block(1, 300))).isTrue();
    assertThat(limits.hold("mallory", block(2, 200))).isTrue();
    assertThat(limits.hold("mallory", block(3, 1))).isFalse();
    assertThat(limits.hold("alice", block(3, 1))).isTrue();
  }

  @Test
  void whatWouldBeTooMuchIsKnownBeforeItIsBrought() {
    assertThat(limits.hold("alice", block(1, 300))).isTrue();

    assertThat(limits.mayHold("alice", key(2), 200)).isTrue();
    assertThat(limits.mayHold("alice", key(2), 201)).isFalse();
    assertThat(limits.mayHold("alice", key(1), 300)).as("it is held already").isTrue();
    assertThat(limits.mayHold("bob", key(2), 500)).isTrue();
  }

  @Test
  void aBlockThatIsHeldTwiceCountsOnceUntilBothGiveItBack() {
    CachedBlock one = block(1, 500);
    CachedBlock other = block(2, 500);
    assertThat(limits.hold("alice", one)).isTrue();
    assertThat(limits.hold("alice", one)).isTrue();
    limits.release("alice", one);
    assertThat(limits.hold("alice", other)).isFalse();
    limits.release("alice", one);
    assertThat(limits.hold("alice", other)).isTrue();
  }

  private static CachedBlock block(long id, int length) {
    return new CachedBlock(key(id), new BlockPieces(length, 100), null, 0);
  }

  private static BlockKey key(long id) {
    return new BlockKey("pool", id, 1);
  }
}
