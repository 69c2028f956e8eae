package io.orchestra.hadoop.prefetch.algorithm.completion;

import static io.orchestra.hadoop.prefetch.algorithm.completion.InputPlace.ELSEWHERE;
import static io.orchestra.hadoop.prefetch.algorithm.completion.InputPlace.HERE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RecentMapsTest {
  private final RecentMaps maps = new RecentMaps();

  @Test
  void aMapTakesWhatHalfOfThoseWithSuchAnInputTook() {
    assertThat(maps.seconds(HERE, 100)).isEmpty();
    maps.add(HERE, 100, 10, Optional.empty());
    maps.add(HERE, 110, 14, Optional.empty());
    maps.add(HERE, 90, 90, Optional.empty());
    maps.add(HERE, 1000, 200, Optional.empty());

    assertThat(maps.seconds(HERE, 100)).hasValue(14);
    assertThat(maps.seconds(HERE, 700)).hasValue(200);
  }

  @Test
  void withoutSuchAnInputAllOfThemCount() {
    maps.add(HERE, 1000, 7, Optional.empty());

    assertThat(maps.seconds(HERE, 0)).hasValue(7);
  }

  @Test
  void onlyTheLastOnesCount() {
    for (int map = 0; map < 40; map++) {
      maps.add(HERE, 100, 5, Optional.empty());
    }
    for (int map = 0; map < 40; map++) {
      maps.add(HERE, 100, 8, Optional.empty());
    }

    assertThat(maps.seconds(HERE, 100)).hasValue(8);
  }

  @Test
  void placesOfInputsAreApart() {
    maps.add(HERE, 100, 5, Optional.empty());
    assertThat(maps.seconds(ELSEWHERE, 100)).isEmpty();
    maps.add(ELSEWHERE, 1000, 8, Optional.empty());

    assertThat(maps.seconds(HERE, 100)).hasValue(5);
    assertThat(maps.seconds(ELSEWHERE, 100)).hasValue(8);
  }

  @Test
  void oneGoesAsHalfOfThoseDidThatToldOfIt() {
    assertThat(maps.course(HERE, 100)).isEmpty();
    assertThat(maps.isSilent(100)).isFalse();
    maps.add(HERE, 100, 9, Optional.empty());
    assertThat(maps.isSilent(100)).as("nobody followed it").isFalse();
    maps.addSilent(HERE, 100, 9);
    assertThat(maps.course(HERE, 100)).isEmpty();
    assertThat(maps.isSilent(100)).isTrue();
    assertThat(maps.isSilent(1000)).as("small ones may be too fast").isFalse();

    maps.add(HERE, 100, 10, Optional.of(new Course(0.08, 2)));
    maps.add(HERE, 100, 10, Optional.of(new Course(0.09, 1)));
    maps.add(HERE, 100, 90, Optional.of(new Course(0.8, 10)));

    assertThat(maps.isSilent(100)).isFalse();
    assertThat(maps.course(HERE, 150)).hasValue(new Course(0.09, 2));
    assertThat(maps.course(ELSEWHERE, 100)).isEmpty();
    assertThat(maps.course(HERE, 10_000)).as("much input says nothing of little").isEmpty();
  }

  @Test
  void theTailIsThatOfHalfOfThoseWithSuchAnInputWhereverItWas() {
    maps.add(HERE, 100, 10, Optional.empty());
    assertThat(maps.tail(100)).isEmpty();
    maps.add(HERE, 1000, 100, Optional.of(new Course(0.08, 20)));
    assertThat(maps.tail(100)).as("for want of others").hasValue(20);

    maps.add(HERE, 100, 10, Optional.of(new Course(0.08, 2)));
    maps.add(ELSEWHERE, 110, 12, Optional.of(new Course(0.09, 3)));
    maps.add(ELSEWHERE, 90, 99, Optional.of(new Course(0.09, 90)));
    assertThat(maps.tail(100)).hasValue(3);
  }
}
