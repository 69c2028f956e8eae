package io.orchestra.hadoop.shuffle.nodemanager;

import io.netty.handler.codec.http.HttpRequest;
import io.orchestra.hadoop.shuffle.nodemanager.Refusal.Reason;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.IntSupplier;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;

/**
 * Verifies who sends a request, as stock does (ShuffleChannelHandler.verifyRequest): port, path and
 * query are signed with the job's token.
 */
final class RequestSignatures {
  private final JobTokenSecretManager tokens;
  private final Map<String, String> users;
  private final IntSupplier port;

  /**
   * @param users who runs each job
   * @param port of this server, as reducers know it
   */
  RequestSignatures(JobTokenSecretManager tokens, Map<String, String> users, IntSupplier port) {
    this.tokens = tokens;
    this.users = users;
    this.port = port;
  }

  /**
   * @param job that the request names
   * @throws Refusal if the request comes from elsewhere
   */
  Requester verify(String job, HttpRequest request) throws Refusal {
    SecretKey key = key(job);
    String user = users.get(job);
    if (user == null) {
      throw new Refusal(Reason.UNKNOWN_JOB, "no such job");
    }
    String hash = request.headers().get(SecureShuffleUtils.HTTP_HEADER_URL_HASH);
    if (hash == null) {
      throw new Refusal(Reason.FORGED, "the request is not signed");
    }
    try {
      URL url = new URL("http", "", port.getAsInt(), request.uri());
      SecureShuffleUtils.verifyReply(hash, SecureShuffleUtils.buildMsgFrom(url), key);
    } catch (IOException e) {
      throw new Refusal(Reason.FORGED, "the signature is not of this URL", e);
    }
    return new Requester(
        user, SecureShuffleUtils.generateHash(hash.getBytes(StandardCharsets.UTF_8), key));
  }

  private SecretKey key(String job) throws Refusal {
    try {
      return tokens.retrieveTokenSecret(job);
    } catch (IOException e) {
      throw new Refusal(Reason.UNKNOWN_JOB, "no such job", e);
    }
  }
}
