package io.orchestra.hadoop.prefetch.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.InputBlockProto;
import io.orchestra.hadoop.prefetch.rpc.proto.PrefetchAgentProtos.TaskInputProto;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;

final class TaskInputsTest {
  private static final long HALF_A_MINUTE = 30_000_000_000L;

  private long now = 100;
  private final TaskInputs inputs = new TaskInputs(() -> now);

  @Test
  void whatIsToldIsKnownOfThatJobUntilItEnds() throws IOException {
    inputs.learn("job", List.of(input(1, block()), input(2)));

    assertThat(inputs.of("job", 1)).contains(List.of(block().build()));
    assertThat(inputs.of("job", 2)).contains(List.of());
    assertThat(inputs.of("job", 3)).isEmpty();
    assertThat(inputs.of("other", 1)).isEmpty();
    inputs.retain(Set.of("other"));
    assertThat(inputs.of("job", 1)).isEmpty();
  }

  @Test
  void whatIsWantedIsAskedForOnceAndNotAllAtOnce() {
    for (int task = 0; task < 1000; task++) {
      inputs.want("job", task);
      inputs.want("job", task);
    }

    assertThat(inputs.takeWanted("other")).isEmpty();
    assertThat(inputs.takeWanted("job")).hasSize(64).startsWith(0, 1, 2);
    assertThat(inputs.takeWanted("job")).isEmpty();
  }

  @Test
  void replicasAreLookedForAgainWhenTheyHaveHadTimeToMove() throws IOException {
    inputs.learn("job", List.of(input(1, block())));
    now += HALF_A_MINUTE - 1;
    inputs.lookForReplicas("job", 1);
    inputs.lookForReplicas("job", 2);
    inputs.lookForReplicas("other", 1);
    assertThat(inputs.takeWanted("job")).isEmpty();

    now++;
    inputs.lookForReplicas("job", 1);
    assertThat(inputs.takeWanted("job")).containsExactly(1);
    assertThat(inputs.of("job", 1)).as("meanwhile").isPresent();

    inputs.learn("job", List.of(input(1, block())));
    inputs.lookForReplicas("job", 1);
    assertThat(inputs.takeWanted("job")).as("it is new").isEmpty();
  }

  @Test
  void aTokenThatMayHaveExpiredIsDropped() throws IOException {
    inputs.learn("job", List.of(input(1, block()), input(2, block())));
    assertThat(inputs.dropToken("job", 1)).isFalse();
    assertThat(inputs.dropToken("other", 1)).isFalse();

    now += HALF_A_MINUTE;
    assertThat(inputs.dropToken("job", 1)).isTrue();
    assertThat(inputs.dropToken("job", 1)).isFalse();
    assertThat(inputs.of("job", 1)).isEmpty();
    assertThat(inputs.of("job", 2)).isPresent();
  }

  @Test
  void whatNoMapReadsIsRefused() {
    assertRefused(
        input(1, Collections.nCopies(9, block()).toArray(InputBlockProto.Builder[]::new)));
    assertRefused(input(1, block().setLength(-1)));
    assertRefused(input(1, block().setLength(Long.MAX_VALUE)));
    assertRefused(input(1, block().setToken(ByteString.copyFrom(new byte[1025]))));
    assertRefused(input(1, block().setPool("x".repeat(256))));
    assertRefused(input(1, block().setPool("x\n2030-01-01 INFO all is well")));
    assertRefused(input(1, block().addReplicas("x".repeat(256))));
    assertRefused(input(1, block().addAllReplicas(Collections.nCopies(17, "uuid"))));
  }

  private static void assertRefused(TaskInputProto input) {
    assertThatThrownBy(() -> TaskInputs.verify(List.of(input))).isInstanceOf(IOException.class);
  }

  @Test
  void oneJobTakesABoundedPartOfTheMemory() throws IOException {
    for (int task = 0; task < 20_000; task++) {
      inputs.learn(
          "job", List.of(input(task, block().setToken(ByteString.copyFrom(new byte[1000])))));
    }

    long known = 0;
    for (int task = 0; task < 20_000; task++) {
      known += inputs.of("job", task).isPresent() ? 1 : 0;
    }
    assertThat(known).isBetween(2_000L, 4_400L);
  }

  @Test
  void mapsWithoutBlocksTakeMemoryToo() throws IOException {
    for (int task = 0; task < 80_000; task++) {
      inputs.learn("job", List.of(input(task)));
    }

    long known = 0;
    for (int task = 0; task < 80_000; task++) {
      known += inputs.of("job", task).isPresent() ? 1 : 0;
    }
    assertThat(known).isBetween(20_000L, 42_000L);
    assertThat(TaskInputs.size(0, List.of(input(0)))).isGreaterThanOrEqualTo(100);
    assertThat(TaskInputs.size(TaskInputs.MOST_BYTES, List.of(input(0))))
        .isEqualTo(TaskInputs.MOST_BYTES);
  }

  private static TaskInputProto input(int task, InputBlockProto.Builder... blocks) {
    TaskInputProto.Builder input = TaskInputProto.newBuilder().setTask(task);
    List.of(blocks).forEach(input::addBlocks);
    return input.build();
  }

  private static InputBlockProto.Builder block() {
    return InputBlockProto.newBuilder()
        .setPool("pool")
        .setId(3)
        .setGenerationStamp(4)
        .setLength(1000)
        .setToken(ByteString.copyFromUtf8("token"));
  }
}
