package io.orchestra.hadoop.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ExperimentTest {
  private static final Arm ARM = Arm.of("stock", trial -> Measurement.builder().build());

  @Test
  void withoutLinksEachArmMustSayWhyNoneNeedsToBeBusy() {
    assertThatThrownBy(() -> new Experiment("quiet", "", List.of(ARM), Optional.empty(), 0))
        .hasMessageContaining("arm stock must keep a link busy")
        .hasMessageContaining("withoutBusyLink");
    Experiment quiet =
        Experiment.withoutBusyLink(
            "quiet", "", "nothing else runs", Optional.empty(), List.of(ARM));
    assertThat(quiet.arms().get(0).demands().whyNoBusyLink()).contains("nothing else runs");
    assertThat(quiet.arms().get(0).demands().whyNoIdleCpu()).isEmpty();
  }

  @Test
  void armsOfOneNameAreRefused() {
    assertThatThrownBy(
            () -> Experiment.withoutBusyLink("a", "", "why", Optional.empty(), List.of(ARM, ARM)))
        .hasMessageContaining("different names");
  }

  @Test
  void nameThatIsNoPartOfFileNameIsRefused() {
    assertThatThrownBy(() -> new Experiment("A/b", "", List.of(ARM), Optional.empty(), 0))
        .hasMessageContaining("small letters");
  }

  @Test
  void figureThatIsNoNumberIsRefusedByName() {
    Measurement.Builder builder = Measurement.builder().figure("time (s)", Double.NaN);
    assertThatThrownBy(builder::build).hasMessage("time (s) is NaN");
  }

  @Test
  void groupOfUnknownLinksIsRefused() {
    Links links = Links.of(Map::of, Map.of("a", 1.0));
    assertThatThrownBy(() -> links.withGroup("g", List.of("b"))).hasMessageContaining("[a]");
  }
}
