package io.orchestra.hadoop.testbed.bench;

/**
 * A limit that a key's whole 95 % interval must keep to.
 *
 * @param limit itself is good enough
 */
public record Target(Side side, double limit) {

  /** On which side of the limit good values are. */
  public enum Side {
    AT_LEAST("at least", "≥"),
    AT_MOST("at most", "≤");

    private final String words;
    private final String sign;

    Side(String words, String sign) {
      this.words = words;
      this.sign = sign;
    }

    public String words() {
      return words;
    }

    public String sign() {
      return sign;
    }
  }
}
