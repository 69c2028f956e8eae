package io.orchestra.hadoop.prefetch.resourcemanager;

import com.google.common.annotations.VisibleForTesting;
import io.orchestra.hadoop.core.blockcache.BlockKey;
import io.orchestra.hadoop.core.daemon.DutyCycle;
import io.orchestra.hadoop.core.daemon.LogText;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.PrefetchConfig;
import io.orchestra.hadoop.prefetch.algorithm.flow.Allotments;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchFlow;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchNeed;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Decision;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.End;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.Outcome;
import io.orchestra.hadoop.prefetch.algorithm.flow.RateDriver;
import io.orchestra.hadoop.prefetch.algorithm.flow.Waiting;
import io.orchestra.hadoop.prefetch.algorithm.shadow.DoubtfulUsers;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Locality;
import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.algorithm.shadow.RecentLaunches;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Daemon;
import io.orchestra.hadoop.prefetch.resourcemanager.Daemons.Load;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchScore.Score;
import io.orchestra.hadoop.prefetch.resourcemanager.LaunchedMaps.Launched;
import io.orchestra.hadoop.prefetch.resourcemanager.Speculation.Foresight;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes predictions come to something: asks for what maps will read away from their host, decides
 * what is brought at which rate, and tells the daemons. Safe for concurrent use.
 */
