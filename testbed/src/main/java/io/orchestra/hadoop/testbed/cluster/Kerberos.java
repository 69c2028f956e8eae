package io.orchestra.hadoop.testbed.cluster;

import com.google.common.collect.ImmutableMap;
import io.orchestra.hadoop.testbed.host.Account;
import io.orchestra.hadoop.testbed.network.Host;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Who is called what on a cluster with Kerberos, and where its files are.
 *
 * @param mountPoint where each host sees its own directory
 */
record Kerberos(ClusterDirectory directory, Path mountPoint) {
  static final String REALM = "TESTBED";

  /** The owner of the keytab that all web servers of a host share. */
  static final String HTTP = "HTTP";

  private static final String KEYTABS = "keytabs";

  /** That of a cluster, if it is to have it. */
  static Optional<Kerberos> of(ClusterSpec spec, ClusterDirectory directory, Path mountPoint) {
    return spec.kerberos() ? Optional.of(new Kerberos(directory, mountPoint)) : Optional.empty();
  }

  /** Of a person, or of a daemon's user as such. */
  static String principal(String owner) {
    return owner + "@" + REALM;
  }

  /** Of a daemon on a host. */
  static String service(String owner, Host host) {
    return owner + "/" + host.name() + "@" + REALM;
  }

  /** Of a daemon on whatever host it is, as Hadoop's settings say it. */
  static String serviceAnywhere(String owner) {
    return owner + "/_HOST@" + REALM;
  }

  /** A keytab as its host sees it; the same path on all hosts. */
  Path keytab(String owner) {
    return mountPoint.resolve(KEYTABS).resolve(owner + ".keytab");
  }

  /** The directory of a host's keytabs, as this machine sees it. */
  Path keytabs(Host host) {
    return directory.host(host.name()).resolve(KEYTABS);
  }

  Path configuration() {
    return directory.configuration().resolve("krb5.conf");
  }

  /** What daemons sign the cookies of their web pages with. */
  Path httpSecret() {
    return directory.configuration().resolve("http-secret");
  }

  /** The certificate of all web servers, as text. */
  Path certificate() {
    return directory.configuration().resolve("certificate.pem");
  }

  /** By which every Java program finds the KDC. */
  String jvmOption() {
    return "-Djava.security.krb5.conf=" + configuration();
  }

  /** The environment by which Hadoop's clients log in from a user's keytab. */
  Map<String, String> login(Account user) {
    return ImmutableMap.of(
        "KRB5PRINCIPAL", principal(user.userName()),
        "KRB5KEYTAB", keytab(user.userName()).toString());
  }
}
