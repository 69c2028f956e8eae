package io.orchestra.hadoop.prefetch.datanode;

import com.google.common.base.Splitter;
import com.google.common.io.Closer;
import com.google.common.primitives.Ints;
import io.orchestra.hadoop.core.blockcache.BlockCache;
import io.orchestra.hadoop.core.blockcache.BlockCacheConfig;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.blockcache.BlockPieces;
import io.orchestra.hadoop.core.blockcache.Lease;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.core.daemon.RepeatedTask;
import io.orchestra.hadoop.core.daemon.UserBudget;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.rpc.CoordinatorAddresses;
import io.orchestra.hadoop.prefetch.rpc.DaemonClient;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.ShapeProto;
import io.orchestra.hadoop.prefetch.traffic.Shape;
import io.orchestra.hadoop.prefetch.traffic.Shaper;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.BlockReadAccess;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of FlexFetch that lives in one DataNode: the blocks being brought, and two callers of
 * the coordinator, one that waits for commands and one that tells how copies go. {@link #close}
 * ends all of it.
 */
public final class DaemonService implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DaemonService.class);

  /** Longer than the coordinator holds a call. */
  private static final Duration TIME_LIMIT = Duration.ofSeconds(15);

  private static final Duration SWEEP = Duration.ofSeconds(1);
  private static final Duration NO_NAME_YET = Duration.ofMillis(200);

  private final DataNode datanode;
  private final Closer parts = Closer.create();
  private final Conversation conversation;
  private final LinkMeter link;
  private final Shaper shaper;

  private DaemonService(
      DataNode datanode, Configuration conf, PrefetchConfig config, BlockCacheConfig cacheConfig)
      throws IOException {
    this.datanode = datanode;
    try {
      // With yarn-site.xml, where the DataNode has one: also for the ResourceManager's principal.
      Configuration yarn = new YarnConfiguration(conf);
      List<InetSocketAddress> addresses = addresses(yarn, config.daemon());
      link = new LinkMeter(addresses.get(0));
      BlockCache cache = parts.register(BlockCache.join(datanode, cacheConfig)).cache();
      long capacity = (long) (cacheConfig.capacity() * config.daemon().share());
      UserBudget room =
          new UserBudget(capacity, (long) (capacity * config.daemon().sharePerUser()));
      PrefetchMetrics metrics = parts.register(new PrefetchMetrics(room));
      Semaphore news = new Semaphore(0);
      Prefetches prefetches =
          parts.register(
              new Prefetches(
                  new DataNodeHost(datanode, new RemoteReplicas(datanode), cache, room, metrics),
                  metrics,
                  config.daemon().keep(),
                  System::nanoTime,
                  news::release));
      shaper = parts.register(new Shaper(Path.of(config.traffic().socket())));
      conversation = new Conversation(prefetches, new HostRates(shaper), news, System::nanoTime);
      parts.register(sweeping(prefetches));
      PollThread.Connection connection = address -> connect(yarn, address);
      parts.register(
          new PollThread("orchestra-prefetch-poll", addresses, connection, talk(this::commands))
              .start());
      parts.register(
          new PollThread("orchestra-prefetch-state", addresses, connection, talk(this::news))
              .start());
    } catch (Throwable e) {
      parts.close();
      throw e;
    }
  }

  /**
   * @throws IOException if the block cache cannot be had; nothing is left running after any failure
   */
  public static DaemonService start(
      DataNode datanode, Configuration conf, PrefetchConfig config, BlockCacheConfig cacheConfig)
      throws IOException {
    return new DaemonService(datanode, conf, config, cacheConfig);
  }

  /**
   * Where a daemon asks for what it is to do.
   *
   * @param conf of its DataNode, with YARN's settings
   * @throws IOException if nobody has said where a ResourceManager is: YARN's default is any
   *     address of this host
   */
  public static List<InetSocketAddress> addresses(Configuration conf, PrefetchConfig.Daemon config)
      throws IOException {
    List<InetSocketAddress> addresses =
        config
            .coordinators()
            .map(
                hosts ->
                    Splitter.on(',').trimResults().omitEmptyStrings().splitToList(hosts).stream()
                        .map(host -> new InetSocketAddress(host, config.port()))
                        .toList())
            .orElseGet(() -> named(CoordinatorAddresses.of(conf, config.port())));
    if (addresses.isEmpty()) {
      throw new IOException(
          "YARN's settings name no ResourceManager. Set %scoordinators"
              .formatted(PrefetchConfig.PREFIX));
    }
    return addresses;
  }

  private static List<InetSocketAddress> named(List<InetSocketAddress> addresses) {
    return addresses.stream()
        .filter(address -> address.isUnresolved() || !address.getAddress().isAnyLocalAddress())
        .toList();
  }

  private record HostRates(Shaper shaper) implements Conversation.Rates {
    @Override
    public void set(ShapeProto shape) {
      try {
        shaper.apply(
            new Shape(
                Shaper.HOST_PORT,
                shape.getSlot(),
                shape.getBitsPerSecond(),
                shape.getAddress(),
                shape.getPort()));
      } catch (IllegalArgumentException e) {
        // What is out of bounds is not the coordinator's.
        LOG.warn("A rate cannot be meant: {}", e.getMessage());
      }
    }

    @Override
    public void forget() {
      shaper.forget();
    }
  }

  private static RepeatedTask sweeping(Prefetches prefetches) {
    return RepeatedTask.start(
        "orchestra-prefetch-sweeper",
        SWEEP,
        SWEEP,
        new GuardedTask("Letting go of prefetched blocks", prefetches::tick));
  }

  private static PollThread.Coordinator connect(Configuration conf, InetSocketAddress address)
      throws IOException {
    DaemonClient client = new DaemonClient(conf, address, TIME_LIMIT);
    return new PollThread.Coordinator() {
      @Override
      public PollResponseProto poll(PollProto poll) throws IOException {
        return client.poll(poll);
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  /** Waits until there is something to say. */
  @FunctionalInterface
  private interface Question {
    PollProto next() throws InterruptedException;
  }

  private PollThread.Talk talk(Question question) {
    return new PollThread.Talk() {
      @Override
      public PollProto next() throws InterruptedException {
        return question.next();
      }

      @Override
      public void answered(PollProto asked, PollResponseProto answer) {
        conversation.answered(asked, answer);
      }
    };
  }

  /** For whoever waits for commands. */
  private PollProto commands() throws InterruptedException {
    return conversation.question(self().build(), true);
  }

  /**
   * For whoever tells how copies go, at once when one ends or the coordinator wants to hear more.
   */
  private PollProto news() throws InterruptedException {
    Optional<PollProto> news;
    do {
      conversation.awaitNews();
      news = conversation.news(measured());
    } while (news.isEmpty());
    return news.get();
  }

  private DaemonProto measured() throws InterruptedException {
    DaemonProto.Builder self = self().setShaped(shaper.shapes(Shaper.HOST_PORT));
    link.sample()
        .ifPresent(
            rates ->
                self.setSent(rates.transmitted())
                    .setReceived(rates.received())
                    .setMillisMeasured(Ints.saturatedCast(rates.interval().toMillis())));
    link.capacity().ifPresent(self::setLinkCapacity);
    return self.build();
  }

  /** Before its first handshake with a NameNode the DataNode has no name. */
  private DaemonProto.Builder self() throws InterruptedException {
    while (datanode.getDatanodeUuid() == null || datanode.getDatanodeId() == null) {
      Thread.sleep(NO_NAME_YET.toMillis());
    }
    return DaemonProto.newBuilder()
        .setDatanodeUuid(datanode.getDatanodeUuid())
        .setHost(datanode.getDatanodeId().getHostName())
        .setTransferPort(datanode.getXferPort());
  }

  private record DataNodeHost(
      DataNode datanode,
      Replicas replicas,
      BlockCache cache,
      UserBudget room,
      PrefetchMetrics metrics)
      implements Prefetch.Host {
    @Override
    public void verify(BlockKey block, Token<BlockTokenIdentifier> token) throws IOException {
      BlockReadAccess.verify(datanode, block.extended(0), token);
    }

    @Override
    public Optional<Lease> begin(BlockKey block, BlockPieces pieces) throws IOException {
      return cache.begin(block, pieces);
    }

    @Override
    public void copied(long bytes) {
      metrics.copied(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    parts.close();
  }
}
