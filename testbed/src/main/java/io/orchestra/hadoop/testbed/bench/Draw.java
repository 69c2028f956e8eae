package io.orchestra.hadoop.testbed.bench;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Random choices of a trial. They follow from its seed and from what they are for, so that one
 * choice tells nothing about another.
 */
public record Draw(long seed, String purpose) {

  public Random random() {
    return new Random(
        Hashing.sipHash24()
            .newHasher()
            .putLong(seed)
            .putString(purpose, StandardCharsets.UTF_8)
            .hash()
            .asLong());
  }

  /** So many of these, in a random order. */
  public List<String> some(int count, List<String> from) {
    List<String> shuffled = new ArrayList<>(from);
    Collections.shuffle(shuffled, random());
    return List.copyOf(shuffled.subList(0, count));
  }
}
