package io.orchestra.hadoop.broadcast.datanode;

import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How many files are on their way to this host, and how much of them for one user. Safe for
 * concurrent use.
 */
final class FilesUnderWay {
  static final String TOO_MANY = "too many files at once";
  static final String TOO_MUCH = "too much for one user";

  /** Each has a thread for every neighbour. One user may have half of them. */
  private static final int MOST = 32;

  /**
   * A file that is being brought in, or soon will be.
   *
   * @param user who wants to read it
   * @param bytes of it
   */
  record File(String user, long bytes) {}

  private final Supplier<List<Download>> downloads;
  private final long bytesPerUser;

  // Guarded by this.
  private final List<File> beginning = new ArrayList<>();

  /**
   * @param downloads also some that have ended
   * @param bytesPerUser that may be under way at once
   */
  FilesUnderWay(Supplier<List<Download>> downloads, long bytesPerUser) {
    this.downloads = downloads;
    this.bytesPerUser = bytesPerUser;
  }

  synchronized boolean isFull(String user) {
    List<File> all = all();
    return all.size() >= MOST || of(user, all).size() >= MOST / 2;
  }

  /**
   * A file is about to be begun: it counts until it is given back, and as a download.
   *
   * @return why it may not be
   */
  synchronized Optional<String> take(File file) {
    if (isFull(file.user())) {
      return Optional.of(TOO_MANY);
    }
    long bytes = of(file.user(), all()).stream().mapToLong(File::bytes).sum();
    if (bytes + file.bytes() > bytesPerUser) {
      return Optional.of(TOO_MUCH);
    }
    beginning.add(file);
    return Optional.empty();
  }

  synchronized void giveBack(File file) {
    beginning.remove(file);
  }

  /** What an operator can do if a file may not be begun. */
  String limits(File file) {
    return "%d bytes, while %d files may be on their way, for one user half of them and %d bytes. Raise %scapacity or %sshare-per-user"
        .formatted(
            file.bytes(), MOST, bytesPerUser, BlockCacheConfig.PREFIX, BlockCacheConfig.PREFIX);
  }

  private List<File> all() {
    List<File> all = new ArrayList<>(beginning);
    for (Download download : downloads.get()) {
      if (!download.ended()) {
        all.add(new File(download.user(), download.layout().length()));
      }
    }
    return all;
  }

  private static List<File> of(String user, List<File> files) {
    return files.stream().filter(file -> file.user().equals(user)).toList();
  }
}
