package io.orchestra.hadoop.testbed.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NumbersTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "1.58, 1.58",
    "0.000123456, 0.0001235",
    "-12.3456, -12.35",
    "999.96, 1000",
    "123456.7, 123457"
  })
  void peopleReadFourDigitsOrAllBeforeThePoint(double value, String text) {
    assertThat(Numbers.text(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"1.58, 1.58", "1.23456, 1.2346", "-0.00001, 0"})
  void programsReadFourDecimals(double value, double rounded) {
    assertThat(Numbers.rounded(value)).isEqualTo(rounded);
  }
}
