package io.orchestra.hadoop.testbed.demo;

/**
 * How much the demo works on.
 *
 * @param files of text, about ten megabytes each
 * @param rows of 100 bytes that are sorted
 */
public record DemoSize(int files, long rows) {
  public static final DemoSize FULL = new DemoSize(3, 1_000_000);
  public static final DemoSize QUICK = new DemoSize(1, 200_000);
}
