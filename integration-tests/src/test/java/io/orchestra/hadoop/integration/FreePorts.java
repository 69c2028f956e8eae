package io.orchestra.hadoop.integration;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports that nobody has, below those that the system gives to others: these could be given away
 * before they are used. Each fork of the tests has a range of its own, as it does not know what
 * others were given.
 */
public final class FreePorts {
  private static final int FORKS = 4;
  private static final int RANGE = 5_000;
  private static final int LOWEST =
      10_000 + (Integer.getInteger("orchestra.test.fork", 1) - 1) % FORKS * RANGE;
  private static final int MOST_TRIES = 100;
  private static final Random RANDOM = new Random();
  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePorts() {}

  /** Another one each time. */
  public static synchronized int next() throws IOException {
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      int port = LOWEST + RANDOM.nextInt(RANGE);
      try (ServerSocket unused = new ServerSocket(port)) {
        if (GIVEN.add(port)) {
          return port;
        }
      } catch (BindException taken) {
        // Then another.
      }
    }
    throw new IOException("no free port from %d on".formatted(LOWEST));
  }
}
