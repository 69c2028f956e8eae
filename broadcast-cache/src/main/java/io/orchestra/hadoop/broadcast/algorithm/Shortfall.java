package io.orchestra.hadoop.broadcast.algorithm;

/**
 * Decides for one receiver whether what the swarm brings falls short of what HDFS would: then
 * pieces are read from replicas as well, so that a file never comes much later than from HDFS
 * alone. How fast that would be is known from pieces that are read so to find out.
 *
 * <p>For one thread at a time. Times are in nanoseconds.
 */
public final class Shortfall {
  /** What to read from replicas. */
  public enum Remedy {
    NOTHING,
    /** A piece, to find out how long that takes. */
    SAMPLE,
    /** Piece after piece. */
    ALL
  }

  private final long limit;
  private final long begun;
  private long nextSample;
  private double rate;
  private boolean reading;

  /**
   * @param limit how much later than from HDFS a file may come
   */
  public Shortfall(long limit, long begun) {
    this.limit = limit;
    this.begun = begun;
    nextSample = limit;
  }

  /**
   * A {@link Remedy#SAMPLE} is due once, after the limit and then each time when twice as long has
   * passed.
   *
   * @param arrived bytes, however they came
   * @param idle how long nothing has come
   */
  public Remedy remedy(long now, long arrived, long idle) {
    long elapsed = now - begun;
    // Whoever reads goes on until there is something in hand.
    long slack = reading ? limit / 2 : limit;
    reading = idle > limit / 2 || arrived < rate * (elapsed - slack);
    if (reading) {
      return Remedy.ALL;
    }
    if (elapsed < nextSample) {
      return Remedy.NOTHING;
    }
    nextSample = 2 * elapsed;
    return Remedy.SAMPLE;
  }

  /**
   * Bytes were read from a replica.
   *
   * @param readers among whom replicas are to be shared, this one among them
   */
  public void read(long bytes, long nanos, int replicas, int readers) {
    double alone = (double) bytes / Math.max(1, nanos);
    rate = alone * Math.min(1, (double) replicas / readers);
  }
}
