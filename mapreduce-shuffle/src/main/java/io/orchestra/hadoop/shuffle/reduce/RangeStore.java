package io.orchestra.hadoop.shuffle.reduce;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Where the ranges of one map output go. Ranges may be written at the same time. */
interface RangeStore {
  /** Writes bytes that belong at {@code position}. */
  void write(long position, ByteBuffer bytes) throws IOException;

  /** All bytes, in their order, when all have been written; closing it closes nothing. */
  InputStream read() throws IOException;

  /** Hands the output to the merge. */
  void commit() throws IOException;

  /** Nothing of it is needed. */
  void abort();

  /** Whether there is less memory for others as long as it is neither committed nor aborted. */
  boolean holdsMemory();

  /** As in Hadoop's log. */
  String description();
}
