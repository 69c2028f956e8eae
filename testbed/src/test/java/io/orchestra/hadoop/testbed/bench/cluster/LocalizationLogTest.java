package io.orchestra.hadoop.testbed.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;

final class LocalizationLogTest {
  private static final String CLASS =
      " INFO org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl: ";
  private static final String LOG =
      """
      2026-11-21 06:13:11,639@Container container_1795_0001_01_000001 transitioned from NEW to LOCALIZING
      2026-11-21 06:13:12,192@Container container_1795_0001_01_000001 transitioned from LOCALIZING to SCHEDULED
      2026-11-21 06:13:12,193 INFO org.apache.hadoop.Other: Container container_1795_0001_01_000009 transitioned
      2026-11-21 06:13:18,250@Container container_e05_1795_0001_01_000002 transitioned from NEW to LOCALIZING
      2026-11-21 06:13:31,500@Container container_e05_1795_0001_01_000002 transitioned from LOCALIZING to SCHEDULED
      2026-11-21 06:13:31,600@Container container_e05_1795_0001_01_000002 transitioned from SCHEDULED to RUNNING
      2026-11-21 06:13:32,000@Container container_1795_0001_01_000003 transitioned from NEW to LOCALIZING
      2026-11-21 06:13:33,000@Container container_1795_0001_01_000003 transitioned from LOCALIZING to KILLING
      2026-11-21 06:14:32,000@Container container_1795_0002_01_000002 transitioned from NEW to LOCALIZING
      2026-11-21 06:14:33,000@Container container_1795_0002_01_000002 transitioned from LOCALIZING to SCHEDULED
      """
          .replace("@", CLASS);

  @Test
  void localizationEndsWhenTheContainerIsScheduled() {
    LocalizationLog log = LocalizationLog.parse(LOG.lines(), "application_1795_0001");
    assertThat(log.master().orElseThrow().seconds()).isEqualTo(0.553);
    assertThat(log.tasks())
        .extracting(LocalizationLog.Span::container, LocalizationLog.Span::seconds)
        .containsExactly(tuple("container_e05_1795_0001_01_000002", 13.25));
  }

  @Test
  void otherApplicationsAreNotMeant() {
    assertThat(LocalizationLog.parse(LOG.lines(), "application_1795_0002").tasks()).hasSize(1);
    assertThat(LocalizationLog.parse(LOG.lines(), "application_1795_0003").containers()).isEmpty();
  }
}
