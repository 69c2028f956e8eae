package io.orchestra.hadoop.prefetch.algorithm.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.core.topology.NetworkTree;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal.Decision;
import io.orchestra.hadoop.prefetch.algorithm.flow.Cardinal.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class CardinalTest {
  private static final NetworkTree NETWORK =
      NetworkTree.builder()
          .host("a", "/r1", 100)
          .host("b", "/r1", 100)
          .host("c", "/r2", 100)
          .host("d", "/r2", 100)
          .switchCapacity("/r1", 150)
          .switchCapacity("/r2", 150)
          .build();
  private static final List<String> HOSTS = List.of("a", "b", "c", "d");
  private static final long DEADLINE = TimeUnit.SECONDS.toNanos(10);

  private final Allotments network = new Allotments(NETWORK, 1, link -> 0);
  private final Map<String, Long> residual =
      new HashMap<>(Map.of("small", 2L, "middle", 10L, "large", 100L));
  private final Cardinal improved = new Cardinal(network, residual::get, Mode.IMPROVED);
  private final Cardinal literal = new Cardinal(network, residual::get, Mode.LITERAL);

  @Test
  void switchedOffItAdmitsEverybody() {
    PrefetchFlow flow = new PrefetchFlow(1, "job", "a", "b");

    assertThat(new Cardinal(network, job -> 1, Mode.OFF).decide(flow, Long.MAX_VALUE))
        .isEqualTo(Decision.admitted(Set.of()));
  }

  @Test
  void aFlowThatFitsAbandonsNobody() {
    allot(1, "large", "a", "b", 60);

    assertThat(improved.decide(flow(2, "small", "a", "b"), 40))
        .isEqualTo(Decision.admitted(Set.of()));
  }

  @Test
  void theJobWithTheMostResidualTasksGivesWayFirst() {
    PrefetchFlow large = allot(1, "large", "a", "b", 40);
    allot(2, "middle", "a", "b", 40);

    for (Cardinal cardinal : List.of(improved, literal)) {
      assertThat(cardinal.decide(flow(3, "small", "a", "b"), 40))
          .isEqualTo(Decision.admitted(Set.of(large)));
    }
  }

  @Test
  void jobsAsCriticalAsTheNewOneAreNeverAbandoned() {
    allot(1, "small", "a", "b", 80);
    residual.put("other", 2L);

    assertThat(improved.decide(flow(2, "other", "a", "b"), 40).bottleneck()).isPresent();
    assertThat(improved.decide(flow(3, "large", "a", "b"), 40).bottleneck()).isPresent();
  }

  @Test
  void whatIsFreeCountsOnlyInTheImprovedMode() {
    PrefetchFlow large = allot(1, "large", "a", "b", 60);

    assertThat(improved.decide(flow(2, "small", "a", "b"), 90))
        .isEqualTo(Decision.admitted(Set.of(large)));
    assertThat(literal.decide(flow(2, "small", "a", "b"), 90).bottleneck()).isPresent();
  }

  @Test
  void aRefusedFlowAbandonsNobody() {
    allot(1, "large", "a", "b", 60);
    allot(2, "small", "a", "b", 40);

    assertThat(improved.decide(flow(3, "middle", "a", "b"), 90))
        .isEqualTo(Decision.refused(network.path(flow(3, "middle", "a", "b")).get(0)));
  }

  @Test
  void aVictimThatALaterLinkMakesNeedlessIsSpared() {
    PrefetchFlow small = allot(1, "large", "a", "b", 30);
    residual.put("larger", 99L);
    PrefetchFlow onBoth = allot(2, "larger", "a", "c", 60);
    allot(3, "small", "b", "c", 40);

    // On a's link the first goes first and is not enough; the second alone would be.
    assertThat(improved.decide(flow(4, "small", "a", "c"), 60))
        .isEqualTo(Decision.admitted(Set.of(onBoth)));
    assertThat(literal.decide(flow(4, "small", "a", "c"), 60))
        .isEqualTo(Decision.admitted(Set.of(small, onBoth)));
  }

  @Property
  void ratesFitAfterEveryDecisionAndNoVictimWasMoreCriticalOrNeedless(@ForAll long seed) {
    Random random = new Random(seed);
    Scenario scenario = Scenario.random(random, 12);
    Allotments books = new Allotments(NETWORK, 1, link -> 0);
    Cardinal cardinal = new Cardinal(books, scenario.residual()::get, Mode.IMPROVED);
    for (PrefetchFlow flow : scenario.flows()) {
      long rate = scenario.rates().get(flow);
      Decision decision = cardinal.decide(flow, rate);
      if (decision.bottleneck().isPresent()) {
        assertThat(decision.victims()).isEmpty();
        assertThat(everyLessCriticalGone(books, scenario, flow, rate)).isFalse();
        continue;
      }
      for (PrefetchFlow victim : decision.victims()) {
        assertThat(scenario.residual().get(victim.job()))
            .isGreaterThan(scenario.residual().get(flow.job()));
      }
      for (PrefetchFlow spared : decision.victims()) {
        assertThat(fits(books, flow, rate, without(decision.victims(), spared)))
            .as("%s could stay", spared)
            .isFalse();
      }
      decision.victims().forEach(books::abandon);
      books.allot(flow, rate);
      assertThat(books.flows())
          .allSatisfy(
              held ->
                  assertThat(books.path(held))
                      .allSatisfy(link -> assertThat(books.capacity(link)).isNotNegative()));
    }
  }

  @Property
  void theLiteralModeKeepsCapacitiesToo(@ForAll long seed) {
    Random random = new Random(seed);
    Scenario scenario = Scenario.random(random, 12);
    Allotments books = new Allotments(NETWORK, 1, link -> 0);
    run(new Cardinal(books, scenario.residual()::get, Mode.LITERAL), books, scenario);

    for (PrefetchFlow held : books.flows()) {
      for (Link link : books.path(held)) {
        assertThat(books.capacity(link)).isNotNegative();
      }
    }
  }

  /**
   * The offline optimum of section III-B1, by trying every subset of jobs. Whoever gives links away
   * otherwise has no more bytes to give until the deadline.
   */
  @Test
  void onTinyInputsFewJobsFewerAreSatisfiedThanTheOptimumHas() {
    int optimal = 0;
    Map<Mode, Integer> satisfied = new HashMap<>();
    for (int seed = 0; seed < 500; seed++) {
      Scenario scenario = Scenario.random(new Random(seed), 7);
      int optimum = largestSatisfiableSubset(scenario);
      optimal += optimum;
      for (Mode mode : List.of(Mode.LITERAL, Mode.IMPROVED)) {
        Allotments books = new Allotments(NETWORK, 1, link -> 0);
        run(new Cardinal(books, scenario.residual()::get, mode), books, scenario);
        int found = satisfiedJobs(books, scenario).size();
        assertThat(found).as("%s, seed %s", mode, seed).isLessThanOrEqualTo(optimum);
        satisfied.merge(mode, found, Integer::sum);
      }
      int found = jobsInTime(scenario);
      assertThat(found).as("%s, seed %s", Mode.PREEMPTIVE, seed).isLessThanOrEqualTo(optimum);
      satisfied.merge(Mode.PREEMPTIVE, found, Integer::sum);
    }

    assertThat(satisfied.get(Mode.PREEMPTIVE)).isGreaterThan((int) (0.85 * optimal));
    assertThat(satisfied.get(Mode.IMPROVED)).isGreaterThan((int) (0.85 * optimal));
    assertThat(satisfied.get(Mode.IMPROVED)).isGreaterThan(satisfied.get(Mode.LITERAL));
    assertThat(satisfied.get(Mode.LITERAL)).isGreaterThan((int) (0.5 * optimal));
  }

  @Property
  void oneLinkAndOneFlowAJobReachTheOptimum(@ForAll long seed) {
    Random random = new Random(seed);
    Map<String, Long> residuals = new HashMap<>();
    List<PrefetchFlow> flows = new ArrayList<>();
    Map<PrefetchFlow, Long> rates = new HashMap<>();
    long rate = 1L + random.nextInt(60);
    for (int job = 0; job < 8; job++) {
      residuals.put("job" + job, (long) random.nextInt(5));
      flows.add(flow(job, "job" + job, "a", "b"));
      rates.put(flows.get(job), rate);
    }
    Scenario scenario = new Scenario(flows, rates, residuals);
    Allotments books = new Allotments(NETWORK, 1, link -> 0);
    run(new Cardinal(books, residuals::get, Mode.IMPROVED), books, scenario);

    assertThat(books.flows()).hasSize(largestSatisfiableSubset(scenario));
    long mostResidual =
        books.flows().stream().mapToLong(flow -> residuals.get(flow.job())).max().orElseThrow();
    assertThat(flows)
        .filteredOn(flow -> residuals.get(flow.job()) < mostResidual)
        .allSatisfy(flow -> assertThat(books.flows()).contains(flow));
  }

  private static void run(Cardinal cardinal, Allotments books, Scenario scenario) {
    for (PrefetchFlow flow : scenario.flows()) {
      Decision decision = cardinal.decide(flow, scenario.rates().get(flow));
      if (decision.bottleneck().isEmpty()) {
        decision.victims().forEach(books::abandon);
        books.allot(flow, scenario.rates().get(flow));
      }
    }
  }

  private static Set<String> satisfiedJobs(Allotments books, Scenario scenario) {
    Set<String> unsatisfied =
        scenario.flows().stream()
            .filter(flow -> books.rate(flow) == 0)
            .map(PrefetchFlow::job)
            .collect(Collectors.toSet());
    return scenario.jobs().stream()
        .filter(job -> !unsatisfied.contains(job))
        .collect(Collectors.toSet());
  }

  /** Without fixed rates: jobs all of whose bytes come as soon as their rates would bring them. */
  private static int jobsInTime(Scenario scenario) {
    Allotments books = new Allotments(NETWORK, 1, link -> 0);
    PrefetchPlanner planner =
        new PrefetchPlanner(books, scenario.residual()::get, Mode.PREEMPTIVE, 0);
    List<PrefetchNeed> needs = scenario.needs();
    Set<PrefetchNeed> arrived = new SimulatedCopies(NETWORK, planner).arrived(needs, DEADLINE);
    Set<String> late =
        needs.stream()
            .filter(need -> !arrived.contains(need))
            .map(PrefetchNeed::job)
            .collect(Collectors.toSet());
    return scenario.jobs().size() - late.size();
  }

  private static int largestSatisfiableSubset(Scenario scenario) {
    List<String> jobs = List.copyOf(scenario.jobs());
    int largest = 0;
    for (int subset = 0; subset < 1 << jobs.size(); subset++) {
      Allotments books = new Allotments(NETWORK, 1, link -> 0);
      boolean fits = true;
      for (PrefetchFlow flow : scenario.flows()) {
        if ((subset >> jobs.indexOf(flow.job()) & 1) == 1) {
          fits &= fits(books, flow, scenario.rates().get(flow), Set.of());
          books.allot(flow, scenario.rates().get(flow));
        }
      }
      largest = fits ? Math.max(largest, Integer.bitCount(subset)) : largest;
    }
    return largest;
  }

  private static boolean everyLessCriticalGone(
      Allotments books, Scenario scenario, PrefetchFlow flow, long rate) {
    Set<PrefetchFlow> lessCritical =
        books.flows().stream()
            .filter(
                held -> scenario.residual().get(held.job()) > scenario.residual().get(flow.job()))
            .collect(Collectors.toSet());
    return fits(books, flow, rate, lessCritical);
  }

  private static boolean fits(
      Allotments books, PrefetchFlow flow, long rate, Set<PrefetchFlow> gone) {
    return books.path(flow).stream()
        .allMatch(
            link ->
                books.capacity(link)
                        + gone.stream()
                            .filter(books.flows(link)::contains)
                            .mapToLong(books::rate)
                            .sum()
                    >= rate);
  }

  private static Set<PrefetchFlow> without(Set<PrefetchFlow> flows, PrefetchFlow one) {
    return flows.stream().filter(flow -> !flow.equals(one)).collect(Collectors.toSet());
  }

  private PrefetchFlow allot(long id, String job, String source, String target, long rate) {
    PrefetchFlow flow = flow(id, job, source, target);
    network.allot(flow, rate);
    return flow;
  }

  private static PrefetchFlow flow(long id, String job, String source, String target) {
    return new PrefetchFlow(id, job, source, target);
  }

  /** Flows in the order they come. */
  private record Scenario(
      List<PrefetchFlow> flows, Map<PrefetchFlow, Long> rates, Map<String, Long> residual) {

    static Scenario random(Random random, int count) {
      List<PrefetchFlow> flows = new ArrayList<>();
      Map<PrefetchFlow, Long> rates = new HashMap<>();
      Map<String, Long> residual = new HashMap<>();
      for (int id = 0; id < count; id++) {
        String job = "job" + random.nextInt(count);
        residual.computeIfAbsent(job, unused -> (long) random.nextInt(20));
        PrefetchFlow flow =
            flow(id, job, HOSTS.get(random.nextInt(4)), HOSTS.get(random.nextInt(4)));
        flows.add(flow);
        rates.put(flow, 10L + random.nextInt(60));
      }
      return new Scenario(flows, rates, residual);
    }

    Set<String> jobs() {
      return residual.keySet();
    }

    /** Blocks that come at these rates just in time; who has his block needs none. */
    List<PrefetchNeed> needs() {
      return flows.stream()
          .filter(flow -> !flow.source().equals(flow.target()))
          .map(
              flow ->
                  new PrefetchNeed(
                      "task " + flow.id(),
                      flow.job(),
                      "block " + flow.id(),
                      flow.target(),
                      Set.of(flow.source()),
                      rates.get(flow) * TimeUnit.NANOSECONDS.toSeconds(DEADLINE),
                      DEADLINE,
                      DEADLINE))
          .toList();
    }
  }
}
