package io.orchestra.hadoop.prefetch.algorithm.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal.Mode;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Pace;
import io.orchestra.hadoop.prefetch.algorithm.flow.Command.Start;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchPlanner.End;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random predictions, launches, ends of copies, and daemons that are slow, silent, or gone. */
final class PrefetchPlannerRandomTest {
  private static final long SECOND = 1_000_000_000;
  private static final NetworkTree NETWORK =
      NetworkTree.builder()
          .host("a", "/r1", 100)
          .host("b", "/r1", 100)
          .host("c", "/r2", 100)
          .host("d", "/r2", 100)
          .switchCapacity("/r1", 120)
          .switchCapacity("/r2", 120)
          .build();

  private static final NetworkTree WITHOUT_D =
      NetworkTree.builder()
          .host("a", "/r1", 100)
          .host("b", "/r1", 100)
          .host("c", "/r2", 100)
          .switchCapacity("/r1", 120)
          .switchCapacity("/r2", 120)
          .build();

  /** Flows that nobody reads yet, as daemons know them. */
  private static final class Flows {
    private static final long SILENCE = 5 * SECOND;

    private final Map<Long, Long> rates = new HashMap<>();
    private final Map<Long, Double> bytes = new HashMap<>();
    private final Map<Long, Long> heardAt = new HashMap<>();

    /** Of blocks that tasks read, or that wait for them. */
    private final Set<Long> kept = new HashSet<>();

    private long now;

    /** Those that nobody hears of for too long are given up by the next plan. */
    void goOn(long nanos) {
      now += nanos;
      rates.forEach((flow, rate) -> bytes.merge(flow, (double) rate * nanos / SECOND, Double::sum));
      rates.keySet().removeIf(flow -> now - heardAt.get(flow) > SILENCE);
    }

    void obey(List<Command> commands) {
      commands.forEach(this::obey);
    }

    boolean hear(Command command) {
      obey(command);
      return true;
    }

    private void obey(Command command) {
      long flow = command.flow().id();
      if (command instanceof Start start) {
        start(start);
      } else if (command instanceof Pace pace) {
        boolean isOnItsWay = rates.replace(flow, pace.rate()) != null;
        assertThat(isOnItsWay || kept.contains(flow)).as("paced before it started").isTrue();
      } else {
        assertThat(rates.remove(flow)).as("cancelled before it started").isNotNull();
      }
    }

    private void start(Start start) {
      long flow = start.flow().id();
      boolean isRead = start.rate() == Command.UNPACED;
      bytes.put(flow, 0.0);
      heardAt.put(flow, now);
      if (start.before().isPresent()) {
        long before = start.before().get().id();
        bytes.put(flow, bytes.get(before));
        boolean isKnown = isRead ? kept.remove(before) : rates.remove(before) != null;
        assertThat(isKnown).as("moved before it started").isTrue();
      }
      if (isRead) {
        kept.add(flow);
      } else {
        assertThat(rates.put(flow, start.rate())).as("started twice").isNull();
      }
    }

    /** With a host goes all that it brings, and nobody brings anything from there. */
    void lose(PrefetchPlanner planner, String host) {
      List<PrefetchFlow> before = planner.flows();
      planner.lost(host::equals, now);
      for (PrefetchFlow flow : before) {
        if (flow.source().equals(host)) {
          planner.ended(flow.id(), End.FAILED, now);
        }
        if (flow.source().equals(host) || flow.target().equals(host)) {
          rates.remove(flow.id());
        }
      }
      planner.forgive(host::equals);
    }

    void tell(PrefetchPlanner planner, long flow, long come) {
      heardAt.put(flow, now);
      planner.progress(flow, come, now);
    }
  }

