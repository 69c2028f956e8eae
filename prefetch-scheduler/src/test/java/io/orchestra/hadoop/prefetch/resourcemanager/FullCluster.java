package io.orchestra.hadoop.prefetch.resourcemanager;

import io.orchestra.hadoop.prefetch.algorithm.shadow.Prediction;
import io.orchestra.hadoop.prefetch.algorithm.shadow.ShadowTask;
import io.orchestra.hadoop.prefetch.algorithm.shadow.SpeculativeRun.Pace;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;

/**
 * 1000 nodes with four slots, all taken by maps that end within the next ten seconds but for a few
 * with application masters, and as many maps waiting (the paper's section V-C measures with mock
 * jobs on such a cluster).
 */
final class FullCluster implements Closeable {
  static final int NODES = 1000;
  static final int SLOTS = 4;
  private static final long SECOND = 1_000_000_000;
  private static final long LAUNCH_DELAY = SECOND / 10;
  private static final long HORIZON = 10 * SECOND;
  private static final int RACKS = 25;
  private static final Resource SLOT = Resource.newInstance(1024, 1);
  private static final Resource MASTER = Resource.newInstance(256, 1);

  private final Random random = new Random(1);
  private final RealScheduler real;
  private final Map<ApplicationId, RealMaster> masters = new HashMap<>();
  private final Map<ApplicationId, JobView> views = new HashMap<>();
  private final Map<String, String> racks = new TreeMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  /**
   * @param maps of each application
   * @param delay threshold for nodes and racks; negative for none
   */
  FullCluster(int queues, int applicationsPerQueue, int maps, double delay) {
    this(FairScheduler.class, queues, applicationsPerQueue, maps, delay);
  }

  FullCluster(
      Class<? extends FairScheduler> type,
      int queues,
      int applicationsPerQueue,
      int maps,
      double delay) {
    Map<String, String> settings = new HashMap<>();
    settings.put("yarn.scheduler.fair.assignmultiple", "true");
    settings.put("yarn.scheduler.fair.dynamic.max.assign", "false");
    // As with Hadoop's default increment of 1024 MB: nodes are not reserved for so small
    // containers.
    settings.put("yarn.scheduler.reservation-threshold.increment-multiple", "8");
    if (delay >= 0) {
      settings.put("yarn.scheduler.fair.locality.threshold.node", String.valueOf(delay));
      settings.put("yarn.scheduler.fair.locality.threshold.rack", String.valueOf(delay));
    }
    StringBuilder file = new StringBuilder("<?xml version=\"1.0\"?><allocations>");
    for (int queue = 0; queue < queues; queue++) {
      file.append("<queue name=\"q%d\"><maxAMShare>-1.0</maxAMShare></queue>".formatted(queue));
    }
    real = new RealScheduler(type, file.append("</allocations>").toString(), settings);
    for (int node = 0; node < NODES; node++) {
      String host = "127.0.%d.%d".formatted(1 + node / 200, 1 + node % 200);
      racks.put(host, "/rack" + node % RACKS);
      numbers.put(host, node);
      real.addNode(host, racks.get(host), Resource.newInstance(SLOTS * 1024 + 512, 32));
    }
    fill(queues, applicationsPerQueue, maps);
  }

  private void fill(int queues, int applicationsPerQueue, int mapsEach) {
    int applications = queues * applicationsPerQueue;
    List<String> hosts = List.copyOf(racks.keySet());
    for (int number = 0; number < applications; number++) {
      real.at(number);
      ApplicationAttemptId attempt = real.submit(number + 1, "root.q" + number % queues, MASTER);
      List<ShadowTask> maps = new ArrayList<>();
      for (int map = 0; map < mapsEach; map++) {
        maps.add(map("job%d map%d".formatted(number, map), hosts));
      }
      masters.put(attempt.getApplicationId(), new RealMaster(attempt, SLOT, maps, racks));
    }
    Map<ApplicationId, Map<ContainerId, Long>> ends = new HashMap<>();
    int before = -1;
    for (int round = 0; round < 4 || launched(ends) > before; round++) {
      before = launched(ends);
      real.scheduler().update();
      hosts.forEach(host -> real.heartbeat(host, List.of()));
      masters.forEach((app, master) -> beat(app, master, ends));
    }
    real.scheduler().update();
    masters.forEach(
        (app, master) -> views.put(app, view(master, ends.getOrDefault(app, Map.of()))));
  }

