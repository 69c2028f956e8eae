package io.orchestra.hadoop.broadcast.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShortfallTest {
  private static final long LIMIT = 100;
  private static final long BEGUN = 5_000;

  private final Shortfall shortfall = new Shortfall(LIMIT, BEGUN);

  @Test
  void howFastHdfsIsIsAskedAsOftenAsTheLimitIsLong() {
    assertThat(shortfall.wantsSample(BEGUN + 99)).isFalse();
    assertThat(shortfall.wantsSample(BEGUN + 100)).isTrue();
    assertThat(shortfall.wantsSample(BEGUN + 101)).as("as long as it is not known").isTrue();
    shortfall.sampled(10, 1, 3, 1, BEGUN + 120);
    assertThat(shortfall.wantsSample(BEGUN + 219)).isFalse();
    assertThat(shortfall.wantsSample(BEGUN + 220)).isTrue();
  }

  @Test
  void manyReadersTogetherAskNoMoreOftenThanOnePerReplica() {
    shortfall.sampled(10, 1, 3, 30, BEGUN + 100);
    assertThat(shortfall.wantsSample(BEGUN + 1099)).isFalse();
    assertThat(shortfall.wantsSample(BEGUN + 1100)).isTrue();
    shortfall.sampled(10, 1, 3, 2, BEGUN + 1100);
    assertThat(shortfall.wantsSample(BEGUN + 1200)).isTrue();
    shortfall.sampled(10, 1, 3, 3000, BEGUN + 2000);
    assertThat(shortfall.wantsSample(BEGUN + 3199)).isFalse();
    assertThat(shortfall.wantsSample(BEGUN + 3200)).as("it may be the only one by now").isTrue();
  }

  @Test
  void nothingIsAskedWhileOtherFilesGoFirst() {
    shortfall.giveWay(true, BEGUN + 50);
    assertThat(shortfall.wantsSample(BEGUN + 200)).isFalse();
    shortfall.giveWay(false, BEGUN + 201);
    assertThat(shortfall.wantsSample(BEGUN + 201)).isTrue();
  }

  @Test
  void whatIsTooLittleTellsThatReplicasAnswerAndNothingElse() {
    shortfall.failed(BEGUN + 100);
    shortfall.readTooLittle(3, 1, BEGUN + 110);
    assertThat(shortfall.isUnknown(BEGUN + 400)).isFalse();
    assertThat(isBehind(400, 0)).as("nobody knows how fast HDFS is").isFalse();
    assertThat(shortfall.wantsSample(BEGUN + 209)).isFalse();
    assertThat(shortfall.wantsSample(BEGUN + 210)).isTrue();
  }

  @Test
  void whatComesLaterThanFromHdfsByTheLimitIsReadUntilSomethingIsInHand() {
    shortfall.sampled(10, 1, 3, 1, BEGUN + 100);
    assertThat(isBehind(149, 500)).isFalse();
    assertThat(isBehind(151, 500)).isTrue();
    assertThat(isBehind(152, 1_010)).isTrue();
    assertThat(isBehind(153, 1_030)).isFalse();
  }

  @Test
  void whenNothingComesItIsReadBeforeTheLimit() {
    assertThat(shortfall.isBehind(BEGUN + 20, 0, 20)).isFalse();
    assertThat(shortfall.isBehind(BEGUN + 51, 0, 51)).isTrue();
    shortfall.read(10, 1, BEGUN + 60);
    assertThat(shortfall.isBehind(BEGUN + 70, 190, 70)).isTrue();
    assertThat(shortfall.isBehind(BEGUN + 71, 210, 1)).isFalse();
  }

  @Test
  void fromHdfsAllOthersWouldReadTheSameReplicas() {
    shortfall.sampled(10, 1, 3, 30, BEGUN + 100);
    assertThat(isBehind(151, 52)).isFalse();
    assertThat(isBehind(151, 50)).isTrue();
  }

  @Test
  void whereSamplesFailForTheLimitNobodyKnowsHowFastHdfsIsUntilOneComes() {
    assertThat(shortfall.isUnknown(BEGUN + 10 * LIMIT)).as("nothing was asked").isFalse();
    shortfall.failed(BEGUN + 100);
    shortfall.failed(BEGUN + 150);
    assertThat(shortfall.isUnknown(BEGUN + 200)).isFalse();
    assertThat(shortfall.isUnknown(BEGUN + 201)).isTrue();
    shortfall.sampled(10, 1, 3, 1, BEGUN + 210);
    assertThat(shortfall.isUnknown(BEGUN + 1000)).isFalse();
    shortfall.failed(BEGUN + 1000);
    assertThat(shortfall.isUnknown(BEGUN + 1001)).isFalse();
  }

  /** Less comes than HDFS would bring, as others go first. */
  @Test
  void timeInWhichItGivesWayDoesNotCountUnlessNothingComes() {
    shortfall.sampled(10, 1, 3, 1, BEGUN + 100);
    shortfall.giveWay(true, BEGUN + 110);
    assertThat(isBehind(500, 110)).isFalse();
    assertThat(shortfall.isBehind(BEGUN + 560, 110, 51)).isTrue();
    assertThat(shortfall.isBehind(BEGUN + 561, 610, 0)).isFalse();
    shortfall.giveWay(false, BEGUN + 610);
    shortfall.giveWay(true, BEGUN + 620);
    shortfall.giveWay(false, BEGUN + 720);

    assertThat(isBehind(749, 500)).as("149 without the 600 in which it gave way").isFalse();
    assertThat(isBehind(751, 500)).isTrue();
  }

  @Test
  void itGivesWayForTwelveTimesTheLimitInAll() {
    shortfall.sampled(10, 1, 3, 1, BEGUN + 100);
    shortfall.giveWay(true, BEGUN + 100);
    shortfall.giveWay(true, BEGUN + 500);
    shortfall.giveWay(false, BEGUN + 700);
    assertThat(shortfall.mayGiveWay(BEGUN + 5_000)).isTrue();

    shortfall.giveWay(true, BEGUN + 5_000);
    assertThat(shortfall.mayGiveWay(BEGUN + 5_599)).isTrue();
    assertThat(shortfall.mayGiveWay(BEGUN + 5_600)).isFalse();
    assertThat(isBehind(9_000, 77_001)).as("no more than that is excused").isFalse();
    assertThat(isBehind(9_000, 76_999)).isTrue();
  }

  @Test
  void whatIsBehindDoesNotGiveWay() {
    assertThat(shortfall.mayGiveWay(BEGUN)).isTrue();
    assertThat(shortfall.isBehind(BEGUN + 51, 0, 51)).isTrue();
    assertThat(shortfall.mayGiveWay(BEGUN + 51)).isFalse();
  }

  private boolean isBehind(long elapsed, long arrived) {
    return shortfall.isBehind(BEGUN + elapsed, arrived, 0);
  }

  /** Receivers that share replicas' links as they would without a swarm. */
  @ParameterizedTest
  @CsvSource({"1,3,0", "3,3,1", "10,3,1", "30,3,0", "30,3,1", "30,10,2", "100,10,1"})
  void aFileComesLaterThanFromHdfsByTheLimitAtMost(int receivers, int replicas, long swarmRate) {
    long link = 100;
    long size = 100_000;
    double fair = Math.min(link, (double) link * replicas / receivers);
    long fromHdfs = (long) Math.ceil(size / fair);
    List<Shortfall> rules = new ArrayList<>();
    double[] arrived = new double[receivers];
    boolean[] reading = new boolean[receivers];
    for (int receiver = 0; receiver < receivers; receiver++) {
      rules.add(new Shortfall(LIMIT, 0));
    }
    long now = 0;
    double least = 0;
    while (least < size) {
      now++;
      int readers = 0;
      for (int receiver = 0; receiver < receivers; receiver++) {
        long idle = swarmRate == 0 ? now : 0;
        reading[receiver] = rules.get(receiver).isBehind(now, (long) arrived[receiver], idle);
        readers += reading[receiver] ? 1 : 0;
      }
      double rate = Math.min(link, (double) link * replicas / Math.max(1, readers));
      least = size;
      for (int receiver = 0; receiver < receivers; receiver++) {
        Shortfall rule = rules.get(receiver);
        arrived[receiver] += swarmRate;
        if (reading[receiver]) {
          arrived[receiver] += rate;
          rule.read((long) (1000 * rate), 1000, now);
        } else if (rule.wantsSample(now)) {
          rule.sampled((long) (1000 * rate), 1000, replicas, receivers, now);
        }
        least = Math.min(least, arrived[receiver]);
      }
    }
    assertThat(now).isLessThanOrEqualTo(fromHdfs + LIMIT + 2);
  }
}