final class Prefetching implements Daemons.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Prefetching.class);

  /** Between two looks at what flows that have ended, or that maps read, leave to others. */
  private static final long LEAST_PAUSE = Duration.ofMillis(100).toNanos();

  /** Of a link; rates of flows are not changed for as little. */
  private static final int NOTICEABLE_PART = 50;

  /** So much longer than these looks are the pauses, on average. */
  private static final int REST = 20;

  /** Of a map that has begun to read, whatever its job's maps are said to take. */
  private static final long LONGEST_READING = Duration.ofMinutes(5).toNanos();

  private final PrefetchConfig.Fetching config;
  private final TaskInputs inputs;
  private final Daemons daemons;
  private final LongSupplier clock;
  private final RateDriver driver;

  // Guarded by this.
  private final Allotments books;
  private final PrefetchPlanner planner;
  private final LaunchedMaps launched;
  private final DoubtfulUsers doubtful;
  private final RecentLaunches recent = new RecentLaunches();
  private final OtherTraffic others;
  private Map<String, JobState> jobs = new HashMap<>();
  private long networkVersion = -1;
  private boolean areRatesOld;

  /** Whether old rates are looked at soon, whoever tells anything. */
  private boolean isPaceDue;

  private boolean isDriverBehind;
  private long pacedAt;
  private long pause = LEAST_PAUSE;
  private final DutyCycle pacing = new DutyCycle(REST);

  private volatile Figures figures = new Figures(Map.of(), Map.of(), Score.NONE, 0, 0, 0);

  /**
   * For metrics.
   *
   * @param outcomes how often needs came to what
   * @param confirmed the same of needs of maps that had their containers already
   * @param launches so far
   * @param flows on their way
   * @param waiting blocks that wait, for whatever it is
   * @param doubtful users for whom nothing begins, since their launches come otherwise
   */
  record Figures(
      Map<Outcome, Long> outcomes,
      Map<Outcome, Long> confirmed,
      Score launches,
      int flows,
      int waiting,
      int doubtful) {}

  /**
   * A map that has got its container.
   *
   * @param local whether its host has its input
   * @param foretold host on which it was foretold, away from its input, when there was time to
   *     bring that; empty if it was not
   */
  record Assignment(String map, String host, boolean local, String foretold) {}

  /**
   * @param clock nanoseconds, that of predictions
   */
  Prefetching(
      PrefetchConfig.Fetching config,
      TaskInputs inputs,
      Daemons daemons,
      LongSupplier clock,
      RateDriver driver) {
    this.config = config;
    this.inputs = inputs;
    this.daemons = daemons;
    this.clock = clock;
    this.driver = driver;
    books = new Allotments(NetworkTree.builder().build(), config.usableShare(), this::otherTraffic);
    planner = new PrefetchPlanner(books, this::residual, config.cardinal(), config.steadiness());
    launched = new LaunchedMaps(this::shares);
    doubtful = new DoubtfulUsers(config.leastPrecision(), clock);
    others = new OtherTraffic(planner::carried, daemons::newsPause);
    pacedAt = clock.getAsLong();
  }

  /** Where nobody holds it back: flows are paced, and whatever else passes the link goes on. */
  private long otherTraffic(Link link) {
    if (config.yieldShare() == 0 || driver.guarantees(link)) {
      return 0;
    }
    return (long) (others.on(link, clock.getAsLong()) * config.yieldShare());
  }

  private String user(String job) {
    JobState state = jobs.get(job);
    return state == null ? "" : state.user();
  }

  private long residual(String job) {
    JobState state = jobs.get(job);
    return state == null ? Long.MAX_VALUE : state.residual();
  }

  /** A new prediction replaces all before it. */
  synchronized void foretold(Foresight foresight) {
    jobs = new HashMap<>(foresight.jobs());
    launched.look(clock.getAsLong());
    refreshNetwork();
    List<PrefetchNeed> needs = new ArrayList<>();
    Set<PrefetchPlanner.Launch> held = new HashSet<>();
    Set<String> doubted = doubtful.names();
    boolean mayBegin = false;
    for (Prediction launch : recent.ahead(foresight.predictions(), foresight.takenAt())) {
      if (launch.locality() != Locality.NODE_LOCAL) {
        List<PrefetchNeed> own = needs(launch.app(), launch.task(), launch.node(), launch.nanos());
        needs.addAll(own);
        boolean isHeld =
            doubted.contains(user(launch.app())) || isUnknown(launch.app(), launch.task());
        mayBegin |= !isHeld && !own.isEmpty();
        if (isHeld) {
          held.add(new PrefetchPlanner.Launch(launch.app(), launch.task(), launch.node()));
        }
      } else {
        // It may come otherwise, and then there is no time to ask.
        if (config.confirmed()) {
          blocks(launch.app(), launch.task());
        }
        if (config.cardinal() == Cardinal.Mode.PREEMPTIVE) {
          // A copy elsewhere stands still. In other modes it would end at once, for its rate.
          held.add(new PrefetchPlanner.Launch(launch.app(), launch.task(), launch.node()));
        }
      }
    }
    pacedAt = clock.getAsLong();
    areRatesOld = false;
    isDriverBehind = true;
    if (mayBegin || !planner.progress().isEmpty()) {
      daemons.busy();
    }
    issue(planner.plan(needs, held, pacedAt));
    planner.postpone(this::send);
    planner.withoutReplica().forEach(this::lookForReplicas);
    publish(doubted.size());
    paceSoon(pacedAt);
  }

  private void publish(int doubted) {
    figures =
        new Figures(
            planner.outcomes(),
            planner.confirmedOutcomes(),
            launched.score(),
            planner.flows().size(),
            planner.waiting().size(),
            doubted);
  }

  /**
   * What there was after the last prediction. Nobody waits for it: threads of the scheduler may
   * wait for whoever collects metrics.
   */
  Figures figures() {
    return figures;
  }

  private void lookForReplicas(PrefetchNeed need) {
    lookForReplicas(need.job(), need.task());
  }

  private void lookForReplicas(String job, String task) {
    MapNames.task(task).ifPresent(number -> inputs.lookForReplicas(job, number));
  }

  /**
   * @param launch nanoseconds when the task is launched
   */
  private List<PrefetchNeed> needs(String job, String task, String host, long launch) {
    Optional<Daemon> target = daemons.at(host);
    List<PrefetchNeed> needs = new ArrayList<>();
    for (InputBlockProto block :
        target.isPresent() ? blocks(job, task) : List.<InputBlockProto>of()) {
      Set<String> replicas = replicas(block);
      if (replicas.isEmpty()) {
        lookForReplicas(job, task);
      } else if (!replicas.contains(host)) {
        needs.add(
            new PrefetchNeed(
                task,
                job,
                key(block).toString(),
                host,
                replicas,
                block.getLength(),
                launch,
                launch + config.readDelay().toNanos() + readingNanos(job)));
      }
    }
    return needs;
  }

  /** For so long after a map of this job has begun to read its block may still come. */
  private long readingNanos(String job) {
    JobState state = jobs.get(job);
    long reading = state == null ? 0 : state.mapNanos() - config.readDelay().toNanos();
    return Math.min(LONGEST_READING, (long) (Math.max(0, reading) * config.readingShare()));
  }

  /** A launch that nothing would have been brought for tells nothing. */
  private void judge(String job, Assignment launch) {
    String user = user(job);
    if (!user.isEmpty() && wouldBring(job, launch.map(), launch.foretold())) {
      doubtful.launched(user, launch.foretold().equals(launch.host()));
    }
  }

  private boolean wouldBring(String job, String task, String host) {
    return daemons.at(host).isPresent()
        && input(job, task).stream()
            .map(this::replicas)
            .anyMatch(replicas -> !replicas.isEmpty() && !replicas.contains(host));
  }

  /** What a map reads, as far as it is known. */
  private List<InputBlockProto> input(String job, String task) {
    OptionalInt number = MapNames.task(task);
    return number.isPresent()
        ? inputs.of(job, number.getAsInt()).orElse(List.of())
        : List.<InputBlockProto>of();
  }

  /** How much of each block that a launched map has to fetch is on its host. */
  private List<PrefetchPlanner.Share> shares(Launched map) {
    List<PrefetchPlanner.Share> shares =
        new ArrayList<>(planner.shares(map.job(), map.task(), map.host()));
    for (InputBlockProto block : input(map.job(), map.task())) {
      boolean isFetched = !replicas(block).contains(map.host());
      if (isFetched && !planner.brings(map.job(), map.task(), key(block).toString(), map.host())) {
        shares.add(new PrefetchPlanner.Share(0, block.getLength(), false));
      }
    }
    return shares;
  }

  /** What a map reads; its application master is asked if that is not known. */
  private List<InputBlockProto> blocks(String job, String task) {
    OptionalInt number = MapNames.task(task);
    if (number.isEmpty()) {
      return List.of();
    }
    Optional<List<InputBlockProto>> known = inputs.of(job, number.getAsInt());
    if (known.isEmpty()) {
      inputs.want(job, number.getAsInt());
    }
    return known.orElse(List.of());
  }

  /** Whether an application master has still to say what a map reads. */
  private boolean isUnknown(String job, String task) {
    OptionalInt number = MapNames.task(task);
    return number.isPresent() && inputs.of(job, number.getAsInt()).isEmpty();
  }

  private Set<String> replicas(InputBlockProto block) {
    return block.getReplicasList().stream()
        .flatMap(uuid -> daemons.of(uuid).stream())
        .map(Daemon::host)
        .collect(Collectors.toSet());
  }

  private static BlockKey key(InputBlockProto block) {
    return new BlockKey(block.getPool(), block.getId(), block.getGenerationStamp());
  }

  private void refreshNetwork() {
    long version = daemons.version();
    if (version == networkVersion) {
      return;
    }
    networkVersion = version;
    NetworkTree changed = HostNetwork.of(daemons, config);
    // Those who are gone may not have been told of as lost yet.
    lose(host -> changed.findHost(host).isEmpty());
    books.network(changed);
  }

  /** What a map reads goes on: the DataNode that gives it may be there where its daemon is not. */
  private void lose(Predicate<String> hosts) {
    planner.lost(hosts, clock.getAsLong());
    planner.flows().stream().filter(flow -> hosts.test(flow.source())).forEach(this::loseSource);
    planner.forgive(hosts);
    areRatesOld = true;
    isDriverBehind = true;
  }

  /** Its target may still copy, and would take the next flow of this block for the same. */
  private void loseSource(PrefetchFlow flow) {
    boolean unused = send(new Command.Cancel(flow));
    ended(flow.id(), End.FAILED);
  }

  private void ended(Daemon daemon, FlowProto flow, End how) {
    if (how != End.ARRIVED) {
      LOG.debug(
          "{} has ended the flow {}: {}", daemon, flow.getFlow(), LogText.of(flow.getReason()));
    }
    ended(flow.getFlow(), how);
  }

  private void ended(long flow, End how) {
    if (how == End.FAILED) {
      planner.need(flow).ifPresent(this::lookForReplicas);
    }
    planner.ended(flow, how, clock.getAsLong());
    areRatesOld = true;
    isDriverBehind = true;
  }

  private void issue(List<Command> commands) {
    isDriverBehind |= !commands.isEmpty();
    for (Command command : commands) {
      if (!send(command)) {
        giveUp(command);
      }
    }
    follow();
  }

  /** Its daemon has not heard of it. */
  private void giveUp(Command command) {
    if (command instanceof Command.Start start && start.before().isPresent()) {
      planner.notMoved(start, clock.getAsLong());
      areRatesOld = true;
    } else {
      ended(command.flow().id(), End.LOST);
    }
  }

  /**
   * @return false if its daemon does not listen, or it cannot be said
   */
  private boolean send(Command command) {
    try {
      Optional<CommandProto.Builder> message = message(command);
      Optional<Daemon> target = daemons.at(command.flow().target());
      return message.isPresent()
          && target.isPresent()
          && daemons.send(target.get().uuid(), message.get());
    } catch (RuntimeException e) {
      // The other commands are other jobs'.
      LOG.debug("{} is given up", command, e);
      return false;
    }
  }

  private Optional<CommandProto.Builder> message(Command command) {
    if (command instanceof Command.Start start) {
      return startMessage(start);
    } else if (command instanceof Command.Pace pace) {
      return Optional.of(
          CommandMessages.pace(pace, rate(pace.rate()), pace.deadline() - clock.getAsLong()));
    }
    return Optional.of(CommandMessages.cancel(command.flow().id()));
  }

  private long rate(long planned) {
    return isPacing() ? planned : Command.UNPACED;
  }

  /** Whether daemons are told the rates that are planned, or to take all they can get. */
  boolean isPacing() {
    return config.cardinal() != Cardinal.Mode.OFF;
  }

  private Optional<CommandProto.Builder> startMessage(Command.Start start) {
    PrefetchNeed need = start.need();
    Optional<InputBlockProto> block =
        blocks(need.job(), need.task()).stream()
            .filter(known -> key(known).toString().equals(need.block()))
            .findFirst();
    Optional<Daemon> source = daemons.at(start.flow().source());
    JobState job = jobs.get(need.job());
    if (block.isEmpty() || source.isEmpty() || job == null) {
      return Optional.empty();
    }
    return Optional.of(
        CommandMessages.start(
            start,
            rate(start.rate()),
            block.get(),
            job.user(),
            Stream.concat(
                    source.stream(),
                    start.before().flatMap(before -> daemons.at(before.source())).stream())
                .toList(),
            driver.begin(start.flow(), books.path(start.flow())),
            need.deadline() - clock.getAsLong()));
  }

  /**
   * Maps of a job have got their containers. Nothing begins for the one in what another leaves.
   *
   * @param seen of the job, which counts if no prediction has seen that; without a user if it has
   *     just ended
   */
  synchronized void launched(String job, JobState seen, List<Assignment> maps) {
    long now = clock.getAsLong();
    if (!seen.user().isEmpty()) {
      jobs.putIfAbsent(job, seen);
    }
    long readsAt = now + config.readDelay().toNanos() + readingNanos(job);
    for (Assignment each : maps) {
      recent.launched(job, each.map(), now);
      judge(job, each);
      issue(planner.launched(job, each.map(), each.host(), now));
      launched.add(new Launched(job, each.map(), each.host(), each.local(), readsAt));
    }
    areRatesOld = true;
    if (config.confirmed()) {
      maps.stream()
          .filter(each -> !each.local())
          .flatMap(each -> needs(job, each.map(), each.host(), now).stream())
          .forEach(need -> confirm(need, now));
    }
    paceSoon(now);
  }

  private void confirm(PrefetchNeed need, long now) {
    List<Command> commands = planner.confirm(need, now);
    if (!commands.isEmpty()) {
      daemons.busy();
    }
    issue(commands);
  }

  /** A map has begun to read: its blocks wait for as long as that may take, and no longer. */
  synchronized void reading(String job, String task) {
    planner.reads(job, task, clock.getAsLong());
  }

  /** A map does not run any more: soon nobody brings what it has not read. */
  synchronized void ended(String job, String task) {
    planner.left(job, task);
  }

  @Override
  public synchronized void told(Daemon daemon, Optional<Load> load, List<FlowProto> flows) {
    long now = clock.getAsLong();
    List<FlowProto> known =
        flows.stream()
            .filter(flow -> planner.target(flow.getFlow()).equals(Optional.of(daemon.host())))
            .toList();
    flows.stream()
        .filter(flow -> flow.getState() == FlowProto.State.COPYING)
        .filter(flow -> planner.target(flow.getFlow()).isEmpty())
        .forEach(flow -> giveUp(daemon, flow.getFlow()));
    known.forEach(flow -> planner.progress(flow.getFlow(), flow.getBytes(), now));
    // Those that have ended since are part of the load, too.
    load.map(measured -> measured.within(HostNetwork.capacity(measured, config)))
        .ifPresent(measured -> others.told(daemon.host(), daemon.rack(), measured, now));
    for (FlowProto flow : known) {
      end(flow).ifPresent(how -> ended(daemon, flow, how));
    }
    paceSoon(now);
    launched.look(now);
  }

  /**
   * If rates are old others are found, now or after a pause. That waits for nobody's news, which is
   * seldom where nothing changes.
   */
  private void paceSoon(long now) {
    long early = pacedAt + pause - now;
    if (areRatesOld && early <= 0) {
      // Nothing begins from a host, or to one, that has just been lost.
      refreshNetwork();
      pacedAt = now;
      areRatesOld = false;
      issue(planner.pace(now));
      pause = Math.max(LEAST_PAUSE, pacing.pauseAfter(clock.getAsLong() - now));
    } else if (areRatesOld && !isPaceDue) {
      isPaceDue = true;
      daemons.after(early, this::paceNow);
    }
    follow();
  }

  private synchronized void paceNow() {
    isPaceDue = false;
    paceSoon(clock.getAsLong());
  }

  @Override
  public long noticeable(Load load) {
    return HostNetwork.capacity(load, config) / NOTICEABLE_PART;
  }

  /** It was given up while its daemon was silent, or did not listen. */
  private void giveUp(Daemon daemon, long flow) {
    if (!daemons.send(daemon.uuid(), CommandMessages.cancel(flow))) {
      LOG.debug("{} goes on with the flow {} until it tells of it again", daemon, flow);
    }
  }

  /** All copies are looked at for it: only if any has begun, ended or got another rate since. */
  private void follow() {
    if (isDriverBehind && driver.guarantees()) {
      driver.follow(Set.copyOf(planner.flows()), books::rate);
    }
    isDriverBehind = false;
  }

  private Optional<End> end(FlowProto flow) {
    if (flow.getExpired()) {
      return Optional.of(End.LOST);
    }
    return switch (flow.getState()) {
      case COPYING -> Optional.empty();
      case ARRIVED, HERE -> Optional.of(End.ARRIVED);
      case FAILED -> Optional.of(End.FAILED);
      case FORBIDDEN -> Optional.of(isTokenDropped(flow) ? End.LOST : End.DECLINED);
      case DECLINED -> Optional.of(End.DECLINED);
      case NO_ROOM -> Optional.of(End.NO_ROOM);
    };
  }

  /** It may have expired; with a new one the block may come. */
  private boolean isTokenDropped(FlowProto flow) {
    Optional<PrefetchNeed> need = planner.need(flow.getFlow());
    OptionalInt map = need.isPresent() ? MapNames.task(need.get().task()) : OptionalInt.empty();
    return map.isPresent() && inputs.dropToken(need.get().job(), map.getAsInt());
  }

  @Override
  public synchronized void lost(Daemon daemon) {
    lose(daemon.host()::equals);
    others.forget(daemon.host());
    driver.lost(daemon.host());
    paceSoon(clock.getAsLong());
  }

  /** How often needs came to what. */
  synchronized Map<Outcome, Long> outcomes() {
    return planner.outcomes();
  }

  /** The same of needs of maps that had their containers already. */
  synchronized Map<Outcome, Long> confirmedOutcomes() {
    return planner.confirmedOutcomes();
  }

  /** Launches so far. */
  synchronized Score score() {
    return launched.score();
  }

  /** Of jobs of late, by the names of their applications. */
  synchronized Map<String, Score> scores() {
    return launched.jobs();
  }

  /** For whom nothing begins that is foretold, since their launches come otherwise. */
  synchronized Set<String> doubtful() {
    return doubtful.names();
  }

  /** What was decided last, the oldest first. */
  synchronized List<Decision> decisions() {
    return planner.decisions();
  }

  /** How many blocks wait, for whatever it is. */
  @VisibleForTesting
  synchronized int waiting() {
    return planner.waiting().size();
  }

  /** How many blocks wait for what. */
  synchronized Map<Waiting, Long> waitingFor() {
    return planner.waitingFor();
  }

  /** Flows on their way. */
  synchronized List<PrefetchPlanner.Progress> flows() {
    return planner.progress();
  }
}
