package io.orchestra.hadoop.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.config.InvalidConfigurationException;
import io.orchestra.hadoop.core.daemon.LiveSettings;
import io.orchestra.hadoop.placement.PlacementConfig;
import io.orchestra.hadoop.placement.algorithm.Algorithm;
import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LivePlacementSettingsTest {
  private boolean superuser = true;
  private LiveSettings<PlacementConfig> settings;

  @BeforeEach
  void register() throws InvalidConfigurationException {
    Configuration conf = new Configuration(false);
    conf.set("orchestra.placement.smoothing", "0.4");
    settings =
        LiveSettings.register(
            PlacementConfig.CHANGEABLE,
            conf,
            PlacementConfig.from(conf),
            () -> {
              if (!superuser) {
                throw new IOException("Superuser privilege is required");
              }
            });
  }

  @AfterEach
  void unregister() {
    settings.close();
  }

  @Test
  void settingsChangeAndGoBack() {
    assertThat(refresh("smoothing=1", "orchestra.placement.algorithm=paper").getReturnCode())
        .isZero();
    assertThat(settings.get().smoothing()).isEqualTo(1);
    assertThat(settings.get().algorithm()).isEqualTo(Algorithm.PAPER);

    assertThat(refresh("smoothing=").getMessage()).contains("smoothing=0.4");
    assertThat(settings.get().algorithm()).isEqualTo(Algorithm.PAPER);
  }

  @Test
  void withoutArgumentsTheSettingsAreTold() {
    assertThat(refresh().getReturnCode()).isZero();
    assertThat(refresh().getMessage()).contains("smoothing=0.4");
  }

  @Test
  void aValueThatCannotBeUsedChangesNothing() {
    RefreshResponse response = refresh("smoothing=1", "min-coverage=7");

    assertThat(response.getReturnCode()).isNotZero();
    assertThat(response.getMessage()).contains("Nothing changed", "min-coverage", "7");
    assertThat(settings.get().smoothing()).isEqualTo(0.4);
  }

  @Test
  void aSettingThatNeedsARestartIsRefusedWithTheListOfTheOthers() {
    assertThat(refresh("collector.port=1").getMessage())
        .contains("collector.port=1", "orchestra.placement.min-block-size", "restart");
    assertThat(refresh("smoothing").getReturnCode()).isNotZero();
  }

  @Test
  void onlySuperusersMayAsk() {
    superuser = false;

    assertThat(refresh("smoothing=1").getReturnCode()).isNotZero();
    assertThat(settings.get().smoothing()).isEqualTo(0.4);
  }

  private static RefreshResponse refresh(String... arguments) {
    Collection<RefreshResponse> responses =
        RefreshRegistry.defaultRegistry().dispatch(PlacementConfig.CHANGEABLE.name(), arguments);
    assertThat(responses).hasSize(1);
    return responses.iterator().next();
  }
}
