package io.orchestra.hadoop.prefetch.traffic;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A network device whose outgoing packets are sorted into classes of minimum rates (FlexFetch,
 * section IV-B): one that takes everything, up to the rate of the link, and one for each slot,
 * which are made once and used again. What a class does not use others may, and first of all those
 * that are no flows. After its end nothing is changed any more, whoever asks for it. Safe for
 * concurrent use.
 */
final class HtbPort {
  /** Part of the link that all slots together may be promised. */
  private static final double PROMISED = 0.97;

  private final Tc tc;
  private final HtbTree tree;

  /** What was set for the client that is there, by slot. */
  private final Map<Integer, Shape> shapes = new HashMap<>();

  /** Whether there may be filters, also such that nobody knows of since tc failed. */
  private boolean hasFilters;

  private boolean ended;

  /**
   * @param linkRate bits per second
   */
  HtbPort(Tc tc, String device, long linkRate) {
    this.tc = tc;
    tree = new HtbTree(device, linkRate);
  }

  String device() {
    return tree.device();
  }

  /**
   * What somebody should know who has named the rate of the link.
   *
   * @param speed of the device as the kernel knows it, bits per second; empty if it does not
   */
  Optional<String> warning(OptionalLong speed) {
    return speed.isPresent() && speed.getAsLong() > tree.linkRate()
        ? Optional.of(
            "%s is a link of %d bits per second, as the kernel says, and all that it sends is held to %d now. Name its real rate on the command line, if there is no reason for less"
                .formatted(tree.device(), speed.getAsLong(), tree.linkRate()))
        : Optional.empty();
  }

  /**
   * Makes the classes, all or none.
   *
   * @throws IOException if somebody else, such as the NodeManager, has classes there already, or tc
   *     fails
   */
  synchronized void begin() throws IOException {
    checkNotEnded();
    String queues = tc.show(tree.device());
    if (HtbTree.isOurs(queues)) {
      // Of a helper that was killed.
      takeAway();
    } else {
      checkFree(queues);
    }
    make();
  }

  private void checkFree(String queues) throws IOException {
    if (!HtbTree.isFree(queues)) {
      throw new IOException(
          "%s has queues of somebody else, who would lose them: %s"
              .formatted(tree.device(), queues.lines().findFirst().orElse("")));
    }
  }

  /** With what is set now. */
  private void make() throws IOException {
    List<String> lines = new ArrayList<>(tree.begin());
    for (Shape shape : shapes.values()) {
      lines.add(tree.rate(shape));
      lines.add(tree.filter(shape));
    }
    hasFilters = !shapes.isEmpty();
    try {
      tc.batch(lines);
    } catch (IOException e) {
      undo(e);
      throw e;
    }
  }

  /** Somebody else's may have come since the device was found free. */
  private void undo(IOException cause) {
    try {
      if (HtbTree.isOurs(tc.show(tree.device()))) {
        takeAway();
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * To ask for what is there already is a question: whether the classes are there, too. If they are
   * gone they are made again, with all that was set, once nothing else is in their place.
   *
   * @throws IllegalArgumentException if the link has no such rate left
   * @throws IOException if it is not kept
   */
  synchronized void apply(Shape shape) throws IOException {
    checkNotEnded();
    Shape before = shapes.get(shape.slot());
    if (shape.isClear() ? before == null : shape.equals(before)) {
      verify();
    } else if (shape.isClear()) {
      // A class without a filter has no traffic, so its rate takes nothing from others. It stays as
      // it is: what still waits there would be charged at a lower rate, for up to a minute (HTB's
      // mbuffer), and the next flow would find the class in debt.
      change(shape.slot(), List.of(tree.noFilter(shape.slot())));
      shapes.remove(shape.slot());
    } else {
      checkRoom(shape);
      hasFilters = true;
      change(shape.slot(), lines(shape, before));
      shapes.put(shape.slot(), shape);
    }
  }

  /**
   * @throws IOException if somebody else has queues there now, or tc fails
   */
  private void verify() throws IOException {
    String queues = tc.show(tree.device());
    if (HtbTree.isOurs(queues)) {
      return;
    }
    hasFilters = false;
    checkFree(queues);
    make();
    TrafficHelper.say("the classes of %s were gone, and are made again".formatted(tree.device()));
  }

  private void checkRoom(Shape shape) {
    long others =
        shapes.values().stream()
            .filter(other -> other.slot() != shape.slot())
            .mapToLong(Shape::bitsPerSecond)
            .sum();
    if (shape.bitsPerSecond() > tree.linkRate() * PROMISED - others) {
      throw new IllegalArgumentException(
          "%s has %d bits per second, of which %d are promised"
              .formatted(shape.port(), tree.linkRate(), others));
    }
  }

  /**
   * Packets of a flow that stays the same go through its class all the time.
   *
   * @param before what the slot has; null if that is nothing
   */
  private List<String> lines(Shape shape, Shape before) {
    if (before == null) {
      return List.of(tree.rate(shape), tree.filter(shape));
    }
    boolean isSameFlow =
        before.address().equals(shape.address()) && before.tcpPort() == shape.tcpPort();
    return isSameFlow
        ? List.of(tree.rate(shape))
        : List.of(tree.noFilter(shape.slot()), tree.rate(shape), tree.filter(shape));
  }

  /** If the classes were gone they are there when the client asks for it again. */
  private void change(int slot, List<String> lines) throws IOException {
    try {
      tc.batch(lines);
    } catch (IOException e) {
      shapes.remove(slot);
      try {
        verify();
      } catch (IOException another) {
        another.addSuppressed(e);
        throw another;
      }
      removeFilter(slot);
      throw e;
    }
  }

  /** Whether a batch that failed has left it is not known. */
  private void removeFilter(int slot) {
    try {
      tc.batch(List.of(tree.noFilter(slot)));
    } catch (IOException e) {
      // There was none, or it ends with the client.
    }
  }

  /**
   * Ends what was set for a client that is gone. Whether or not that can be done now, it counts no
   * more for the next one.
   */
  synchronized void clear() throws IOException {
    if (ended) {
      return;
    }
    shapes.clear();
    if (hasFilters) {
      tc.batch(List.of(tree.noFilters()));
      hasFilters = false;
    }
  }

  /** The device has the queue that the kernel gives to one without any. */
  synchronized void end() throws IOException {
    ended = true;
    shapes.clear();
    takeAway();
  }

  private void checkNotEnded() throws IOException {
    if (ended) {
      throw new IOException("rates of %s have ended with their helper".formatted(tree.device()));
    }
  }

  private void takeAway() throws IOException {
    tc.batch(List.of(tree.end()));
    hasFilters = false;
  }
}
