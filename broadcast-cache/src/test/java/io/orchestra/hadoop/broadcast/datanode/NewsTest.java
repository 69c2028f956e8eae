package io.orchestra.hadoop.broadcast.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NewsTest {
  private static final long START = Long.MAX_VALUE - 5;
  private static final long INTERVAL = News.INTERVAL.toNanos();

  private final News news = new News(START);

  @Test
  void theFirstPieceIsToldAtOnce() {
    assertThat(news.isDue(START)).isFalse();
    news.add(7);
    assertThat(news.isDue(START)).isTrue();
    assertThat(news.take(START)).containsExactly(7);
    assertThat(news.isDue(START + 2 * INTERVAL)).isFalse();
  }

  @Test
  void thoseThatComeSoonAfterwardsWaitForEnoughOthers() {
    news.take(START);
    for (int piece = 0; piece < News.ENOUGH - 1; piece++) {
      news.add(piece);
      assertThat(news.isDue(START + 1)).isFalse();
    }
    news.add(9);
    assertThat(news.isDue(START + 1)).isTrue();
    assertThat(news.take(START + 1)).containsExactly(0, 1, 2, 9);
  }

  @Test
  void theyDoNotWaitForLong() {
    news.take(START);
    news.add(1);
    assertThat(news.isDue(START + INTERVAL - 1)).isFalse();
    assertThat(news.isDue(START + INTERVAL)).isTrue();
  }
}
