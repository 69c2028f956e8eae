package io.orchestra.hadoop.broadcast.datanode;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.Sets;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import io.orchestra.hadoop.broadcast.BroadcastConfig;
import io.orchestra.hadoop.broadcast.rpc.SwarmTrackerClient;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.AnnounceProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.BlockProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.JoinResponseProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.PeerProto;
import io.orchestra.hadoop.broadcast.rpc.proto.SwarmTrackerProtos.SwarmProto;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trackers in all NameNodes that the DataNode serves. Safe for concurrent use; calls are made
 * outside the lock.
 */
final class Trackers implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Trackers.class);
  private static final Duration SHORT_WHILE = Duration.ofMinutes(1);
  private static final JoinResponseProto SILENT = nobody("no tracker answers");
  private static final JoinResponseProto SLOW = nobody("the tracker is slow");

  private final Supplier<String> datanode;
  private final Configuration conf;
  private final BroadcastConfig config;
  private final IntSupplier port;
  private final ListeningExecutorService threads =
      MoreExecutors.listeningDecorator(
          Executors.newCachedThreadPool(
              new ThreadFactoryBuilder()
                  .setNameFormat("orchestra-peer-announcer-%d")
                  .setDaemon(true)
                  .build()));

  /**
   * NameNodes that have let a receiver wait in vain. That they answer announcements, which need no
   * lock of theirs, says nothing.
   */
  private final Cache<InetSocketAddress, Boolean> slow;

  // Guarded by this.
  private final Map<InetSocketAddress, SwarmTrackerClient> clients = new LinkedHashMap<>();
  private final Set<InetSocketAddress> silent = new HashSet<>();
  private final Map<String, InetSocketAddress> lastToKnow = new HashMap<>();
  private final Map<InetSocketAddress, ListenableFuture<List<Long>>> announcing = new HashMap<>();
  private boolean closed;

  /**
   * @param datanode UUID of the DataNode that this peer lives in
   * @param port on which this host's peer listens
   */
  Trackers(
      Supplier<String> datanode,
      Configuration conf,
      BroadcastConfig config,
      IntSupplier port,
      Ticker clock) {
    this.datanode = datanode;
    this.conf = conf;
    this.config = config;
    this.port = port;
    slow = CacheBuilder.newBuilder().expireAfterWrite(SHORT_WHILE).ticker(clock).build();
  }

  private static JoinResponseProto nobody(String reason) {
    return JoinResponseProto.newBuilder()
        .setDeclined(reason)
        .setElsewhere(true)
        .setBystander(true)
        .build();
  }

  /** Follows the NameNodes as they come and go. */
  synchronized void retain(Set<InetSocketAddress> namenodes) throws IOException {
    for (InetSocketAddress gone : Sets.difference(clients.keySet(), namenodes).immutableCopy()) {
      clients.remove(gone).close();
      announcing.remove(gone);
      silent.remove(gone);
      slow.invalidate(gone);
    }
    for (InetSocketAddress namenode : namenodes) {
      if (!closed && !clients.containsKey(namenode)) {
        InetSocketAddress tracker =
            NetUtils.createSocketAddrForHost(namenode.getHostString(), config.trackerPort());
        clients.put(namenode, new SwarmTrackerClient(conf, tracker, config.joinTimeout()));
      }
    }
  }

  /**
   * For a reader, who waits for the answer: asks each tracker that answers of late, and in time,
   * until one knows the block; first the one that did so last.
   *
   * @return if none knows it, what a NameNode says that is no bystander
   */
  JoinResponseProto join(BlockKey block) {
    List<Map.Entry<InetSocketAddress, SwarmTrackerClient>> prompt =
        answering(block.pool()).stream().filter(tracker -> !isSlow(tracker.getKey())).toList();
    boolean isOneSlow = all().stream().anyMatch(tracker -> isSlow(tracker.getKey()));
    return join(prompt, request(block, List.of()), isOneSlow ? SLOW : SILENT);
  }

  /**
   * The same for a file that is under way: no reader waits, so those that are slow are asked again
   * each time that they have answered an announcement.
   *
   * @param claimed DataNodes that say that they are in the swarm
   */
  JoinResponseProto joinAgain(BlockKey block, List<String> claimed) {
    return join(answering(block.pool()), request(block, claimed), SILENT);
  }

  private JoinProto request(BlockKey block, List<String> claimed) {
    return JoinProto.newBuilder()
        .setSelf(self())
        .setBlockPool(block.pool())
        .setBlock(
            BlockProto.newBuilder().setId(block.id()).setGenerationStamp(block.generationStamp()))
        .addAllClaimed(claimed)
        .build();
  }

  private JoinResponseProto join(
      List<Map.Entry<InetSocketAddress, SwarmTrackerClient>> trackers,
      JoinProto request,
      JoinResponseProto otherwise) {
    JoinResponseProto said = otherwise;
    for (Map.Entry<InetSocketAddress, SwarmTrackerClient> tracker : trackers) {
      try {
        JoinResponseProto answer = tracker.getValue().join(request);
        if (answer.getBusy()) {
          slow(tracker.getKey(), answer.getDeclined());
        } else if (!answer.getBystander()) {
          slow.invalidate(tracker.getKey());
        }
        if (!answer.getElsewhere()) {
          knew(request.getBlockPool(), tracker.getKey());
          return answer;
        }
        if (said.equals(SILENT) || said.getBystander() && !answer.getBystander()) {
          said = answer;
        }
      } catch (SocketTimeoutException e) {
        slow(tracker.getKey(), e.toString());
        said = said.getBystander() ? SLOW : said;
      } catch (IOException e) {
        silent(tracker.getKey(), e);
      }
    }
    return said;
  }

  private PeerProto self() {
    return PeerProto.newBuilder().setDatanodeUuid(datanode.get()).setPort(port.getAsInt()).build();
  }

  /**
   * Tells all trackers what this host has, also those that did not answer of late, but for those
   * that it still waits for since an earlier time: Hadoop may look up the name of a host that is
   * down, for much longer than a call may take. What a swarm has measured meanwhile they never
   * hear.
   *
   * @param transmitted bytes per second this host sends, if that is known
   * @return first blocks of the files that a tracker wants to be told about
   */
  Set<Long> announce(List<SwarmProto> swarms, OptionalLong transmitted) {
    AnnounceProto.Builder said = AnnounceProto.newBuilder().setSelf(self()).addAllSwarms(swarms);
    transmitted.ifPresent(said::setTransmitted);
    AnnounceProto announcement = said.build();
    // At once: one that does not answer must not delay the others until they think us gone.
    List<ListenableFuture<List<Long>>> answers = begun(announcement);
    await(answers);
    Set<Long> unknown = new HashSet<>();
    answers.stream()
        .filter(Future::isDone)
        .forEach(answer -> unknown.addAll(Futures.getUnchecked(answer)));
    return unknown;
  }

  private synchronized List<ListenableFuture<List<Long>>> begun(AnnounceProto announcement) {
    List<ListenableFuture<List<Long>>> answers = new ArrayList<>();
    for (Map.Entry<InetSocketAddress, SwarmTrackerClient> tracker : all()) {
      ListenableFuture<List<Long>> before = announcing.get(tracker.getKey());
      if (before == null || before.isDone()) {
        ListenableFuture<List<Long>> answer = threads.submit(() -> announce(tracker, announcement));
        announcing.put(tracker.getKey(), answer);
        answers.add(answer);
      }
    }
    return answers;
  }

  private void await(List<ListenableFuture<List<Long>>> answers) {
    try {
      Object unused =
          Uninterruptibles.getUninterruptibly(
              Futures.successfulAsList(answers),
              // For a connection and for an answer; to look up a name may take longer.
              config.joinTimeout().multipliedBy(2).toMillis(),
              TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.debug("A tracker takes long to answer", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Long> announce(
      Map.Entry<InetSocketAddress, SwarmTrackerClient> tracker, AnnounceProto announcement) {
    try {
      List<Long> unknown = tracker.getValue().announce(announcement).getUnknownList();
      heard(tracker.getKey());
      return unknown;
    } catch (IOException e) {
      silent(tracker.getKey(), e);
      return List.of();
    }
  }

  private synchronized List<Map.Entry<InetSocketAddress, SwarmTrackerClient>> all() {
    return List.copyOf(clients.entrySet());
  }

  private synchronized List<Map.Entry<InetSocketAddress, SwarmTrackerClient>> answering(
      String pool) {
    InetSocketAddress first = lastToKnow.get(pool);
    return all().stream()
        .filter(tracker -> !silent.contains(tracker.getKey()))
        .sorted(Comparator.comparing(tracker -> !tracker.getKey().equals(first)))
        .toList();
  }

  private synchronized void knew(String pool, InetSocketAddress namenode) {
    lastToKnow.put(pool, namenode);
  }

  private boolean isSlow(InetSocketAddress namenode) {
    return slow.getIfPresent(namenode) != null;
  }

  private synchronized void heard(InetSocketAddress namenode) {
    if (silent.remove(namenode) && !isSlow(namenode)) {
      LOG.info("The swarm tracker at {} answers again", namenode.getHostString());
    }
  }

  private synchronized void silent(InetSocketAddress namenode, IOException cause) {
    if (!closed && clients.containsKey(namenode) && silent.add(namenode)) {
      LOG.warn(
          "No swarm tracker answers at {}: {}. Trying on; localizers read from HDFS meanwhile",
          namenode.getHostString(),
          cause.toString());
    }
  }

  private synchronized void slow(InetSocketAddress namenode, String cause) {
    if (closed || !clients.containsKey(namenode)) {
      return;
    }
    silent.add(namenode);
    if (slow.asMap().put(namenode, true) == null) {
      LOG.warn(
          "The swarm tracker at {} lets readers wait: {}. They read from HDFS for {} s",
          namenode.getHostString(),
          cause,
          SHORT_WHILE.toSeconds());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    threads.shutdownNow();
    clients.values().forEach(SwarmTrackerClient::close);
    clients.clear();
  }
}
