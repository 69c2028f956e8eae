package io.orchestra.hadoop.testbed.bench;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Names of the figures that every trial gets without measuring them itself; all are fractions. */
public final class SampledFigure {
  /** The part of the time in which the machine's processors did nothing. */
  public static final String CPU_IDLE = "CPU idle";

  /** The mean utilisation, over the trial, of the link where it is highest. */
  public static final String BUSIEST_LINK = "utilisation of the busiest link";

  /**
   * How unequally the links are used: standard deviation over mean of their utilisations in a
   * second, median over the seconds in which anything was carried.
   */
  public static final String LINK_VARIATION = "variation between links";

  /**
   * The part of the time in which some link was as busy as {@link Demands#BUSY_LINK}, now this one
   * and now another.
   */
  public static final String SOME_LINK_BUSY = "time in which some link was busy";

  private static final String UTILISATION = "utilisation of ";

  private SampledFigure() {}

  /** The mean utilisation, over the trial and over the links of a group. */
  public static String utilisation(String group) {
    return UTILISATION + group;
  }

  /** Whether a figure of this name is a sampled one. */
  public static boolean isOne(String name) {
    return name.equals(CPU_IDLE)
        || name.equals(BUSIEST_LINK)
        || name.equals(LINK_VARIATION)
        || name.equals(SOME_LINK_BUSY)
        || name.startsWith(UTILISATION);
  }

  /** All names, where these links are sampled. */
  public static Set<String> names(Optional<Links> links) {
    Set<String> names = new LinkedHashSet<>();
    names.add(CPU_IDLE);
    links.ifPresent(
        sampled -> {
          names.add(BUSIEST_LINK);
          sampled.groups().keySet().forEach(group -> names.add(utilisation(group)));
          names.add(LINK_VARIATION);
          names.add(SOME_LINK_BUSY);
        });
    return names;
  }
}