  @Property
  void commandsAndBooksAgreeAndNothingIsLeftOver(@ForAll long seed) {
    Random random = new Random(seed);
    Allotments books = new Allotments(NETWORK, 1, link -> 0);
    Mode mode = Mode.values()[random.nextInt(Mode.values().length)];
    boolean areSlow = random.nextBoolean();
    double steadiness = random.nextBoolean() ? 0 : random.nextDouble();
    PrefetchPlanner planner =
        new PrefetchPlanner(books, job -> job.hashCode() % 5, mode, steadiness);
    Flows flows = new Flows();
    List<PrefetchNeed> launched = new ArrayList<>();
    boolean isThere = true;
    for (int round = 0; round < 12; round++) {
      flows.goOn(random.nextInt(10) == 0 ? 31 * SECOND : random.nextInt(2000) * 1_000_000L);
      if (random.nextInt(4) == 0) {
        isThere = !isThere;
        flows.lose(planner, "d");
        books.network(isThere ? NETWORK : WITHOUT_D);
      }
      List<PrefetchNeed> needs = needs(random, flows.now);
      flows.obey(planner.plan(needs, flows.now));
      planner.postpone(command -> random.nextBoolean() && flows.hear(command));
      for (Long flow : List.copyOf(flows.rates.keySet())) {
        switch (random.nextInt(6)) {
          case 0 -> {
            End end = End.values()[random.nextInt(End.values().length)];
            planner.ended(flow, end, flows.now);
            flows.rates.remove(flow);
            if (end == End.ARRIVED) {
              flows.kept.add(flow);
            }
          }
          case 1 -> flows.obey(planner.pace(flows.now));
          case 2 -> {
            // Nobody hears of it.
          }
          default ->
              flows.tell(
                  planner, flow, areSlow ? random.nextInt(300) : flows.bytes.get(flow).longValue());
        }
      }
      for (PrefetchNeed need : needs) {
        if (random.nextInt(8) == 0) {
          launched.add(need);
          for (Command command :
              planner.launched(need.job(), need.task(), need.target(), flows.now)) {
            boolean isHere = command.flow().target().equals(need.target());
            assertThat(command).isInstanceOf(isHere ? Pace.class : Command.Cancel.class);
            flows.rates.remove(command.flow().id());
            flows.kept.add(command.flow().id());
          }
          if (random.nextBoolean()) {
            flows.obey(planner.confirm(need, flows.now));
          }
          if (random.nextBoolean()) {
            planner.reads(need.job(), need.task(), flows.now);
          }
        }
      }
      assertThat(planner.flows())
          .extracting(PrefetchFlow::id)
          .hasSameElementsAs(flows.rates.keySet());
      for (PrefetchFlow flow : planner.flows()) {
        assertThat(flows.rates.get(flow.id())).isPositive();
        for (Link link : books.path(flow)) {
          assertThat(books.allotted(link))
              .as("%s of %s", mode, link)
              .isLessThanOrEqualTo(most(mode, areSlow, link));
        }
      }
    }
    for (int round = 0; round < 4; round++) {
      flows.goOn(SECOND);
      List.copyOf(flows.rates.keySet()).forEach(flow -> flows.tell(planner, flow, 0));
      flows.obey(planner.plan(List.of(), flows.now));
    }
    assertThat(flows.rates).isEmpty();
    launched.forEach(need -> planner.left(need.job(), need.task()));
    flows.goOn(200 * SECOND);
    assertThat(planner.plan(List.of(), flows.now)).isEmpty();
    assertThat(books.flows()).isEmpty();
    assertThat(planner.progress()).isEmpty();
    assertThat(planner.waiting()).isEmpty();
    flows.goOn(SECOND);
    assertThat(planner.carried("a", Direction.DOWN, flows.now - SECOND, flows.now)).isZero();
  }

  @Property
  void whatNobodyGivesIsTriedAgainAndAgainButNotOften(@ForAll long seed) {
    Random random = new Random(seed);
    Mode mode = Mode.values()[random.nextInt(Mode.values().length)];
    PrefetchPlanner planner =
        new PrefetchPlanner(new Allotments(NETWORK, 1, link -> 0), job -> 1, mode, 0);
    Set<String> replicas = random.nextBoolean() ? Set.of("b") : Set.of("b", "c", "d");
    Map<String, Long> failedAt = new HashMap<>();
    List<Long> tries = new ArrayList<>();
    long now = 0;
    for (int plan = 0; plan < 100; plan++) {
      now += random.nextInt(2000) * 1_000_000L;
      long launch = now + 100 * SECOND;
      PrefetchNeed need =
          new PrefetchNeed("map", "job", "block", "a", replicas, 100, launch, launch);
      List<Command> commands = planner.plan(List.of(need), now);
      while (!commands.isEmpty()) {
        PrefetchFlow flow = commands.get(0).flow();
        Long before = failedAt.put(flow.source(), now);
        assertThat(before == null || now - before > 30 * SECOND)
            .as("from %s", flow.source())
            .isTrue();
        tries.add(now);
        planner.ended(flow.id(), End.FAILED, now);
        commands = planner.pace(now);
      }
    }
    for (int next = 2; next < tries.size(); next++) {
      assertThat(tries.get(next) - tries.get(next - 2)).isGreaterThan(30 * SECOND);
    }
    assertThat(failedAt).containsOnlyKeys(replicas);
    assertThat(now - tries.get(tries.size() - 1)).isLessThanOrEqualTo(32 * SECOND);
  }

  /**
   * What may be allotted of a link. Nobody is told of changes by less than a tenth, and who stands
   * still has a byte a second. In the mode that is preemptive, who is slow is told of more than he
   * takes, and others of the same.
   */
  private static long most(Mode mode, boolean areSlow, Link link) {
    return mode == Mode.OFF || (mode == Mode.PREEMPTIVE && areSlow)
        ? Long.MAX_VALUE
        : link.capacity() * 112 / 100 + 8;
  }

  private static Set<String> others(List<String> hosts, String target) {
    return hosts.stream().filter(host -> !host.equals(target)).collect(Collectors.toSet());
  }

  private static List<PrefetchNeed> needs(Random random, long now) {
    List<String> hosts = List.of("a", "b", "c", "d");
    List<PrefetchNeed> needs = new ArrayList<>();
    Set<String> tasks = new HashSet<>();
    for (int number = 0; number < random.nextInt(8); number++) {
      String task = "map" + random.nextInt(10);
      String target = hosts.get(random.nextInt(4));
      String source = hosts.get(random.nextInt(4));
      if (!source.equals(target) && tasks.add(task)) {
        long deadline = now + random.nextInt(10_000) * 1_000_000L;
        needs.add(
            new PrefetchNeed(
                task,
                "job" + task.hashCode() % 3,
                "block of " + task,
                target,
                random.nextBoolean() ? Set.of(source) : others(hosts, target),
                1L + random.nextInt(300),
                deadline - random.nextInt(10) * 1_000_000L,
                deadline));
      }
    }
    return needs;
  }
}
