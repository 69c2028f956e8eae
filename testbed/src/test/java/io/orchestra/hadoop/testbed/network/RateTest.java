package io.orchestra.hadoop.testbed.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.TestbedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RateTest {
  @ParameterizedTest
  @CsvSource({
    "100mbit,100000000,100mbit",
    "2.5gbit,2500000000,2500mbit",
    "800KBIT,800000,800kbit",
    "16001bit,16001,16001bit",
    "1gbit,1000000000,1gbit",
  })
  void isReadInTheNotationOfTc(String text, long bits, String printed) {
    assertThat(Rate.parse(text)).isEqualTo(new Rate(bits)).hasToString(printed);
  }

  @Test
  void mayBeNoLimitAtAll() {
    assertThat(Rate.parse("unlimited").limited()).isFalse();
    assertThat(Rate.parse("unlimited")).hasToString("unlimited");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "0", "100", "100mb", "-1mbit", "1 mbit", "1.mbit", "1tbit"})
  void refusesWhatIsNoRateAndShowsOne(String text) {
    assertThatThrownBy(() -> Rate.parse(text))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("100mbit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"15999bit", "101gbit", "99999999999999999999gbit"})
  void refusesWhatHtbCannotShape(String text) {
    assertThatThrownBy(() -> Rate.parse(text))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("out of range");
  }

  @Test
  void queueHoldsAFifthOfASecondAndSomeUncutPackets() {
    assertThat(Rate.parse("400mbit").queueBytes()).isEqualTo(10_000_000);
    assertThat(Rate.parse("1mbit").queueBytes()).isEqualTo(4 * 65_536);
  }

  @Test
  void readsWhatItPrints() {
    Rate rate = Rate.parse("123456789bit");
    assertThat(Rate.parse(rate.toString())).isEqualTo(rate);
  }
}
