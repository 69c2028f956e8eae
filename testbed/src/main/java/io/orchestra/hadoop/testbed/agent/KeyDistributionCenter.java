package io.orchestra.hadoop.testbed.agent;

import com.google.common.base.Splitter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** The KDC of a cluster: knows its principals from its start to its end, and nowhere else. */
public final class KeyDistributionCenter {
  /** The file in its directory that it makes when it serves and all keytabs are complete. */
  public static final String READY = "ready";

  private static final int KEYTABS = 4;

  private final SimpleKdcServer server;
  private final Set<String> known = new HashSet<>();

  private KeyDistributionCenter(String realm, String address, int port, Path directory)
      throws KrbException {
    server = new SimpleKdcServer();
    server.setKdcRealm(realm);
    server.setKdcHost(address);
    server.setKdcTcpPort(port);
    server.setAllowUdp(false);
    server.setWorkDir(directory.toFile());
    server.init();
  }

  /**
   * @param arguments the realm, this host's address, the port, a directory, and then for each
   *     keytab {@code FILE=PRINCIPAL,PRINCIPAL}; a principal in several files has the same key in
   *     all
   */
  public static void main(String[] arguments)
      throws KrbException, IOException, InterruptedException {
    Path directory = Path.of(arguments[3]);
    KeyDistributionCenter center =
        new KeyDistributionCenter(
            arguments[0], arguments[1], Integer.parseInt(arguments[2]), directory);
    for (String keytab : Arrays.asList(arguments).subList(KEYTABS, arguments.length)) {
      List<String> words = Splitter.on('=').limit(2).splitToList(keytab);
      center.export(new File(words.get(0)), Splitter.on(',').splitToList(words.get(1)));
    }
    center.server.start();
    Files.createFile(directory.resolve(READY));
    new CountDownLatch(1).await();
  }

  private void export(File keytab, List<String> principals) throws KrbException {
    for (String principal : principals) {
      if (known.add(principal)) {
        server.createPrincipal(principal);
      }
      server.exportPrincipal(principal, keytab);
    }
  }
}
