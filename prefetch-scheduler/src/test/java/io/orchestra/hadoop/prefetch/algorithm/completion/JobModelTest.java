package io.orchestra.hadoop.prefetch.algorithm.completion;

import static io.orchestra.hadoop.prefetch.algorithm.completion.InputPlace.ELSEWHERE;
import static io.orchestra.hadoop.prefetch.algorithm.completion.InputPlace.HERE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class JobModelTest {
  private final RecentMaps recent = new RecentMaps();
  private final JobModel job = new JobModel(0.05, recent);

  @Test
  void whileNoneOfItsMapsHasFinishedThoseOfEarlierJobsSayWhatTheyTake() {
    job.finished(1, "1", HERE, 100, 12);
    JobModel next = new JobModel(0.05, recent);

    assertThat(next.seconds(HERE, 100)).hasValue(12);
    assertThat(next.observe("2", HERE, 100, 0, 1, 1)).hasValue(12);
    next.finished(2, "2", HERE, 100, 20);
    assertThat(next.seconds(HERE, 100)).hasValue(20);
  }

  @Test
  void theFirstMapsAreForetoldByTheirOwnProgress() {
    assertThat(job.observe("1", HERE, 100, 10, 1, 1)).isEmpty();
    assertThat(job.observe("1", HERE, 100, 20, 2, 2)).isEmpty();
    assertThat(job.observe("1", HERE, 100, 30, 3, 3).orElseThrow()).isCloseTo(10, within(1e-9));
    assertThat(job.seconds(HERE, 100)).isEmpty();
  }

  @Test
  void laterOnesByThoseThatHaveFinished() {
    job.finished(1, "1", HERE, 100, 12);

    assertThat(job.observe("2", HERE, 100, 0, 0.1, 0.1)).hasValue(12);
    assertThat(job.seconds(HERE, 200)).hasValue(24);
    assertThat(job.seconds(HERE, 1)).as("never shorter than the shortest").hasValue(12);
  }

  @Test
  void whatComesAfterTheInputIsLearntFromTheFinished() {
    for (int read = 10; read <= 90; read += 10) {
      job.observe("1", HERE, 100, read, read / 10.0, read / 10.0);
    }
    job.finished(1, "1", HERE, 100, 13);

    job.observe("2", HERE, 100, 10, 2, 2);
    job.observe("2", HERE, 100, 20, 4, 4);
    assertThat(job.observe("2", HERE, 100, 30, 6, 6).orElseThrow()).isCloseTo(23, within(1e-9));
  }

  @Test
  void aMapThatIsReportedTwiceCountsOnce() {
    job.finished(1, "1", HERE, 100, 10);
    job.finished(2, "2", HERE, 100, 20);
    job.finished(2, "2", HERE, 100, 20);
    job.finished(2, "2 again", HERE, 100, 20);

    assertThat(job.seconds(HERE, 100).orElseThrow()).isCloseTo(15, within(1e-9));
  }

  @Test
  void anAttemptThatVanishedIsForgotten() {
    job.observe("1", HERE, 100, 10, 1, 1);
    job.observe("1", HERE, 100, 20, 2, 2);
    job.retain(Set.of());

    // Nothing of its two samples is left: three more are needed.
    assertThat(job.observe("1", HERE, 100, 30, 3, 3)).isEmpty();
    assertThat(job.observe("1", HERE, 100, 40, 4, 4)).isEmpty();
    assertThat(job.observe("1", HERE, 100, 50, 5, 5)).isPresent();
  }

  @Test
  void mapsAwayFromTheirInputAreForetoldByThoseThatWereSoToo() {
    job.finished(1, "1", HERE, 100, 10);
    assertThat(job.seconds(ELSEWHERE, 100)).as("for want of anything better").hasValue(10);

    job.finished(2, "2", ELSEWHERE, 100, 30);

    assertThat(job.seconds(HERE, 100)).hasValue(10);
    assertThat(job.seconds(ELSEWHERE, 100)).hasValue(30);
    assertThat(job.observe("3", ELSEWHERE, 100, 0, 1, 1)).hasValue(30);
    assertThat(job.observe("4", HERE, 100, 0, 1, 1)).hasValue(10);

    JobModel next = new JobModel(0.05, recent);
    next.finished(1, "1", HERE, 100, 12);
    assertThat(next.seconds(HERE, 100)).hasValue(12);
    assertThat(next.seconds(ELSEWHERE, 100))
        .as("by as much longer as earlier jobs'")
        .hasValue(12 * 30 / 11.0);
  }

  @Test
  void oneThatHasBegunToReadGoesAsOthersWithTheirInputOnTheirHostsDid() {
    finish(job, 1, 4, 5);
    JobModel next = new JobModel(0.05, recent);

    assertThat(next.observe("2", HERE, 100, 10, 7, 7).orElseThrow())
        .as("nine seconds for the rest, and five after it")
        .isCloseTo(21, within(1e-9));
    assertThat(next.observe("3", ELSEWHERE, 100, 10, 7, 7).orElseThrow())
        .as("links are another matter")
        .isCloseTo(19, within(1e-9));
  }

  @Test
  void withAModelOfItsOwnTooAMapHasTheTailOfEarlierJobsUntilOneOfItsOwnHasFinished() {
    finish(job, 1, 4, 5);
    JobModel next = new JobModel(0.05, recent);
    for (int read = 10; read <= 20; read += 10) {
      next.observe("2", HERE, 100, read, 6 + read / 10.0, 6 + read / 10.0);
    }

    assertThat(next.observe("2", HERE, 100, 30, 9, 9).orElseThrow()).isCloseTo(21, within(1e-9));
    finish(next, 3, 4, 1);
    assertThat(next.observe("2", HERE, 100, 40, 10, 10).orElseThrow()).isCloseTo(17, within(1e-9));
  }

  @Test
  void mapsThatNobodyFollowedSayNothingOfHowTheNextGoes() {
    finish(job, 1, 4, 5);
    JobModel told = new JobModel(0.05, recent);
    // As after a restart of the ResourceManager, or too fast to be followed.
    told.finished(1, "1", HERE, 100, 15);
    told.observe("2", HERE, 100, 50, 1, 1);
    told.finished(2, "2", HERE, 100, 3);

    assertThat(told.observe("3", HERE, 100, 10, 7, 7).orElseThrow())
        .as("as with earlier jobs: nine seconds for the rest, and five after it")
        .isCloseTo(21, within(1e-9));
    told.observe("3", HERE, 100, 20, 8, 8);
    assertThat(told.observe("3", HERE, 100, 30, 9, 9).orElseThrow()).isCloseTo(21, within(1e-9));
  }

  @Test
  void stopsOnTheWayAreToBeExpectedOfOthersToo() {
    for (int read = 10; read <= 100; read += 10) {
      double seconds = read / 10.0 + (read > 50 ? 6 : 0);
      job.observe("1", HERE, 100, read, seconds, seconds);
    }
    job.finished(1, "1", HERE, 100, 16);
    JobModel next = new JobModel(0.05, recent);

    assertThat(next.observe("2", HERE, 100, 10, 1, 1).orElseThrow()).isCloseTo(16, within(1e-9));
  }

  @Test
  void otherJobsSayNothingOfOneWhoseMapsDoNotTellOfTheirProgress() {
    finish(job, 1, 4, 0);
    JobModel silent = new JobModel(0.05, recent);
    silent.observe("1", HERE, 100, 0, 0, 1);
    silent.finished(1, "1", HERE, 100, 6);

    assertThat(silent.observe("2", HERE, 100, 0, 0, 3)).hasValue(6);
  }

  /** A map that begins to read after so many seconds, and then reads ten bytes in each. */
  private static void finish(JobModel job, int map, double start, double tail) {
    for (int read = 10; read <= 100; read += 10) {
      double seconds = start + read / 10.0;
      job.observe(Integer.toString(map), HERE, 100, read, seconds, seconds);
    }
    job.finished(map, Integer.toString(map), HERE, 100, start + 10 + tail);
  }
}
