package io.orchestra.hadoop.operator.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * The daemons of the cluster that a configuration is of, over HTTP or HTTPS and with Kerberos where
 * it says so.
 */
final class LiveCluster {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CONNECT_MILLIS = 3000;
  private static final int READ_MILLIS = 10_000;

  /** States of DataNodes that are meant to be down, as HDFS calls them. */
  private static final Set<String> TAKEN_OUT = Set.of("Decommissioned", "In Maintenance");

  private final Configuration conf;
  private final URLConnectionFactory connections;

  /**
   * @throws IllegalArgumentException if Hadoop cannot use what the configuration says of security
   */
  LiveCluster(Configuration conf) {
    this.conf = conf;
    connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(CONNECT_MILLIS, READ_MILLIS, conf);
    UserGroupInformation.setConfiguration(conf);
  }

  /** What the configuration that is examined says, which a daemon may not have read yet. */
  String told(String key) {
    return conf.getTrimmed(key, "");
  }

  /**
   * The web addresses of all NameNodes, active or not.
   *
   * @throws IOException if the configuration does not tell them, with what is wrong
   */
  List<URI> nameNodes() throws IOException {
    List<URI> addresses = new ArrayList<>();
    try {
      for (Map<String, InetSocketAddress> service :
          DFSUtil.getNNServiceRpcAddressesForCluster(conf).values()) {
        for (InetSocketAddress address : service.values()) {
          addresses.add(DFSUtil.getInfoServer(address, conf, scheme()));
        }
      }
    } catch (RuntimeException e) {
      // Hadoop's, for addresses that are none.
      throw new UnknownAddressException("NameNodes", e);
    }
    return addresses;
  }

  /**
   * The web addresses of the DataNodes that a NameNode sees, with the names of their hosts: theirs
   * are in certificates and in principals, and their numbers are not.
   */
  List<URI> dataNodes(URI nameNode) throws IOException {
    List<URI> addresses = new ArrayList<>();
    String field = scheme().equals("https") ? "infoSecureAddr" : "infoAddr";
    nodes(nameNode, "LiveNodes")
        .fields()
        .forEachRemaining(
            node ->
                addresses.add(
                    URI.create(
                        "%s://%s:%s"
                            .formatted(
                                scheme(),
                                beforePort(node.getKey()),
                                port(node.getValue().path(field).asText())))));
    return addresses;
  }

  /** The hosts of DataNodes that a NameNode has lost, and that nobody has taken out. */
  List<String> deadDataNodes(URI nameNode) throws IOException {
    List<String> hosts = new ArrayList<>();
    nodes(nameNode, "DeadNodes")
        .fields()
        .forEachRemaining(
            node -> {
              if (!TAKEN_OUT.contains(node.getValue().path("adminState").asText())) {
                hosts.add(beforePort(node.getKey()));
              }
            });
    return hosts;
  }

  private JsonNode nodes(URI nameNode, String attribute) throws IOException {
    JsonNode info =
        bean(nameNode, "Hadoop:service=NameNode,name=NameNodeInfo")
            .orElseThrow(() -> new IOException(nameNode + " tells nothing of DataNodes"));
    return JSON.readTree(info.path(attribute).asText("{}"));
  }

  /**
   * The web address of the ResourceManager that is active.
   *
   * @throws IOException if none answers that it is
   */
  URI activeResourceManager() throws IOException {
    List<URI> addresses = ResourceManagers.webAddresses(conf);
    IOException none = new IOException("no ResourceManager of %s is active".formatted(addresses));
    for (URI address : addresses) {
      try {
        Optional<JsonNode> info = bean(address, "Hadoop:service=ResourceManager,name=RMInfo");
        if (info.isPresent() && info.get().path("State").asText().equalsIgnoreCase("active")) {
          return address;
        }
      } catch (IOException e) {
        if (addresses.size() == 1) {
          throw e;
        }
        none.addSuppressed(e);
      }
    }
    throw none;
  }

  /** The web addresses of the NodeManagers that the active ResourceManager sees. */
  List<URI> nodeManagers() throws IOException {
    URI resourceManager = activeResourceManager();
    JsonNode info =
        bean(resourceManager, "Hadoop:service=ResourceManager,name=RMNMInfo")
            .orElseThrow(() -> new IOException(resourceManager + " tells nothing of NodeManagers"));
    List<URI> addresses = new ArrayList<>();
    JSON.readTree(info.path("LiveNodeManagers").asText("[]"))
        .forEach(
            node ->
                addresses.add(
                    URI.create(
                        ResourceManagers.scheme(conf)
                            + "://"
                            + node.path("NodeHTTPAddress").asText())));
    return addresses;
  }

  /** How many NodeManagers the active ResourceManager has lost. */
  int lostNodeManagers() throws IOException {
    return bean(activeResourceManager(), "Hadoop:service=ResourceManager,name=ClusterMetrics")
        .map(metrics -> metrics.path("NumLostNMs").asInt())
        .orElse(0);
  }

  private static String beforePort(String address) {
    return address.substring(0, address.lastIndexOf(':'));
  }

  private static String port(String address) {
    return address.substring(address.lastIndexOf(':') + 1);
  }

  /** The value of a key in the configuration that a daemon runs with, if it has one. */
  Optional<String> setting(URI daemon, String key) throws IOException {
    return json(daemon, "/conf?name=" + URLEncoder.encode(key, StandardCharsets.UTF_8))
        .map(answer -> answer.path("property").path("value").asText());
  }

  /** The attributes of a bean of JMX, if the daemon has it. */
  Optional<JsonNode> bean(URI daemon, String name) throws IOException {
    String query = URLEncoder.encode(name, StandardCharsets.UTF_8);
    return json(daemon, "/jmx?qry=" + query)
        .map(answer -> answer.path("beans").path(0))
        .filter(bean -> !bean.isMissingNode());
  }

  /**
   * The JSON at a path of a daemon's web server, if there is such a page.
   *
   * @throws IOException if there is no answer or the server refuses, with the address in the
   *     message
   */
  Optional<JsonNode> json(URI daemon, String path) throws IOException {
    try {
      return UserGroupInformation.getLoginUser()
          .doAs((PrivilegedExceptionAction<Optional<JsonNode>>) () -> get(daemon.resolve(path)));
    } catch (IOException e) {
      throw new IOException("%s does not tell: %s".formatted(daemon, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private Optional<JsonNode> get(URI address) throws IOException {
    HttpURLConnection connection = open(address);
    // The configuration comes as XML otherwise.
    connection.setRequestProperty("Accept", "application/json");
    int status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_NOT_FOUND) {
      return Optional.empty();
    }
    if (status != HttpURLConnection.HTTP_OK) {
      throw new IOException("HTTP status " + status + " for " + address.getPath());
    }
    try (InputStream stream = connection.getInputStream()) {
      return Optional.of(JSON.readTree(stream));
    }
  }

  private HttpURLConnection open(URI address) throws IOException {
    try {
      return (HttpURLConnection)
          connections.openConnection(address.toURL(), UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private String scheme() {
    return DFSUtil.getHttpClientScheme(conf);
  }
}
