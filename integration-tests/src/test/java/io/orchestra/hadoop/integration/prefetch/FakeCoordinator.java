package io.orchestra.hadoop.integration.prefetch;

import static org.awaitility.Awaitility.await;

import io.orchestra.hadoop.core.rpc.ProtocolServer;
import io.orchestra.hadoop.prefetch.rpc.DaemonProtocol;
import io.orchestra.hadoop.prefetch.rpc.DaemonServer;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CancelProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.CommandProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.DaemonProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.FlowProto.State;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PaceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.PollResponseProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.SourceProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchDaemonProtos.StartProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** Tells daemons what a test says. Safe for concurrent use. */
final class FakeCoordinator implements DaemonProtocol, Closeable {
  private final ProtocolServer server;

  // Guarded by this.
  private final Map<String, DaemonProto> daemons = new HashMap<>();
  private final Map<String, List<CommandProto>> commands = new HashMap<>();
  private final Map<String, Consumer<PollResponseProto>> held = new HashMap<>();
  private final Map<Long, FlowProto> flows = new HashMap<>();
  private String address = "127.0.0.1";
  private long epoch = 1;
  private long lastFlow;
  private long lastNumber;

  FakeCoordinator(Configuration conf) throws IOException {
    server = DaemonServer.start(conf, new InetSocketAddress("localhost", 0), 4, this);
  }

  int port() {
    return server.port();
  }

  @Override
  public synchronized Optional<PollResponseProto> poll(
      Caller caller, PollProto poll, Supplier<Consumer<PollResponseProto>> later) {
    String uuid = poll.getSelf().getDatanodeUuid();
    daemons.put(uuid, poll.getSelf());

    if (poll.getEpoch() != epoch) {
      return Optional.of(response(uuid));
    }
    poll.getFlowsList().forEach(flow -> flows.put(flow.getFlow(), flow));
    commands(uuid).removeIf(command -> command.getNumber() <= poll.getDone());
    if (poll.getHold() && commands(uuid).isEmpty()) {
      held.put(uuid, later.get());
      return Optional.empty();
    }
    return Optional.of(response(uuid));
  }

  private List<CommandProto> commands(String uuid) {
    return commands.computeIfAbsent(uuid, unused -> new ArrayList<>());
  }

  private PollResponseProto response(String uuid) {
    return PollResponseProto.newBuilder().setEpoch(epoch).addAllCommands(commands(uuid)).build();
  }

  /** It starts anew: knows nothing of what was before. */
  synchronized void startAnew() {
    epoch++;
    lastNumber = 0;
    lastFlow = 0;
    commands.clear();
    flows.clear();
    List.copyOf(held.keySet()).forEach(uuid -> held.remove(uuid).accept(response(uuid)));
  }

  private synchronized void send(String uuid, CommandProto.Builder command) {
    List<CommandProto> queue = commands(uuid);
    queue.add(command.setNumber(++lastNumber).build());
    Consumer<PollResponseProto> waiting = held.remove(uuid);
    if (waiting != null) {
      waiting.accept(response(uuid));
    }
  }

  /** What is told of where sources are. */
  synchronized void tellAddress(String other) {
    address = other;
  }

  /**
   * @param order but for flow and sources
   * @return the flow
   */
  long start(String target, StartProto.Builder order, String... sources) {
    long flow;
    synchronized (this) {
      flow = ++lastFlow;
      for (String source : sources) {
        order.addSources(
            SourceProto.newBuilder()
                .setDatanodeUuid(source)
                .setHost(daemons.get(source).getHost())
                .setAddress(address)
                .setTransferPort(daemons.get(source).getTransferPort()));
      }
    }
    send(target, CommandProto.newBuilder().setStart(order.setFlow(flow)));
    return flow;
  }

  void pace(String target, long flow, long rate) {
    send(
        target,
        CommandProto.newBuilder().setPace(PaceProto.newBuilder().setFlow(flow).setRate(rate)));
  }

  void cancel(String target, long flow) {
    send(target, CommandProto.newBuilder().setCancel(CancelProto.newBuilder().setFlow(flow)));
  }

  synchronized int daemons() {
    return daemons.size();
  }

  private synchronized FlowProto flow(long flow) {
    return flows.getOrDefault(flow, FlowProto.getDefaultInstance());
  }

  long bytes(long flow) {
    return flow(flow).getBytes();
  }

  /** How a flow ends. */
  State end(long flow) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> flow(flow).hasState() && flow(flow).getState() != State.COPYING);
    return flow(flow).getState();
  }

  @Override
  public void close() {
    server.close();
  }
}
