package io.orchestra.hadoop.testbed.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Random;

/**
 * Runs Hadoop's GridMix as it is: {@code SEED} and then GridMix's own arguments. GridMix draws
 * which files of its pool each job reads, by chance, and has no setting for a seed; here the draw
 * follows from one, so that the jobs of all arms read the same files.
 */
public final class SeededGridmix {
  private static final String GRIDMIX = "org.apache.hadoop.mapred.gridmix.Gridmix";
  private static final String DRAWS = "org.apache.hadoop.mapred.gridmix.FilePool$Node";

  private SeededGridmix() {}

  /** Ends this process with GridMix's exit status. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    seed(Long.parseLong(arguments[0]));
    gridmix().invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  static void seed(long seed) throws ReflectiveOperationException {
    draws().setSeed(seed);
  }

  /** What GridMix draws with. */
  static Random draws() throws ReflectiveOperationException {
    Field draws = Class.forName(DRAWS).getDeclaredField("rand");
    draws.setAccessible(true);
    return (Random) draws.get(null);
  }

  static Method gridmix() throws ReflectiveOperationException {
    return Class.forName(GRIDMIX).getMethod("main", String[].class);
  }
}