  private static JobView view(RealMaster master, Map<ContainerId, Long> ends) {
    return new JobView(master.waiting(), master.served(), ends.keySet(), ends);
  }

  private void beat(
      ApplicationId app, RealMaster master, Map<ApplicationId, Map<ContainerId, Long>> ends) {
    for (RealMaster.Launch launch : master.heartbeat(real)) {
      Container container = launch.container();
      ends.computeIfAbsent(app, unused -> new HashMap<>()).put(container.getId(), randomEnd());
    }
  }

  private static int launched(Map<ApplicationId, Map<ContainerId, Long>> ends) {
    return ends.values().stream().mapToInt(Map::size).sum();
  }

  private ShadowTask map(String id, List<String> hosts) {
    List<String> replicas = new ArrayList<>();
    for (int replica = 0; replica < 3; replica++) {
      replicas.add(hosts.get(random.nextInt(hosts.size())));
    }
    replicas = replicas.stream().distinct().toList();
    return new ShadowTask(
        id,
        ShadowTask.MAP,
        replicas,
        replicas.stream().map(racks::get).distinct().toList(),
        (long) ((5 + 10 * random.nextDouble()) * SECOND));
  }

  List<String> hosts() {
    return List.copyOf(racks.keySet());
  }

  RealScheduler real() {
    return real;
  }

  FairScheduler scheduler() {
    return real.scheduler();
  }

  private Optional<JobView> view(ApplicationAttemptId attempt) {
    return Optional.ofNullable(views.get(attempt.getApplicationId()));
  }

  /** What is copied before the scheduler is locked. */
  AsksAhead asksAhead() {
    return real.asksAhead();
  }

  /** What the scheduler's lock is held for. */
  FairSnapshot snapshot(AsksAhead asks) {
    return real.snapshot(asks, this::view, paces());
  }

  /** The next ten seconds: heartbeats, scheduling with its delays, and matching. */
  static List<Prediction> foretold(FairSnapshot snapshot) {
    return snapshot.run(LAUNCH_DELAY, () -> false).until(HORIZON);
  }

  /**
   * What is known of the jobs, by their application masters.
   *
   * @param now nanoseconds of the clock of the tasks' ends
   */
  Map<ApplicationAttemptId, JobView> views(long now) {
    Map<ApplicationAttemptId, JobView> shifted = new HashMap<>();
    views.forEach(
        (app, view) -> shifted.put(ApplicationAttemptId.newInstance(app, 1), shifted(view, now)));
    return shifted;
  }

  private static JobView shifted(JobView view, long now) {
    Map<ContainerId, Long> ends = new HashMap<>();
    view.ends().forEach((container, end) -> ends.put(container, now + end));
    return new JobView(view.waitingMaps(), view.served(), view.reported(), ends);
  }

  /**
   * A map has ended, and is not known any more.
   *
   * @param now see {@link #views}
   * @return what is known of its job then
   */
  JobView ended(ContainerId container, long now) {
    return changed(container, ends -> ends.remove(container), now);
  }

  /**
   * A map has begun in a container that came free, and ends within the next ten seconds.
   *
   * @param now see {@link #views}
   * @return what is known of its job then
   */
  JobView begun(ContainerId container, long now) {
    return changed(container, ends -> ends.put(container, randomEnd()), now);
  }

  private JobView changed(
      ContainerId container, Consumer<Map<ContainerId, Long>> change, long now) {
    ApplicationId app = container.getApplicationAttemptId().getApplicationId();
    JobView view = views.get(app);
    Map<ContainerId, Long> ends = new HashMap<>(view.ends());
    change.accept(ends);
    JobView changed = new JobView(view.waitingMaps(), view.served(), ends.keySet(), ends);
    views.put(app, changed);
    return shifted(changed, now);
  }

  private long randomEnd() {
    return (long) (random.nextDouble() * 10 * SECOND);
  }

  private Paces paces() {
    return new Paces() {
      @Override
      public Pace updates() {
        return new Pace(SECOND / 10, SECOND / 2);
      }

      @Override
      public Optional<Pace> node(SchedulerNode node) {
        long first = numbers.get(node.getNodeID().getHost()) * SECOND / NODES;
        return Optional.of(new Pace(first, SECOND));
      }

      @Override
      public Pace master(ApplicationAttemptId attempt) {
        return new Pace(attempt.getApplicationId().getId() % 1000 * SECOND / 1000, SECOND);
      }
    };
  }

  @Override
  public void close() {
    real.close();
  }
}
