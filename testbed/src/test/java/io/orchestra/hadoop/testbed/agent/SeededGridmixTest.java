package io.orchestra.hadoop.testbed.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class SeededGridmixTest {
  @Test
  void gridmixDrawsFromTheSeed() throws ReflectiveOperationException {
    SeededGridmix.seed(5);
    assertThat(SeededGridmix.draws().nextLong()).isEqualTo(new Random(5).nextLong());
  }

  @Test
  void gridmixHasTheMainThatIsCalled() throws ReflectiveOperationException {
    assertThat(SeededGridmix.gridmix().getDeclaringClass().getName())
        .isEqualTo("org.apache.hadoop.mapred.gridmix.Gridmix");
  }
}
