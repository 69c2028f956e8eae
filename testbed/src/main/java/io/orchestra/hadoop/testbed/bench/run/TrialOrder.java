package io.orchestra.hadoop.testbed.bench.run;

import com.google.common.hash.Hashing;
import io.orchestra.hadoop.testbed.bench.Arm;
import io.orchestra.hadoop.testbed.bench.Experiment;
import io.orchestra.hadoop.testbed.bench.Trial;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/**
 * Seeds, and the order of the arms within a repetition.
 *
 * <p>All of it follows from the run's seed, the experiment's name and the number of the repetition,
 * and from nothing else: an arm more or a warm-up less changes no other trial's seed.
 */
record TrialOrder(long runSeed, Experiment experiment) {

  Trial warmUp(int number) {
    return new Trial(number, seed("warm-up", number), true);
  }

  Trial repetition(int number) {
    return new Trial(number, seed("repetition", number), false);
  }

  /**
   * The arms that take part in a trial, in its order: one that is drawn, and in the repetition
   * after it the same from its end. So of any two arms each comes first as often, and what a trial
   * leaves behind on the machine, such as cached files, serves neither of them more often.
   *
   * @param which those of the experiment's arms that take part
   */
  List<Arm> arms(Trial trial, Predicate<Arm> which) {
    List<Arm> arms = new ArrayList<>(experiment.arms().stream().filter(which).toList());
    int earlier = trial.repetition() - 1;
    // The trial's seed belongs to the arms: order and work must not follow the same numbers.
    Collections.shuffle(
        arms, new Random(seed(trial.warmUp() ? "warm-up order" : "order", earlier / 2)));
    if (earlier % 2 == 1) {
      Collections.reverse(arms);
    }
    return arms;
  }

  private long seed(String purpose, int number) {
    return Hashing.sipHash24(runSeed, number)
        .newHasher()
        .putString(experiment.name(), StandardCharsets.UTF_8)
        .putChar('/')
        .putString(purpose, StandardCharsets.UTF_8)
        .hash()
        .asLong();
  }
}
