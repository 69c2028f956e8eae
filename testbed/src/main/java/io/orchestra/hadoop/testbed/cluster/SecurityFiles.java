package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.BaseEncoding;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.SiteFile;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.NetworkPlan;
import io.orchestra.hadoop.testbed.process.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.stream.Collectors;

/**
 * The files beside the site files that a cluster with Kerberos has: where the KDC is, who may call
 * which protocol, and the keys of its web servers.
 */
final class SecurityFiles {
  static final int KDC_PORT = 88;

  private static final String ALIAS = "testbed";
  private static final String STORE_TYPE = "PKCS12";
  private static final int SECRET_BYTES = 32;
  private static final int LINE = 64;

  /** Who may call the protocols of daemons; all others are for everybody who can log in. */
  private static final ImmutableMap<String, String> POLICY =
      ImmutableMap.<String, String>builder()
          .put("security.datanode.protocol.acl", "hdfs")
          .put("security.namenode.protocol.acl", "hdfs")
          .put("security.resourcetracker.protocol.acl", "yarn")
          .put("security.orchestra.link.report.protocol.acl", "hdfs")
          .put("security.orchestra.swarm.tracker.protocol.acl", "hdfs")
          .put("security.orchestra.prefetch.daemon.protocol.acl", "hdfs")
          // Application masters are called by the names of their attempts.
          .put("security.orchestra.prefetch.agent.protocol.acl", "*")
          .buildOrThrow();

  private final Kerberos kerberos;
  private final NetworkPlan plan;
  private final Path directory;

  SecurityFiles(Kerberos kerberos, NetworkPlan plan) {
    this.kerberos = kerberos;
    this.plan = plan;
    this.directory = kerberos.directory().configuration();
  }

  void write() {
    FileTree.write(kerberos.configuration(), kerberosConfiguration());
    FileTree.write(directory.resolve("hadoop-policy.xml"), SiteFile.render(POLICY));
    forDaemons(kerberos.httpSecret(), secret());
    webServers();
  }

  private String kerberosConfiguration() {
    return """
        [libdefaults]
          default_realm = %1$s
          dns_lookup_kdc = false
          udp_preference_limit = 1
        [realms]
          %1$s = {
            kdc = %2$s:%3$d
          }
        """
        .formatted(Kerberos.REALM, plan.firstMaster().address(), KDC_PORT);
  }

  /** One key for the web servers of all hosts, signed by itself. */
  private void webServers() {
    Path keys = directory.resolve("keystore.p12");
    Path trusted = directory.resolve("truststore.p12");
    String password = secret();
    Command.of(
            Jvm.home().resolve("bin/keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + ALIAS,
            "-ext",
            "SAN="
                + plan.hosts().stream()
                    .map(host -> "dns:" + host.name())
                    .collect(Collectors.joining(",")),
            "-validity",
            "3650",
            "-storetype",
            STORE_TYPE,
            "-storepass",
            password,
            "-keystore",
            keys.toString())
        .named("keytool")
        .output();
    ownedByDaemons(keys);
    Certificate certificate = certificate(keys, password);
    trust(certificate, trusted, password);
    FileTree.write(kerberos.certificate(), text(certificate));
    forDaemons(
        directory.resolve("ssl-server.xml"),
        SiteFile.render(
            ImmutableMap.<String, String>builder()
                .putAll(store("ssl.server.keystore", keys, password))
                .put("ssl.server.keystore.keypassword", password)
                .putAll(store("ssl.server.truststore", trusted, password))
                .buildOrThrow()));
    FileTree.write(
        directory.resolve("ssl-client.xml"),
        SiteFile.render(store("ssl.client.truststore", trusted, password)));
  }

  private static ImmutableMap<String, String> store(String prefix, Path file, String password) {
    return ImmutableMap.of(
        prefix + ".location", file.toString(),
        prefix + ".password", password,
        prefix + ".type", STORE_TYPE);
  }

  private static Certificate certificate(Path store, String password) {
    try {
      return KeyStore.getInstance(store.toFile(), password.toCharArray()).getCertificate(ALIAS);
    } catch (GeneralSecurityException | IOException e) {
      throw new TestbedException("cannot read " + store + ": " + e.getMessage(), e);
    }
  }

  private static void trust(Certificate certificate, Path file, String password) {
    try (OutputStream out = Files.newOutputStream(file)) {
      KeyStore store = KeyStore.getInstance(STORE_TYPE);
      store.load(null, null);
      store.setCertificateEntry(ALIAS, certificate);
      store.store(out, password.toCharArray());
    } catch (GeneralSecurityException | IOException e) {
      throw new TestbedException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static String text(Certificate certificate) {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + BaseEncoding.base64().withSeparator("\n", LINE).encode(certificate.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return BaseEncoding.base16().lowerCase().encode(bytes);
  }

  private static void forDaemons(Path file, String content) {
    FileTree.write(file, "");
    ownedByDaemons(file);
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new TestbedException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /** What users of hosts may not read. */
  private static void ownedByDaemons(Path file) {
    FileTree.own(file, 0, Account.Group.HADOOP.number());
    FileTree.permit(file, "rw-r-----");
  }
}
