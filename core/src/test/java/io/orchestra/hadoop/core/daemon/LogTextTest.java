package io.orchestra.hadoop.core.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogTextTest {

  @Test
  void ordinaryTextIsAsItWas() {
    assertThat(LogText.of("/jobs/Ähre 日本.tgz")).isEqualTo("/jobs/Ähre 日本.tgz");
    assertThat(LogText.isPlain("/jobs/Ähre 日本.tgz")).isTrue();
  }

  @Test
  void allIsOnOneLineAndInTheOrderInWhichItIsShown() {
    assertThat(LogText.of("/a\n2030-01-01 INFO all is well\r\u2028\u202e\u001b[31m\ud800"))
        .isEqualTo(
            "/a\\u{a}2030-01-01 INFO all is well\\u{d}\\u{2028}\\u{202e}\\u{1b}[31m\\u{d800}");
    assertThat(LogText.isPlain("a\nb")).isFalse();
  }

  @Test
  void whatIsLongIsCut() {
    assertThat(LogText.of("a".repeat(500))).hasSize(500);
    assertThat(LogText.of("a".repeat(4 << 20))).hasSize(503).endsWith("a...");
  }
}
