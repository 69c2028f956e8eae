package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun.Pace;
import io.orchestra.hadoop.prefetch.resourcemanager.RealMaster.Launch;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;

/**
 * A small cluster with random nodes, queues, jobs and settings under a real scheduler. Time is
 * counted, heartbeats are regular, and tasks take as long as was drawn for them.
 */
final class RandomCluster implements Closeable {
  private static final long MILLI = 1_000_000;
  private static final long LAUNCH_DELAY = 100;
  private static final String ROOT = "root";
  private static final List<String> PARENTS = List.of(ROOT, ROOT + ".p0", ROOT + ".p1");

  private record Event(long millis, int order, long period, Runnable action) {}

  private final Random random;
  private final RealScheduler real;
  private final Map<String, String> rackOf = new TreeMap<>();
  private final Map<ContainerId, Long> ends = new LinkedHashMap<>();
  private final Map<ContainerId, String> hostOf = new HashMap<>();
  private final List<RealMaster> masters = new ArrayList<>();
  private final Map<Object, Event> next = new HashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::millis).thenComparingInt(Event::order));
  private final List<Prediction> launches = new ArrayList<>();
  private final String description;
  private int order;
  private long now;

  RandomCluster(long seed) {
    this(FairScheduler.class, seed);
  }

  RandomCluster(Class<? extends FairScheduler> type, long seed) {
    this(type, seed, Map.of());
  }

  /**
   * @param more settings beside those that are drawn
   */
  RandomCluster(Class<? extends FairScheduler> type, long seed, Map<String, String> more) {
    this(type, seed, more, 0, false);
  }

  /** The same cluster, and jobs have some reduces, too. */
  static RandomCluster withReduces(long seed) {
    return new RandomCluster(FairScheduler.class, seed, Map.of(), 2, false);
  }

  /** The same cluster, whose queues are below others for the most part. */
  static RandomCluster withNestedQueues(long seed) {
    return new RandomCluster(FairScheduler.class, seed, Map.of(), 0, true);
  }

  private RandomCluster(
      Class<? extends FairScheduler> type,
      long seed,
      Map<String, String> more,
      int mostReduces,
      boolean isNested) {
    random = new Random(seed);
    // Drawn apart, so that all else is the same.
    PrimitiveIterator.OfInt reduces = new Random(seed).ints(0, mostReduces + 1).iterator();
    Random nesting = new Random(seed);
    Map<String, String> settings = new TreeMap<>();
    boolean multiple = random.nextBoolean();
    settings.put("yarn.scheduler.fair.assignmultiple", String.valueOf(multiple));
    settings.put("yarn.scheduler.fair.dynamic.max.assign", String.valueOf(random.nextBoolean()));
    settings.put("yarn.scheduler.fair.max.assign", String.valueOf(random.nextInt(4) - 1));
    settings.put("yarn.scheduler.fair.sizebasedweight", String.valueOf(random.nextBoolean()));
    if (random.nextBoolean()) {
      settings.put("yarn.scheduler.fair.locality.threshold.node", delay());
      settings.put("yarn.scheduler.fair.locality.threshold.rack", delay());
    }
    // Should it be started, it does nothing by itself but run its shadow.
    settings.put("yarn.scheduler.fair.update-interval-ms", "3600000");
    settings.put("orchestra.prefetch.interval", "100ms");
    settings.putAll(more);
    int queues = 1 + random.nextInt(4);
    List<String> parents = new ArrayList<>();
    for (int queue = 0; queue < queues; queue++) {
      parents.add(isNested ? PARENTS.get(nesting.nextInt(PARENTS.size())) : ROOT);
    }
    String file = allocations(parents, nesting);
    description = "seed %s, %s, %s".formatted(seed, settings, file);
    real = new RealScheduler(type, file, settings);
    addNodes();
    every(500, "updates", real.scheduler()::update);
    for (int number = 1; number <= 3 + random.nextInt(8); number++) {
      int queue = random.nextInt(queues);
      submit(number, "%s.q%d".formatted(parents.get(queue), queue), reduces.nextInt());
    }
    for (String host : rackOf.keySet()) {
      every(1000, host, () -> heartbeat(host));
    }
  }

  private String delay() {
    return String.valueOf(random.nextInt(10) / 10.0);
  }

  /**
   * @param parents of the queues
   * @param nesting draws what parents are like
   */
  private String allocations(List<String> parents, Random nesting) {
    StringBuilder file = new StringBuilder("<?xml version=\"1.0\"?>\n<allocations>\n");
    String policy = random.nextInt(3) == 0 ? "drf" : "fair";
    file.append(
        "<defaultQueueSchedulingPolicy>%s</defaultQueueSchedulingPolicy>".formatted(policy));
    Map<String, StringBuilder> queues = new TreeMap<>();
    for (int queue = 0; queue < parents.size(); queue++) {
      queues.computeIfAbsent(parents.get(queue), unused -> new StringBuilder()).append(leaf(queue));
    }
    queues.forEach(
        (parent, leaves) ->
            file.append(parent.equals(ROOT) ? leaves : parent(parent, leaves, nesting)));
    return file.append("</allocations>\n").toString();
  }

  private String leaf(int queue) {
    StringBuilder leaf = new StringBuilder("<queue name=\"q%d\">".formatted(queue));
    leaf.append("<weight>%d</weight>".formatted(1 + random.nextInt(3)));
    if (random.nextInt(3) == 0) {
      leaf.append("<maxResources>%d mb,%d vcores</maxResources>".formatted(8192, 40));
    }
    if (random.nextInt(3) == 0) {
      leaf.append("<minResources>%d mb,2 vcores</minResources>".formatted(4096));
    }
    if (random.nextInt(4) == 0) {
      leaf.append("<schedulingPolicy>fifo</schedulingPolicy>");
    }
    return leaf.append("<maxAMShare>-1.0</maxAMShare></queue>\n").toString();
  }

  /** With the default policy: not every one may be below every other. */
  private static String parent(String path, CharSequence leaves, Random nesting) {
    String name = path.substring(ROOT.length() + 1);
    StringBuilder parent = new StringBuilder("<queue name=\"%s\" type=\"parent\">".formatted(name));
    parent.append("<weight>%d</weight>".formatted(1 + nesting.nextInt(3)));
    if (nesting.nextInt(3) == 0) {
      parent.append("<maxResources>%d mb,%d vcores</maxResources>".formatted(16384, 80));
    }
    if (nesting.nextInt(3) == 0) {
      parent.append("<minResources>%d mb,3 vcores</minResources>".formatted(6144));
    }
    return parent.append('\n').append(leaves).append("</queue>\n").toString();
  }

  private void addNodes() {
    int racks = 1 + random.nextInt(3);
    int nodes = 4 + random.nextInt(10);
    for (int node = 0; node < nodes; node++) {
      String host = "127.0.0." + (10 + node);
      String rack = "/rack" + node % racks;
      rackOf.put(host, rack);
      real.addNode(host, rack, Resource.newInstance(1024 * (2 + random.nextInt(3)), 8));
    }
  }

  private void submit(int number, String queue, int reduces) {
    now = number;
    real.at(now);
    Resource size = Resource.newInstance(256 * (1 + random.nextInt(8)), 1 + random.nextInt(2));
    ApplicationAttemptId attempt = real.submit(number, queue, Resource.newInstance(256, 1));
    List<ShadowTask> maps = new ArrayList<>();
    int count = 1 + random.nextInt(30);
    long length = 2000L + random.nextInt(8000);
    for (int map = 0; map < count; map++) {
      maps.add(map("job%d map%d".formatted(number, map), length));
    }
    RealMaster master = new RealMaster(attempt, size, maps, rackOf, reduces);
    masters.add(master);
    every(1000, attempt, () -> heartbeat(master));
  }

  private ShadowTask map(String id, long length) {
    List<String> hosts = new ArrayList<>(rackOf.keySet());
    TreeSet<String> replicas = new TreeSet<>();
    TreeSet<String> racks = new TreeSet<>();
    for (int replica = 0; replica < 1 + random.nextInt(2); replica++) {
      String host = hosts.get(random.nextInt(hosts.size()));
      replicas.add(host);
      racks.add(rackOf.get(host));
    }
    long millis = (long) (length * (0.8 + 0.4 * random.nextDouble()));
    return new ShadowTask(
        id, ShadowTask.MAP, List.copyOf(replicas), List.copyOf(racks), millis * MILLI);
  }

  private void every(long period, Object whose, Runnable action) {
    add(whose, new Event(now + random.nextInt((int) period), order++, period, action));
  }

  private void add(Object whose, Event event) {
    next.put(whose, event);
    events.add(event);
  }

  private void heartbeat(String host) {
    List<ContainerId> ended =
        ends.entrySet().stream()
            .filter(end -> end.getValue() <= now && hostOf.get(end.getKey()).equals(host))
            .map(Map.Entry::getKey)
            .toList();
    ended.forEach(ends::remove);
    real.heartbeat(host, ended);
  }

  private void heartbeat(RealMaster master) {
    for (Launch launch : master.heartbeat(real)) {
      String host = launch.container().getNodeId().getHost();
      long start = now + LAUNCH_DELAY;
      ends.put(launch.container().getId(), start + launch.task().nanosHere() / MILLI);
      hostOf.put(launch.container().getId(), host);
      launches.add(
          new Prediction(
              host,
              start * MILLI,
              master.attempt().getApplicationId().toString(),
              launch.task().id(),
              launch.locality()));
    }
  }

  /** Lets time pass. */
  void runUntil(long millis) {
    while (events.peek().millis() < millis) {
      Event event = events.remove();
      now = event.millis();
      real.at(now);
      event.action().run();
      Object whose =
          next.entrySet().stream()
              .filter(entry -> entry.getValue() == event)
              .findFirst()
              .orElseThrow()
              .getKey();
      add(whose, new Event(now + event.period(), event.order(), event.period(), event.action()));
    }
  }

  /** All nodes are heard of, and get nothing. */
  void beat() {
    rackOf.keySet().forEach(real::beat);
  }

  /** Maps launched since the last call. */
  List<Prediction> launches() {
    List<Prediction> since = List.copyOf(launches);
    launches.clear();
    return since;
  }

  /** What the shadow foretells of maps from now on. */
  List<Prediction> foretold(long untilMillis) {
    return foretold(real.asksAhead(), untilMillis);
  }

  /**
   * @param asks copied now or before, and used up
   */
  List<Prediction> foretold(AsksAhead asks, long untilMillis) {
    return real
        .snapshot(asks, this::view, new RegularPaces())
        .run(LAUNCH_DELAY * MILLI, () -> false)
        .until(untilMillis * MILLI)
        .stream()
        .filter(Prediction::isOfMap)
        .toList();
  }

  FairScheduler scheduler() {
    return real.scheduler();
  }

  /** Tells the shadow of a FlexFetchScheduler what the jobs' application masters would. */
  void report(Jobs jobs) {
    for (RealMaster master : masters) {
      view(master.attempt()).ifPresent(view -> jobs.put(master.attempt(), view));
    }
  }

  boolean allMastersRun() {
    return masters.stream().allMatch(RealMaster::started);
  }

  private Optional<JobView> view(ApplicationAttemptId attempt) {
    return masters.stream()
        .filter(master -> master.attempt().equals(attempt))
        .filter(RealMaster::started)
        .findFirst()
        .map(
            master -> new JobView(master.waiting(), master.served(), ends.keySet(), endsInNanos()));
  }

  private Map<ContainerId, Long> endsInNanos() {
    Map<ContainerId, Long> nanos = new HashMap<>();
    ends.forEach((container, millis) -> nanos.put(container, millis * MILLI));
    return nanos;
  }

  @Override
  public String toString() {
    return description;
  }

  @Override
  public void close() {
    real.close();
  }

  private final class RegularPaces implements Paces {
    @Override
    public Pace updates() {
      return pace("updates");
    }

    @Override
    public Optional<Pace> node(SchedulerNode node) {
      return Optional.of(pace(node.getNodeID().getHost()));
    }

    @Override
    public Pace master(ApplicationAttemptId attempt) {
      return pace(attempt);
    }

    private Pace pace(Object whose) {
      Event event = next.get(whose);
      return new Pace(event.millis() * MILLI, event.period() * MILLI);
    }
  }
}
