package io.orchestra.hadoop.core.rpc;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Parser;

/** Protobuf messages on a stream, each preceded by its length as a varint. */
public final class Delimited {
  private Delimited() {}

  /**
   * Reads one message. Never more bytes than the message has.
   *
   * @param atMost bytes the message may have; more is taken as garbage
   * @return null if the stream ended before a message began
   * @throws GarbledMessageException if the message is too long, cut off, or not of the parser's
   *     type
   */
  public static <M> M read(InputStream in, Parser<M> parser, int atMost) throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    try {
      int length = CodedInputStream.readRawVarint32(first, in);
      if (length < 0 || length > atMost) {
        throw new GarbledMessageException(
            "a message of %d bytes where %d are the most".formatted(length, atMost));
      }
      byte[] message = in.readNBytes(length);
      if (message.length < length) {
        throw new GarbledMessageException(
            "a message ends after %d of %d bytes".formatted(message.length, length));
      }
      return parser.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new GarbledMessageException(e.getMessage());
    }
  }
}
