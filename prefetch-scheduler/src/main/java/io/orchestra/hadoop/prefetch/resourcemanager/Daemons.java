package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import com.google.common.util.concurrent.RateLimiter;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.orchestra.hadoop.core.daemon.GuardedTask;
import io.orchestra.hadoop.core.daemon.LogText;
import io.orchestra.hadoop.prefetch.resourcemanager.DaemonTable.Link;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.net.NetworkTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemons of all DataNodes that poll, and what they are to do. Commands are repeated until they
 * are known to be done, or their daemon is given up; of those that pace a flow or shape what uses a
 * slot only the newest is. One that cannot be answered keeps no other from its answer. Safe for
 * concurrent use; nobody is called under the lock.
 */
final class Daemons implements DaemonProtocol, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Daemons.class);
  private static final RateLimiter WARNINGS = RateLimiter.create(1.0 / 60);
  private static final long HOLD = Duration.ofSeconds(5).toNanos();
  private static final long LONGEST_SILENCE = Duration.ofSeconds(15).toNanos();
  private static final long RACK_PAUSE = Duration.ofMinutes(1).toNanos();
  private static final int MOST_COMMANDS = 256;

  /**
   * Milliseconds from what a daemon tells to what it tells next, while blocks are brought: of few
   * daemons, and of many.
   */
  private static final int LEAST_NEWS_PAUSE = 500;

  private static final int LONGEST_NEWS_PAUSE = 1000;

  /** The same while there is nothing to bring. */
  private static final int IDLE_NEWS_PAUSE = 3000;

  /** Whoever brings something may bring more. */
  private static final long BUSY = Duration.ofSeconds(10).toNanos();

  private static final int LONGEST_NAME = 255;
  private static final int MOST_FLOWS = 2000;
  private static final int LARGEST_PORT = 65535;

  /** Bytes per second; there is no such link. */
  private static final long TOO_FAST = 1L << 40;

  /** Milliseconds; what is older is of no use. */
  private static final int LONGEST_MEASUREMENT = 5000;

  /**
   * A daemon that polls.
   *
   * @param uuid of its DataNode
   * @param host by which HDFS and YARN know it
   * @param address of the DataNode's port for data
   * @param rack of the host
   */
  record Daemon(String uuid, String host, String address, int transferPort, String rack) {}

  /**
   * A host's link.
   *
   * @param capacity bytes per second, where the daemon knows
   * @param sent bytes per second of everything
   * @param received the same
   * @param nanos for which that was measured, up to now; empty for since the last news
   */
  record Load(OptionalLong capacity, long sent, long received, OptionalLong nanos) {
    /** More than a link has cannot pass, and would be taken for traffic of all other hosts. */
    Load within(long most) {
      return new Load(capacity, Math.min(sent, most), Math.min(received, most), nanos);
    }

    static final Load UNKNOWN = new Load(OptionalLong.empty(), 0, 0, OptionalLong.empty());
  }

  /** Hears of daemons. */
  interface Listener {
    /**
     * A daemon has news.
     *
     * @param load of its host's link; empty if it does not know
     */
    void told(Daemon daemon, Optional<Load> load, List<FlowProto> flows);

    /** Bytes per second by which a load may differ before anybody has to hear of it. */
    long noticeable(Load load);

    /** A daemon is gone, or has forgotten all its flows. */
    void lost(Daemon daemon);
  }

  /** Says whether a caller speaks for a host. */
  interface Identity {
    /**
     * @throws IOException if it does not
     */
    void verify(Caller caller, String host) throws IOException;
  }

  private final Identity identity;
  private final Function<String, String> rackOf;
  private final LongSupplier clock;
  private final long epoch;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          new ThreadFactoryBuilder()
              .setNameFormat("orchestra-prefetch-polls")
              .setDaemon(true)
              .build());
  private volatile Listener listener;

  // Guarded by this.
  private final DaemonTable table = new DaemonTable();

  /**
   * Of the last command, whoever it was for: a daemon that was lost and comes back has done some
   * already.
   */
  private long lastNumber;

  private long busyUntil;
  private boolean closed;

  /**
   * @param rackOf a host
   * @param clock nanoseconds
   * @param epoch another one than that of any earlier start
   */
  Daemons(Identity identity, Function<String, String> rackOf, LongSupplier clock, long epoch) {
    this.identity = identity;
    this.rackOf = rackOf;
    this.clock = clock;
    this.epoch = epoch;
    busyUntil = clock.getAsLong();
  }

  /** Nobody is heard before this. */
  void start(Listener hearing) {
    hear(hearing);
    GuardedTask tick = new GuardedTask("Looking after prefetch daemons", this::tick);
    ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(tick, 1, 1, TimeUnit.SECONDS);
  }

  /** The same, where nobody looks after daemons but whoever calls {@link #tick}. */
  @VisibleForTesting
  void hear(Listener hearing) {
    listener = hearing;
  }

  @Override
  public Optional<PollResponseProto> poll(
      Caller caller, PollProto poll, Supplier<Consumer<PollResponseProto>> later)
      throws IOException {
    Daemon daemon = identified(caller, poll.getSelf());
    if (poll.getFlowsCount() > MOST_FLOWS) {
      throw new IOException("%s tells of %d flows".formatted(daemon, poll.getFlowsCount()));
    }
    boolean isNew = poll.getEpoch() != epoch || !knows(daemon);
    if (isNew) {
      introduce(daemon);
    }
    Optional<Load> load = known(poll.getSelf());
    List<FlowProto> flows = isNew ? List.of() : poll.getFlowsList();
    if (load.isPresent() || !flows.isEmpty()) {
      listener.told(daemon, load, flows);
    }
    Optional<PollResponseProto> answer =
        answer(daemon, poll, isNew ? Optional.empty() : Optional.of(later));
    return load.isEmpty() ? answer : answer.map(said -> noticing(said, load.get()));
  }

  private PollResponseProto noticing(PollResponseProto answer, Load load) {
    return answer.toBuilder().setNoticeable(listener.noticeable(load)).build();
  }

  private Daemon identified(Caller caller, DaemonProto self) throws IOException {
    if (!isName(self.getDatanodeUuid()) || !isName(self.getHost()) || caller.address() == null) {
      throw new IOException("a daemon without a name");
    }
    if (self.getTransferPort() <= 0 || self.getTransferPort() > LARGEST_PORT) {
      throw new IOException("a DataNode at port %d".formatted(self.getTransferPort()));
    }
    identity.verify(caller, self.getHost());
    return new Daemon(
        self.getDatanodeUuid(),
        self.getHost(),
        caller.address().getHostAddress(),
        self.getTransferPort(),
        rack(self));
  }

  /** Whether it may be one: it stands as it is in what is logged of its daemon. */
  private static boolean isName(String name) {
    return !name.isEmpty() && name.length() <= LONGEST_NAME && LogText.isPlain(name);
  }

  /**
   * Looked up once for each that comes, since it may take a program; and now and then again where
   * Hadoop says what it also says if it could not find out.
   */
  private String rack(DaemonProto self) {
    synchronized (this) {
      Link link = table.of(self.getDatanodeUuid());
      if (link != null && link.daemon.host().equals(self.getHost())) {
        long now = clock.getAsLong();
        if (!link.daemon.rack().equals(NetworkTopology.DEFAULT_RACK)
            || now - link.rackAskedAt < RACK_PAUSE) {
          return link.daemon.rack();
        }
        link.rackAskedAt = now;
      }
    }
    return rackOf.apply(self.getHost());
  }

  private synchronized boolean knows(Daemon daemon) {
    Link link = table.of(daemon.uuid());
    return link != null && link.daemon.equals(daemon);
  }

  private void introduce(Daemon daemon) throws IOException {
    Optional<Link> before;
    synchronized (this) {
      if (closed) {
        throw new IOException("the coordinator is closed");
      }
      before = table.introduce(daemon, clock.getAsLong());
    }
    before.ifPresent(this::leave);
  }

  /** Empty if the call is held; whoever asks for that does nothing after it. */
  private synchronized Optional<PollResponseProto> answer(
      Daemon daemon, PollProto poll, Optional<Supplier<Consumer<PollResponseProto>>> later) {
    Link link = table.of(daemon.uuid());
    if (link == null) {
      return Optional.of(response(List.of()));
    }
    link.heardAt = clock.getAsLong();
    known(poll.getSelf()).ifPresent(load -> table.told(link, load));
    if (poll.getSelf().hasShaped()) {
      link.isShaped = poll.getSelf().getShaped();
    }
    if (poll.getEpoch() == epoch) {
      link.commands.removeIf(command -> command.getNumber() <= poll.getDone());
    }
    if (poll.getHold() && link.commands.isEmpty() && later.isPresent() && !closed) {
      Consumer<PollResponseProto> older = link.held;
      link.held = later.get().get();
      link.heldSince = clock.getAsLong();
      if (older != null) {
        timer.execute(() -> release(older));
      }
      return Optional.empty();
    }
    return Optional.of(response(link.commands));
  }

  private static Optional<Load> known(DaemonProto self) {
    return self.hasSent() ? Optional.of(load(self)) : Optional.empty();
  }

  private static Load load(DaemonProto self) {
    return new Load(
        self.getLinkCapacity() > 0 && self.getLinkCapacity() < TOO_FAST
            ? OptionalLong.of(self.getLinkCapacity())
            : OptionalLong.empty(),
        Longs.constrainToRange(self.getSent(), 0, TOO_FAST),
        Longs.constrainToRange(self.getReceived(), 0, TOO_FAST),
        self.hasMillisMeasured()
            ? OptionalLong.of(nanos(self.getMillisMeasured()))
            : OptionalLong.empty());
  }

  private static long nanos(int millisMeasured) {
    return TimeUnit.MILLISECONDS.toNanos(
        Ints.constrainToRange(millisMeasured, 0, LONGEST_MEASUREMENT));
  }

  private synchronized PollResponseProto response(Iterable<CommandProto> commands) {
    return PollResponseProto.newBuilder()
        .setEpoch(epoch)
        .addAllCommands(commands)
        .setMillisToNews(millisToNews())
        .build();
  }

  /** A thousand daemons together tell one thing a millisecond. */
  private int millisToNews() {
    return isBusy()
        ? Ints.constrainToRange(table.size(), LEAST_NEWS_PAUSE, LONGEST_NEWS_PAUSE)
        : IDLE_NEWS_PAUSE;
  }

  /** Nanoseconds in which each measures its link once now. */
  synchronized long newsPause() {
    return TimeUnit.MILLISECONDS.toNanos(millisToNews());
  }

  private boolean isBusy() {
    return clock.getAsLong() - busyUntil < 0;
  }

  /**
   * Something is brought, or should be: for some time all daemons tell more often of their copies
   * and links.
   */
  synchronized void busy() {
    boolean wasBusy = isBusy();
    busyUntil = clock.getAsLong() + BUSY;
    if (!wasBusy && !closed) {
      List<Consumer<PollResponseProto>> waiting = new ArrayList<>();
      for (Link link : table.all()) {
        if (link.held != null) {
          waiting.add(link.held);
          link.held = null;
        }
      }
      timer.execute(() -> waiting.forEach(this::release));
    }
  }

  /**
   * @param command but for its number
   * @return false if this daemon does not listen
   */
  boolean send(String uuid, CommandProto.Builder command) {
    Consumer<PollResponseProto> waiting;
    PollResponseProto response;
    synchronized (this) {
      Link link = table.of(uuid);
      if (link == null) {
        return false;
      }
      link.commands.removeIf(older -> replaces(command, older));
      if (link.commands.size() >= MOST_COMMANDS) {
        return false;
      }
      link.commands.add(command.setNumber(++lastNumber).build());
      waiting = link.held;
      link.held = null;
      response = response(link.commands);
    }
    if (waiting != null) {
      guarded(() -> waiting.accept(response));
    }
    return true;
  }

  /** Whoever hears of the newer one need not have heard of the older one, which said as much. */
  private static boolean replaces(CommandProto.Builder newer, CommandProto older) {
    boolean ofFlow =
        newer.hasPace()
            && older.hasPace()
            && newer.getPace().getFlow() == older.getPace().getFlow();
    boolean ofSlot =
        newer.hasShape()
            && older.hasShape()
            && newer.getShape().getSlot() == older.getShape().getSlot();
    return ofFlow || ofSlot;
  }

  /** Answers who has waited for long, and gives up who is silent. */
  @VisibleForTesting
  void tick() {
    long now = clock.getAsLong();
    List<Link> silent = new ArrayList<>();
    List<Consumer<PollResponseProto>> waited = new ArrayList<>();
    synchronized (this) {
      for (Link link : table.all()) {
        if (link.held != null && now - link.heldSince > HOLD) {
          waited.add(link.held);
          link.held = null;
        }
        if (now - link.heardAt > LONGEST_SILENCE) {
          silent.add(table.remove(link.daemon.uuid()));
        }
      }
    }
    waited.forEach(this::release);
    silent.forEach(this::leave);
  }

  private void leave(Link link) {
    if (link.held != null) {
      release(link.held);
    }
    guarded(() -> listener.lost(link.daemon));
  }

  /** Has something done after so many nanoseconds, unless this has ended by then. */
  synchronized void after(long nanos, Runnable part) {
    if (!closed) {
      ScheduledFuture<?> unused = timer.schedule(() -> guarded(part), nanos, TimeUnit.NANOSECONDS);
    }
  }

  /** Answers a call that was held with what there is to do, which is nothing. */
  private void release(Consumer<PollResponseProto> held) {
    guarded(() -> held.accept(response(List.of())));
  }

  /** Whatever becomes of one daemon, all others go on. */
  private static void guarded(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      if (WARNINGS.tryAcquire()) {
        LOG.warn("A prefetch daemon may have missed something (told at most once a minute)", e);
      }
    }
  }

  /** The daemon of a host. */
  synchronized Optional<Daemon> at(String host) {
    return Optional.ofNullable(table.at(host)).map(link -> link.daemon);
  }

  /** The daemon of a DataNode. */
  synchronized Optional<Daemon> of(String uuid) {
    return Optional.ofNullable(table.of(uuid)).map(link -> link.daemon);
  }

  /** One for each host. */
  synchronized List<Daemon> all() {
    return table.ofHosts();
  }

  /** What passes a host's link. */
  synchronized Load load(String host) {
    Link link = table.at(host);
    return link == null ? Load.UNKNOWN : link.load;
  }

  /** Whether a host's device keeps minimum rates, as its daemon says. */
  synchronized boolean isShaped(String host) {
    Link link = table.at(host);
    return link != null && link.isShaped;
  }

  /** Grows whenever a daemon comes or goes, or a link gets another capacity. */
  synchronized long version() {
    return table.version();
  }

  @Override
  public void close() {
    List<Link> all;
    synchronized (this) {
      closed = true;
      all = table.all();
      table.clear();
    }
    timer.shutdownNow();
    for (Link link : all) {
      if (link.held != null) {
        release(link.held);
      }
    }
  }
}
