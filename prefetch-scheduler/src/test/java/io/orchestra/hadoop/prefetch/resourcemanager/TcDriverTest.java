package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestra.hadoop.core.topology.Direction;
import io.orchestra.hadoop.core.topology.Link;
import io.orchestra.hadoop.prefetch.algorithm.flow.PrefetchFlow;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol.Caller;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CancelProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.ShapeProto;
import io.orchestra.hadoop.prefetch.traffic.Shape;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TcDriverTest {
  private static final long EPOCH = 7;
  private static final Link UP = new Link("source", Direction.UP, 1000);
  private static final Link DOWN = new Link("target", Direction.DOWN, 1000);

  private final Daemons daemons = new Daemons((caller, host) -> {}, host -> "/r", () -> 0, EPOCH);
  private final TcDriver driver = new TcDriver(daemons, 42000, Optional.empty());
  private final PrefetchFlow flow = new PrefetchFlow(1, "job", "source", "target");
  private long done;

  @BeforeEach
  void start() throws IOException {
    daemons.hear(
        new Daemons.Listener() {
          @Override
          public void told(
              Daemons.Daemon daemon, Optional<Daemons.Load> load, List<FlowProto> flows) {}

          @Override
          public void lost(Daemons.Daemon daemon) {}

          @Override
          public long noticeable(Daemons.Load load) {
            return 0;
          }
        });
    poll("source", 0);
    poll("target", 0);
  }

  @AfterEach
  void end() {
    daemons.close();
  }

  @Test
  void theSourceSendsAtTheRateThatWasAllottedUntilTheFlowEnds() throws IOException {
    int port = driver.begin(flow, List.of(UP, DOWN)).orElseThrow();
    driver.follow(List.of(flow), known -> 100);
    assertThat(shapes()).extracting(ShapeProto::getBitsPerSecond).containsExactly(844L);
    driver.follow(List.of(flow), known -> 50);
    assertThat(shapes()).extracting(ShapeProto::getBitsPerSecond).containsExactly(422L);
    driver.follow(List.of(), known -> 50);
    assertThat(shapes()).extracting(ShapeProto::getBitsPerSecond).containsExactly(0L);
    driver.follow(List.of(flow), known -> 70);
    assertThat(shapes()).isEmpty();
    assertThat(port).isBetween(42000, 42511);
  }

  @Test
  void whatOneFlowGivesUpComesBeforeWhatAnotherOneGets() throws IOException {
    PrefetchFlow other = new PrefetchFlow(2, "job", "source", "target");
    driver.begin(flow, List.of(UP));
    driver.begin(other, List.of(UP));
    driver.follow(List.of(flow, other), known -> 100);
    shapes();

    driver.follow(List.of(flow, other), known -> known.equals(flow) ? 150 : 50);
    assertThat(shapes()).extracting(ShapeProto::getBitsPerSecond).containsExactly(422L, 1266L);
    driver.follow(List.of(flow, other), known -> known.equals(flow) ? 50 : 150);
    assertThat(shapes()).extracting(ShapeProto::getBitsPerSecond).containsExactly(422L, 1266L);
  }

  @Test
  void aLinkIsFreeOfTheFlowsThatHaveEndedBeforeItIsPromisedToAnother() throws IOException {
    PrefetchFlow next = new PrefetchFlow(2, "job", "source", "target");
    driver.begin(flow, List.of(UP));
    driver.follow(List.of(flow), known -> 100);
    shapes();

    driver.begin(next, List.of(UP));
    driver.follow(List.of(next), known -> 100);
    assertThat(shapes()).extracting(ShapeProto::getBitsPerSecond).containsExactly(0L, 844L);
  }

  @Test
  void aDeviceKnowsAFlowByTheAddressAndPortOfItsTarget() throws IOException {
    int port = driver.begin(flow, List.of(UP)).orElseThrow();
    driver.follow(List.of(flow), known -> 100);

    assertThat(shapes())
        .extracting(ShapeProto::getAddress, ShapeProto::getPort)
        .containsExactly(tuple("127.0.0.1", port));
  }

  @Test
  void slotsAreUsedAgainAndOneFlowTooManyHasNone() throws IOException {
    Set<Integer> slots = new HashSet<>();
    List<PrefetchFlow> flows = new ArrayList<>();
    for (int number = 1; number <= Shape.SLOTS; number++) {
      flows.add(new PrefetchFlow(number, "job", "source", "target"));
      driver.begin(flows.get(number - 1), List.of(UP));
    }
    driver.follow(flows, known -> 1);
    shapes().forEach(shape -> slots.add(shape.getSlot()));
    assertThat(slots).hasSize(Shape.SLOTS).allMatch(slot -> slot >= 1 && slot <= Shape.SLOTS);

    PrefetchFlow late = new PrefetchFlow(100, "job", "source", "target");
    assertThat(driver.begin(late, List.of(UP))).isPresent();
    flows.add(late);
    driver.follow(flows, known -> 1);
    assertThat(shapes()).isEmpty();

    driver.follow(List.of(), known -> 0);
    assertThat(shapes()).hasSize(Shape.SLOTS);
    driver.begin(late, List.of(UP));
    driver.follow(List.of(late), known -> 1);
    assertThat(shapes()).hasSize(1);
  }

  @Test
  void aLinkGuaranteesNothingWhileAFlowHasNoClassThere() throws IOException {
    poll(question("source", done).setSelf(self("source").setShaped(true)));
    List<PrefetchFlow> flows = new ArrayList<>();
    for (int number = 1; number <= Shape.SLOTS; number++) {
      flows.add(new PrefetchFlow(number, "job", "source", "target"));
      driver.begin(flows.get(number - 1), List.of(UP));
    }
    driver.follow(flows, known -> 1);
    assertThat(driver.guarantees(UP)).isTrue();

    flows.add(new PrefetchFlow(100, "job", "source", "target"));
    driver.begin(flows.get(Shape.SLOTS), List.of(UP));
    assertThat(driver.guarantees(UP)).as("before it is told of").isFalse();
    driver.follow(flows, known -> 1);
    assertThat(driver.guarantees(UP)).isFalse();
    assertThat(driver.guarantees(new Link("source", Direction.UP, 2000)))
        .as("whatever is believed of its capacity")
        .isFalse();

    driver.follow(flows.subList(1, flows.size()), known -> 1);
    assertThat(driver.guarantees(UP)).isTrue();
  }

  @Test
  void aLinkGuaranteesNothingWhileAFlowOnItGoesToAnAddressOfIpv6() throws IOException {
    poll(question("source", done).setSelf(self("source").setShaped(true)));
    poll(question("newer", 0), "::1");
    PrefetchFlow newer = new PrefetchFlow(2, "job", "source", "newer");
    assertThat(driver.begin(flow, List.of(UP))).isPresent();
    assertThat(driver.guarantees(UP)).isTrue();

    assertThat(driver.begin(newer, List.of(UP))).isEmpty();
    assertThat(driver.guarantees(UP)).as("before rates follow").isFalse();
    driver.follow(List.of(flow, newer), known -> 100);
    assertThat(shapes()).as("the other one has its class").hasSize(1);
    assertThat(driver.guarantees(UP)).isFalse();

    driver.follow(List.of(flow, newer), known -> known.equals(newer) ? 0 : 100);
    assertThat(driver.guarantees(UP)).as("its map reads").isTrue();
    driver.follow(List.of(flow, newer), known -> 100);
    assertThat(driver.guarantees(UP)).isFalse();
    driver.follow(List.of(flow), known -> 100);
    assertThat(driver.guarantees(UP)).as("it has ended").isTrue();
  }

  @Test
  void aLinkGuaranteesNothingWhileAFlowOnItHasNoPort() throws IOException {
    poll(question("source", done).setSelf(self("source").setShaped(true)));
    List<PrefetchFlow> flows = new ArrayList<>();
    for (int number = 1; number <= 512; number++) {
      flows.add(new PrefetchFlow(number, "job", "source", "target"));
      assertThat(driver.begin(flows.get(number - 1), List.of())).isPresent();
    }
    driver.follow(flows, known -> 1);
    assertThat(driver.guarantees(UP)).isTrue();

    PrefetchFlow late = new PrefetchFlow(513, "job", "source", "target");
    assertThat(driver.begin(late, List.of(UP))).isEmpty();
    assertThat(driver.guarantees(UP)).isFalse();
    flows.add(late);
    driver.follow(flows, known -> 1);
    assertThat(driver.guarantees(UP)).isFalse();

    driver.follow(flows.subList(0, 512), known -> 1);
    assertThat(driver.guarantees(UP)).isTrue();
  }

  @Test
  void aFlowWhoseMapReadsLeavesItsClassToAnother() throws IOException {
    poll(question("source", done).setSelf(self("source").setShaped(true)));
    List<PrefetchFlow> flows = new ArrayList<>();
    for (int number = 1; number <= Shape.SLOTS + 1; number++) {
      flows.add(new PrefetchFlow(number, "job", "source", "target"));
    }
    PrefetchFlow late = flows.get(Shape.SLOTS);
    flows.subList(0, Shape.SLOTS).forEach(known -> driver.begin(known, List.of(UP)));
    int port = driver.begin(late, List.of(UP)).orElseThrow();
    driver.follow(flows, known -> 1);
    assertThat(shapes()).hasSize(Shape.SLOTS).noneMatch(shape -> shape.getPort() == port);

    PrefetchFlow reading = flows.get(0);
    driver.follow(flows, known -> known.equals(reading) ? 0 : 1);
    assertThat(shapes()).as("in the same class").singleElement().matches(s -> s.getPort() == port);
    assertThat(driver.guarantees(UP)).isTrue();

    driver.follow(flows, known -> 1);
    assertThat(shapes()).as("there is none left").isEmpty();
    assertThat(driver.guarantees(UP)).isFalse();
    flows.remove(late);
    driver.follow(flows, known -> 1);
    assertThat(shapes()).singleElement().matches(shape -> shape.getBitsPerSecond() > 0);
    assertThat(driver.guarantees(UP)).isTrue();
  }

  @Test
  void aPortThatAFlowToTheSameTargetHasIsNoOthers() {
    int port = driver.begin(flow, List.of(UP)).orElseThrow();
    Set<Integer> others = new HashSet<>();
    for (int number = 2; number <= 1024; number++) {
      PrefetchFlow other = new PrefetchFlow(number, "job", "source", "target");
      others.add(driver.begin(other, List.of(UP)).orElseThrow());
      driver.follow(List.of(flow), known -> 0);
    }

    assertThat(others).hasSize(511).doesNotContain(port);
  }

  @Test
  void aPortIsFreeOnceTheSourceKnowsThatItsFlowHasEnded() throws IOException {
    int port = driver.begin(flow, List.of(UP)).orElseThrow();
    driver.follow(List.of(flow), known -> 100);
    shapes();
    poll("source", done);
    keepBusy("source");
    driver.follow(List.of(), known -> 0);
    Set<Integer> others = new HashSet<>();
    for (int number = 2; number <= 512; number++) {
      PrefetchFlow other = new PrefetchFlow(number, "job", "source", "target");
      others.add(driver.begin(other, List.of()).orElseThrow());
    }
    assertThat(others).hasSize(511).doesNotContain(port);
    PrefetchFlow last = new PrefetchFlow(513, "job", "source", "target");
    assertThat(driver.begin(last, List.of())).as("all are in use").isEmpty();

    shapes();
    poll("source", done);
    driver.follow(List.of(), known -> 0);
    assertThat(driver.begin(last, List.of())).isPresent();
  }

  @Test
  void aRateThatCannotBeToldIsToldLater() throws IOException {
    driver.begin(flow, List.of(UP));
    keepBusy("source");
    driver.follow(List.of(flow), known -> 100);
    assertThat(shapes()).isEmpty();

    driver.follow(List.of(flow), known -> 100);
    assertThat(shapes()).isEmpty();
    driver.follow(List.of(flow), known -> 100);
    assertThat(shapes()).extracting(ShapeProto::getBitsPerSecond).containsExactly(844L);
    driver.follow(List.of(flow), known -> 100);
    assertThat(shapes()).isEmpty();
  }

  @Test
  void anEndThatCannotBeToldIsToldLaterAndNobodyElseHasTheSlotTillThen() throws IOException {
    PrefetchFlow next = new PrefetchFlow(2, "job", "source", "target");
    driver.begin(flow, List.of(UP));
    driver.follow(List.of(flow), known -> 100);
    int slot = shapes().get(0).getSlot();
    poll("source", done);
    // Without replacing a shape that has not been acknowledged there is no room.
    keepBusy("source");
    driver.follow(List.of(), known -> 0);
    driver.begin(next, List.of(UP));
    assertThat(shapes()).isEmpty();
    poll("source", done);

    driver.follow(List.of(next), known -> 100);
    assertThat(shapes())
        .extracting(ShapeProto::getBitsPerSecond)
        .as("slot %d ends, another begins", slot)
        .containsExactly(0L, 844L);
  }

  @Test
  void aHostThatWasLostForgetsAllBeforeItIsToldMore() throws IOException {
    driver.begin(flow, List.of(UP));
    driver.follow(List.of(flow), known -> 100);
    shapes();
    driver.lost("source");
    driver.follow(List.of(), known -> 0);
    driver.begin(new PrefetchFlow(2, "job", "source", "target"), List.of(UP));
    driver.follow(List.of(new PrefetchFlow(2, "job", "source", "target")), known -> 100);

    assertThat(poll("source", done))
        .extracting(CommandProto::getForgetShapes)
        .containsExactly(true, false);
    shapes();
    driver.follow(List.of(), known -> 0);
    assertThat(poll("source", done))
        .extracting(CommandProto::getForgetShapes)
        .containsExactly(false);
  }

  @Test
  void ratesAreGuaranteedWhereADaemonSaysThatItsDeviceKeepsThem() throws IOException {
    assertThat(driver.guarantees(UP)).isFalse();
    poll(question("source", done).setSelf(self("source").setShaped(true)));

    assertThat(driver.guarantees(UP)).isTrue();
    assertThat(driver.guarantees(new Link("target", Direction.UP, 1000))).isFalse();
    assertThat(driver.guarantees(DOWN)).as("no switch is told").isFalse();
    assertThat(driver.guarantees(new Link("/r", Direction.UP, 1000))).isFalse();
  }

  /** It is told no more until it has done what it was told. */
  private void keepBusy(String host) {
    CommandProto.Builder other =
        CommandProto.newBuilder().setCancel(CancelProto.newBuilder().setFlow(99));
    while (daemons.send(host, other)) {
      // Until there is no room.
    }
  }

  /** Hosts and racks may be called what no helper takes for a port. */
  @Test
  void whatNoPortCanBeCalledHasNoClassAndHoldsUpNobodyElse() throws IOException {
    Link odd = new Link("source of 100%", Direction.UP, 1000);
    poll(odd.node(), 0);
    PrefetchFlow paced = new PrefetchFlow(2, "job", odd.node(), "target");
    driver.begin(paced, List.of(odd));
    driver.begin(flow, List.of(UP));

    driver.follow(List.of(paced, flow), known -> 100);

    assertThat(shapes()).extracting(ShapeProto::getBitsPerSecond).containsExactly(844L);
    assertThat(driver.guarantees(odd)).isFalse();
  }

  @Test
  void whoIsGoneGetsNothing() {
    PrefetchFlow lost = new PrefetchFlow(2, "job", "source", "nowhere");

    assertThat(driver.begin(lost, List.of(UP))).isEmpty();
  }

  @Test
  void portsOfSwitchesAreNamedAfterTheirLinks() {
    assertThat(TcDriver.name(new Link("/rack1", Direction.DOWN, 1))).isEqualTo("/rack1:down");
  }

  /** What the source was told since the last time. */
  private List<ShapeProto> shapes() throws IOException {
    List<CommandProto> commands = poll("source", done);
    commands.forEach(command -> done = command.getNumber());
    return commands.stream().filter(CommandProto::hasShape).map(CommandProto::getShape).toList();
  }

  private List<CommandProto> poll(String host, long acknowledged) throws IOException {
    return poll(question(host, acknowledged));
  }

  private List<CommandProto> poll(PollProto.Builder question) throws IOException {
    return poll(question, "127.0.0.1");
  }

  private List<CommandProto> poll(PollProto.Builder question, String address) throws IOException {
    return daemons
        .poll(
            new Caller("dn", InetAddress.getByName(address)), question.build(), () -> unused -> {})
        .orElseThrow()
        .getCommandsList();
  }

  private static PollProto.Builder question(String host, long acknowledged) {
    return PollProto.newBuilder()
        .setSelf(self(host))
        .setEpoch(EPOCH)
        .setDone(acknowledged)
        .setHold(false);
  }

  private static DaemonProto.Builder self(String host) {
    return DaemonProto.newBuilder().setDatanodeUuid(host).setHost(host).setTransferPort(9866);
  }
}
