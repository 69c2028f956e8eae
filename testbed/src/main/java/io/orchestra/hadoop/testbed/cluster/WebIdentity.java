package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.host.Account;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * As whom the testbed itself is let in by web servers that ask for Kerberos: with the cookie that
 * they give to a user who has shown a ticket (hadoop-auth's {@code AuthToken} and {@code Signer}).
 * It knows the secret that they sign it with, and so needs no ticket, and no Java program for each
 * request.
 *
 * @param user none for nobody, who has no cookie
 */
record WebIdentity(Kerberos kerberos, Optional<Account> user) {
  private static final Duration VALIDITY = Duration.ofHours(1);
  private static final String ALGORITHM = "HmacSHA256";

  /** What curl has to know. */
  List<String> curlOptions() {
    List<String> options = new ArrayList<>(List.of("--cacert", kerberos.certificate().toString()));
    user.ifPresent(
        account -> {
          String cookie =
              cookie(account, FileTree.read(kerberos.httpSecret()), Instant.now().plus(VALIDITY));
          options.addAll(List.of("--cookie", "hadoop.auth=\"" + cookie + "\""));
        });
    return options;
  }

  /**
   * What the cookie says.
   *
   * @param end until when it is good
   */
  static String cookie(Account account, String secret, Instant end) {
    String name = account.userName();
    String token =
        "u=%s&p=%s&t=kerberos&e=%d".formatted(name, Kerberos.principal(name), end.toEpochMilli());
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      byte[] signature = mac.doFinal(token.getBytes(StandardCharsets.UTF_8));
      return token + "&s=" + Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
