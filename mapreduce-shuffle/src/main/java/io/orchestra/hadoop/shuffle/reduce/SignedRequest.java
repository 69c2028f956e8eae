package io.orchestra.hadoop.shuffle.reduce;

import io.orchestra.hadoop.shuffle.rpc.ProtocolHeaders;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;

/**
 * One request to a shuffle handler, with the hash that proves that it comes from the job, and the
 * one that proves that the answer comes from a host that knows the job.
 */
final class SignedRequest {
  private static final int BUSY = 429;

  /** As in Hadoop's Fetcher, which takes the header for milliseconds, as its service does. */
  private static final long USUAL_RETRY_MILLIS = 1000;

  private SignedRequest() {}

  /**
   * @param connection not connected yet
   * @return what the handler sends
   * @throws FileNotFoundException if the handler does not know what was asked for, or is stock's
   * @throws BusyHostException if the handler has too many connections
   * @throws IOException if it does not answer, or is not to be believed
   */
  static InputStream send(HttpURLConnection connection, SecretKey secret) throws IOException {
    URL url = connection.getURL();
    String hash = SecureShuffleUtils.hashFromString(SecureShuffleUtils.buildMsgFrom(url), secret);
    connection.setRequestProperty(SecureShuffleUtils.HTTP_HEADER_URL_HASH, hash);
    ProtocolHeaders.addTo(connection::setRequestProperty);
    int status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_BAD_REQUEST
        || status == HttpURLConnection.HTTP_NOT_FOUND) {
      throw new FileNotFoundException("%s: %d".formatted(url, status));
    }
    if (status == BUSY) {
      long retry = connection.getHeaderFieldLong("Retry-After", USUAL_RETRY_MILLIS);
      throw new BusyHostException(
          "%s is busy".formatted(url), retry > 0 ? retry : USUAL_RETRY_MILLIS);
    }
    if (status != HttpURLConnection.HTTP_OK) {
      throw new IOException("%s: %d %s".formatted(url, status, connection.getResponseMessage()));
    }
    if (!ProtocolHeaders.areIn(connection::getHeaderField)) {
      throw new IOException("%s: a shuffle of another name or version".formatted(url));
    }
    String reply = connection.getHeaderField(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH);
    if (reply == null) {
      throw new IOException("%s: no reply hash".formatted(url));
    }
    SecureShuffleUtils.verifyReply(reply, hash, secret);
    return connection.getInputStream();
  }
}
