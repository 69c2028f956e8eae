package io.orchestra.hadoop.testbed.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LoadForecastTest {
  private static final LoadForecast FORECAST =
      LoadForecast.parse(1000, List.of("100", "200", "200", "250", "400", "500"));

  @Test
  void whollyBusyTimeHasTheRateAndWhollyQuietTimeNone() {
    assertThat(FORECAST.mean(100, 100)).isEqualTo(1000);
    assertThat(FORECAST.mean(250, 150)).isZero();
    assertThat(FORECAST.mean(500, 10)).isZero();
  }

  @Test
  void spansThatTouchAreOne() {
    assertThat(FORECAST.mean(150, 100)).isEqualTo(1000);
  }

  @Test
  void partlyBusyTimeHasItsPartOfTheRate() {
    assertThat(FORECAST.mean(0, 200)).isEqualTo(500);
    assertThat(FORECAST.mean(240, 200)).isEqualTo(250);
    assertThat(FORECAST.mean(0, 1000)).isEqualTo(250);
  }

  @Test
  void meanIsThatOfEachMillisecond() {
    for (long now = 0; now < 600; now += 7) {
      for (long millis = 1; millis < 600; millis += 13) {
        long busy = 0;
        for (long time = now; time < now + millis; time++) {
          busy += time >= 100 && time < 250 || time >= 400 && time < 500 ? 1 : 0;
        }
        assertThat(FORECAST.mean(now, millis)).isEqualTo(1000 * busy / millis);
      }
    }
  }

  @Test
  void noSpansMeanNoLoad() {
    assertThat(LoadForecast.parse(1000, List.of()).mean(0, 10)).isZero();
  }
}
