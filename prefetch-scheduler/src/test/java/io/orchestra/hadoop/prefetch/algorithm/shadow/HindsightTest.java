package io.orchestra.hadoop.prefetch.algorithm.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight.Launch;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight.Score;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Hindsight.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HindsightTest {
  private final Hindsight hindsight = new Hindsight(100);

  @Test
  void launchesAreToldWithWhatWasExpected() {
    foretold(List.of(away("map", "a", 500)), 100);
    launched("job", "map", "b", false, 450);
    launched("job", "surprise", "c", true, 460);

    assertThat(hindsight.launches())
        .containsExactly(
            new Launch("job", "map", "b", false, "a", true, 350, 50, Verdict.MISSED, false, "a"),
            new Launch("job", "surprise", "c", true, "", false, 0, 0, Verdict.LOCAL, false, ""));
  }

  @Test
  void eachLaunchTellsAsWhatItCounts() {
    foretold(List.of(away("map", "a", 500), away("local", "b", 500)), 0);
    foretold(List.of(away("map", "a", 500), away("local", "b", 500), away("new", "c", 500)), 450);
    launched("job", "map", "a", false, 500);
    launched("job", "local", "b", true, 500);
    hindsight.launched("job", "new", "c", false, 440, 500, 500);

    assertThat(hindsight.launches())
        .extracting(Launch::verdict, Launch::sudden, Launch::wrong)
        .containsExactly(
            tuple(Verdict.RIGHT, false, false),
            tuple(Verdict.LOCAL, false, true),
            tuple(Verdict.LATE, true, false));
    assertThat(hindsight.score()).isEqualTo(new Score(1, 1, 0, 1, 0, 1));
  }

  @Test
  void aLaunchForetoldOnItsNodeLongEnoughBeforeIsRight() {
    foretold(List.of(away("map", "a", 500)), 0);
    foretold(List.of(away("map", "a", 520)), 450);
    launched("job", "map", "a", false, 510);

    assertThat(hindsight.score()).isEqualTo(new Score(1, 0, 0, 0, 0, 0));
    assertThat(hindsight.meanTimeError()).isEqualTo(10);
  }

  @Test
  void earlyAndLateLaunchesDoNotMakeUpForEachOther() {
    foretold(List.of(away("map", "a", 500), away("other", "a", 500)), 0);
    assertThat(hindsight.meanAbsoluteTimeError()).isZero();
    launched("job", "map", "a", false, 470);
    launched("job", "other", "a", false, 530);

    assertThat(hindsight.meanTimeError()).isZero();
    assertThat(hindsight.meanAbsoluteTimeError()).isEqualTo(30);
  }

  @Test
  void whatWasExpectedWhenTheUsefulLeadWasLeftCounts() {
    foretold(List.of(away("map", "a", 500)), 0);
    foretold(List.of(away("map", "b", 500)), 200);
    foretold(List.of(away("map", "a", 500)), 450);
    launched("job", "map", "a", false, 500);

    // Twice a prefetch would have begun in vain.
    assertThat(hindsight.score()).isEqualTo(new Score(0, 1, 0, 1, 2, 0));
    assertThat(hindsight.launches().get(0).leadNanos()).isEqualTo(50);

    foretold(List.of(away("other", "a", 900)), 800);
    foretold(List.of(away("other", "b", 900)), 801);
    launched("job", "other", "a", false, 900);
    assertThat(hindsight.score()).isEqualTo(new Score(1, 1, 0, 1, 2, 0));
  }

  @Test
  void aPredictionCountsFromWhenItIsKnown() {
    hindsight.foretold(List.of(away("map", "a", 500)), 390, 401);
    launched("job", "map", "a", false, 500);
    assertThat(hindsight.score()).isEqualTo(new Score(0, 1, 0, 0, 0, 0));

    hindsight.foretold(List.of(away("other", "a", 900)), 790, 800);
    launched("job", "other", "a", false, 900);
    assertThat(hindsight.score()).isEqualTo(new Score(1, 1, 0, 0, 0, 0));
  }

  @Test
  void launchesAreToldOfLaterAndNobodyMindsWhatWasExpectedMeanwhile() {
    foretold(List.of(away("map", "a", 500)), 390);
    for (int prediction = 1; prediction < 100; prediction++) {
      foretold(List.of(), 400 + 50_000_000L * prediction);
    }
    hindsight.launched("job", "map", "a", false, 0, 500, 5_000_000_000L);

    assertThat(hindsight.score()).isEqualTo(new Score(1, 0, 0, 0, 1, 0));
  }

  @Test
  void aLaunchOnAnotherNodeIsBothMissedAndWrong() {
    foretold(List.of(away("map", "a", 500)), 0);
    launched("job", "map", "b", false, 500);

    assertThat(hindsight.score()).isEqualTo(new Score(0, 0, 1, 1, 0, 0));
  }

  @Test
  void aLaunchForetoldAsLocalIsMissedIfItIsNotAndNothingIfItIs() {
    Prediction local = new Prediction("a", 500, "job", "map", Locality.NODE_LOCAL);
    foretold(List.of(local), 0);
    launched("job", "map", "b", false, 500);
    foretold(List.of(local), 600);
    launched("job", "map", "c", true, 700);

    assertThat(hindsight.score()).isEqualTo(new Score(0, 0, 1, 0, 0, 0));
  }

  @Test
  void aPrefetchForALocalLaunchIsWrong() {
    foretold(List.of(away("map", "a", 500)), 0);
    launched("job", "map", "b", true, 500);

    assertThat(hindsight.score()).isEqualTo(new Score(0, 0, 0, 1, 0, 0));
  }

  @Test
  void whatNoPredictionTellsOfAnyMoreIsMissed() {
    foretold(List.of(away("map", "a", 500)), 0);
    foretold(List.of(), 200);
    launched("job", "map", "a", false, 500);

    assertThat(hindsight.score()).isEqualTo(new Score(0, 0, 1, 0, 1, 0));
    assertThat(hindsight.meanTimeError()).isZero();
  }

  @Test
  void anExpectationOfAMomentMovesNothing() {
    foretold(List.of(away("map", "a", 500)), 0);
    foretold(List.of(away("map", "b", 500)), 40);
    foretold(List.of(away("map", "b", 600)), 200);
    assertThat(hindsight.score().moved()).isZero();

    foretold(List.of(new Prediction("b", 600, "job", "map", Locality.NODE_LOCAL)), 201);
    assertThat(hindsight.score().moved()).isEqualTo(1);
  }

  @Test
  void reducesOfWhichNobodyTellsWhenTheyAreLaunchedDoNotCount() {
    foretold(List.of(away(ShadowTask.reduce(0).id(), "a", 500)), 0);
    foretold(List.of(), 500);

    assertThat(hindsight.score()).isEqualTo(new Score(0, 0, 0, 0, 0, 0));
  }

  @Test
  void tasksOfTheSameNameBelongToTheirJobs() {
    foretold(
        List.of(
            away("map", "a", 500), new Prediction("b", 500, "other", "map", Locality.OFF_SWITCH)),
        0);
    launched("other", "map", "b", false, 500);
    launched("job", "map", "a", false, 500);

    assertThat(hindsight.score()).isEqualTo(new Score(2, 0, 0, 0, 0, 0));
  }

  @Test
  void whatDidNotWaitForSoLongNobodyCouldForetell() {
    foretold(List.of(away("late", "a", 500), away("elsewhere", "a", 500)), 420);
    hindsight.launched("job", "late", "a", false, 410, 500, 500);
    hindsight.launched("job", "elsewhere", "b", false, 401, 500, 500);
    hindsight.launched("job", "surprise", "c", false, 450, 500, 500);
    assertThat(hindsight.score()).isEqualTo(new Score(0, 1, 2, 0, 0, 3));

    hindsight.launched("job", "waited", "c", false, 350, 500, 500);
    hindsight.launched("job", "local", "c", true, 450, 500, 500);
    assertThat(hindsight.score()).isEqualTo(new Score(0, 1, 3, 0, 0, 3));
  }

  @Test
  void aLaunchIsSuddenIfNoPredictionCouldKnowOfItsTaskInTime() {
    foretold(List.of(), 395);
    foretold(List.of(), 430);
    hindsight.launched("job", "too late", "a", false, 400, 520, 520);
    assertThat(hindsight.score().sudden()).isEqualTo(1);

    hindsight.launched("job", "in time", "a", false, 400, 530, 530);
    assertThat(hindsight.score().sudden()).isEqualTo(1);
  }

  @Test
  void predictionsThatAreMadeTooSeldomAreNoExcuse() {
    hindsight.launched("job", "sudden", "a", false, 400, 549, 549);
    assertThat(hindsight.score().sudden()).isEqualTo(1);

    hindsight.launched("job", "missed", "a", false, 400, 550, 550);
    assertThat(hindsight.score().sudden()).isEqualTo(1);
  }

  @Test
  void whatWasLaunchedWhileAPredictionWasMadeIsNotExpectedAnyMore() {
    foretold(List.of(away("map", "a", 500)), 0);
    hindsight.launched("job", "map", "a", false, 0, 150, 210);
    foretold(List.of(away("map", "a", 500)), 200);
    foretold(List.of(), 400);

    assertThat(hindsight.score()).isEqualTo(new Score(1, 0, 0, 0, 0, 0));
  }

  @Test
  void recallAndPrecisionAreFractionsOfWhatHappenedAndOfWhatWasPrepared() {
    Score score = new Score(6, 2, 4, 6, 9, 4);

    assertThat(score.recall()).isEqualTo(0.5);
    assertThat(score.saturatedRecall()).isEqualTo(0.75);
    assertThat(score.precision()).isEqualTo(0.5);
    assertThat(new Score(0, 0, 0, 0, 0, 0).recall()).isZero();
    assertThat(new Score(0, 0, 1, 0, 0, 1).saturatedRecall()).isZero();
    assertThat(new Score(0, 0, 0, 0, 0, 0).precision()).isZero();
  }

  /** As soon as it was seen what it follows from. */
  private void foretold(List<Prediction> predictions, long now) {
    hindsight.foretold(predictions, now, now);
  }

  /** One that has waited for long. */
  private void launched(String job, String task, String node, boolean local, long nanos) {
    hindsight.launched(job, task, node, local, 0, nanos, nanos);
  }

  private static Prediction away(String task, String node, long nanos) {
    return new Prediction(node, nanos, "job", task, Locality.OFF_SWITCH);
  }
}
