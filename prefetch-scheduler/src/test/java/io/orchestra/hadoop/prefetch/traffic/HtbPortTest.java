package io.orchestra.hadoop.prefetch.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HtbPortTest {
  private static final String OURS = "qdisc htb f1ec: root refcnt 2 r2q 10 default 0x2\n";
  private static final String FOREIGN = "qdisc htb 42: root refcnt 2 r2q 10 default 0x3\n";
  private static final String END = "qdisc del dev eth9 root handle f1ec:";
  private static final String NO_FILTERS = "filter del dev eth9 parent f1ec:";

  @TempDir private Path directory;
  private FakeTc fake;
  private HtbPort port;

  @BeforeEach
  void start() throws IOException {
    fake = new FakeTc(directory);
    port = new HtbPort(fake.tc(), "eth9", 1_000_000_000);
  }

  @Test
  void whatABeginningThatFailsHasMadeIsTakenAway() throws IOException {
    fake.fails(OURS);
    assertThatThrownBy(port::begin).isInstanceOf(IOException.class).hasMessage("tc: made up");

    assertThat(fake.lines()).last().isEqualTo(END);
  }

  @Test
  void whatSomebodyElseHasMadeMeanwhileIsLeft() throws IOException {
    fake.fails(FOREIGN);
    assertThatThrownBy(port::begin).isInstanceOf(IOException.class).hasMessage("tc: made up");

    assertThat(fake.lines()).doesNotContain(END);
  }

  @Test
  void whatSomebodyElseHasMadeBeforeIsLeft() throws IOException {
    fake.has(FOREIGN);
    assertThatThrownBy(port::begin)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("somebody else");

    assertThat(fake.lines()).isEmpty();
  }

  /** The client goes on asking while the helper ends. */
  @Test
  void afterTheEndNothingIsMadeAgain() throws IOException {
    port.begin();
    port.end();
    assertThat(fake.lines()).last().isEqualTo(END);

    assertThatThrownBy(() -> port.apply(Shape.clear("host", 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("have ended");
    assertThatThrownBy(() -> port.apply(new Shape("host", 1, 8_000_000, "10.0.0.1", 42000)))
        .isInstanceOf(IOException.class);
    port.clear();
    assertThat(fake.lines()).last().isEqualTo(END);
  }

  @Test
  void anotherRateOfTheSameFlowChangesItsClassAndNothingElse() throws IOException {
    port.begin();
    port.apply(new Shape("host", 1, 8_000_000, "10.0.0.1", 42000));
    int before = fake.lines().size();
    port.apply(new Shape("host", 1, 16_000_000, "10.0.0.1", 42000));
    assertThat(since(before))
        .singleElement()
        .asString()
        .startsWith("class change dev eth9 parent f1ec:1 classid f1ec:11 htb rate 16000000bit ");

    before = fake.lines().size();
    port.apply(new Shape("host", 1, 16_000_000, "10.0.0.1", 42001));
    assertThat(since(before)).hasSize(3);
    assertThat(since(before)).first().isEqualTo("filter del dev eth9 parent f1ec: pref 1");
    assertThat(since(before)).last().asString().contains(" match ip dport 42001 ");
  }

  private List<String> since(int before) throws IOException {
    return fake.lines().subList(before, fake.lines().size());
  }

  @Test
  void whoAsksForWhatThereIsIsToldWhetherTheClassesAreThere() throws IOException {
    port.begin();
    fake.has(OURS);
    Shape known = new Shape("host", 3, 8_000_000, "10.0.0.1", 42000);
    port.apply(known);
    int before = fake.lines().size();

    port.apply(Shape.clear("host", 1));
    port.apply(known);

    assertThat(since(before)).isEmpty();
  }

  @Test
  void classesThatAreGoneAreMadeAgainWithTheirRates() throws IOException {
    port.begin();
    port.apply(new Shape("host", 3, 8_000_000, "10.0.0.1", 42000));
    fake.has("qdisc noqueue 0: root refcnt 2 \n");
    int before = fake.lines().size();

    port.apply(Shape.clear("host", 1));

    assertThat(since(before)).first().isEqualTo(fake.lines().get(0));
    assertThat(since(before))
        .filteredOn(line -> line.startsWith("class change "))
        .singleElement()
        .asString()
        .contains(" classid f1ec:13 htb rate 8000000bit ");
    assertThat(since(before))
        .last()
        .asString()
        .startsWith("filter add dev eth9 parent f1ec: protocol ip pref 3 ")
        .endsWith(" match ip dport 42000 0xffff flowid f1ec:13");
  }

  @Test
  void soAreThoseThatAreMissedWhenARateIsToChange() throws IOException {
    port.begin();
    port.apply(new Shape("host", 3, 8_000_000, "10.0.0.1", 42000));
    fake.fails("qdisc noqueue 0: root refcnt 2 \n");
    int before = fake.lines().size();

    Shape other = new Shape("host", 4, 8_000_000, "10.0.0.1", 42001);
    assertThatThrownBy(() -> port.apply(other))
        .isInstanceOf(IOException.class)
        .hasMessage("tc: made up");

    assertThat(since(before)).contains(fake.lines().get(0));
    assertThat(since(before))
        .filteredOn(isFilterAdded())
        .as("what failed, and what there is again")
        .satisfiesExactly(
            failed -> assertThat(failed).contains(" pref 4 "),
            again -> assertThat(again).contains(" pref 3 "));
  }

  @Test
  void whereSomebodyElseHasComeMeanwhileNothingIsTouchedUntilHeIsGone() throws IOException {
    port.begin();
    Shape known = new Shape("host", 3, 8_000_000, "10.0.0.1", 42000);
    port.apply(known);
    fake.has(FOREIGN);
    int before = fake.lines().size();
    for (Shape question : List.of(known, Shape.clear("host", 1))) {
      assertThatThrownBy(() -> port.apply(question))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("somebody else");
    }
    assertThat(since(before)).isEmpty();

    fake.has("");
    port.apply(Shape.clear("host", 1));
    assertThat(since(before)).last().asString().contains(" pref 3 ");
  }

  @Test
  void whatIsMadeAgainIsNotForAClientThatIsGone() throws IOException {
    port.begin();
    port.apply(new Shape("host", 3, 8_000_000, "10.0.0.1", 42000));
    fake.fails("");
    int before = fake.lines().size();
    assertThatThrownBy(port::clear).isInstanceOf(IOException.class);

    port.apply(Shape.clear("host", 1));
    assertThat(since(before)).contains(fake.lines().get(0)).noneMatch(isFilterAdded());
    before = fake.lines().size();
    port.clear();
    assertThat(since(before)).as("there is none").isEmpty();
  }

  private static Predicate<String> isFilterAdded() {
    return line -> line.startsWith("filter add ");
  }

  @Test
  void burstsAndQueuesGrowWithTheLinkAsFarAsTheKernelCanCount() throws IOException {
    port.begin();
    assertThat(fake.lines().get(1)).contains(" burst 125000 cburst 125000 ");
    assertThat(fake.lines()).last().asString().endsWith(" bfifo limit 25000000");

    int before = fake.lines().size();
    HtbPort fast = new HtbPort(fake.tc(), "eth8", 400_000_000_000L);
    fast.begin();
    fast.apply(new Shape("host", 1, 40_000_000_000L, "10.0.0.1", 42000));
    assertThat(since(before).get(1)).contains(" burst 50000000 cburst 50000000 ");
    assertThat(since(before))
        .filteredOn(line -> line.contains(" classid f1ec:11 "))
        .satisfiesExactly(
            slow -> assertThat(slow).contains(" rate 8000bit ").contains(" burst 65536 cburst 50"),
            rate -> assertThat(rate).contains(" burst 5000000 cburst 50000000 "));
    assertThat(since(before))
        .filteredOn(line -> line.contains("bfifo"))
        .allMatch(line -> line.endsWith(" limit 2147483647"));

    before = fake.lines().size();
    new HtbPort(fake.tc(), "eth7", 25_000_000).begin();
    assertThat(since(before).get(1)).contains(" burst 65536 cburst 65536 ");
    assertThat(since(before)).last().asString().endsWith(" bfifo limit 625000");
  }

  @Test
  void aLinkThatIsFasterThanItsRateIsWarnedOf() {
    assertThat(port.warning(OptionalLong.of(10_000_000_000L)))
        .hasValueSatisfying(
            words ->
                assertThat(words)
                    .startsWith("eth9 is a link of 10000000000 bits per second")
                    .contains("is held to 1000000000 now", "on the command line"));
    assertThat(port.warning(OptionalLong.of(1_000_000_000))).isEmpty();
    assertThat(port.warning(OptionalLong.empty())).isEmpty();
  }

  @Test
  void aFilterThatMayHaveBeenLeftEndsWithTheClient() throws IOException {
    port.begin();
    fake.fails(OURS);
    assertThatThrownBy(() -> port.apply(new Shape("host", 1, 8_000_000, "10.0.0.1", 42000)))
        .isInstanceOf(IOException.class);
    port.clear();

    assertThat(fake.lines()).last().isEqualTo(NO_FILTERS);
  }

  @Test
  void allRatesOfAClientEndAtOnceAndNextTimeIfThatFails() throws IOException {
    port.begin();
    port.apply(new Shape("host", 1, 8_000_000, "10.0.0.1", 42000));
    port.apply(new Shape("host", 2, 8_000_000, "10.0.0.1", 42001));
    fake.fails(OURS);
    assertThatThrownBy(port::clear).isInstanceOf(IOException.class);
    port.clear();
    port.clear();

    assertThat(fake.lines()).filteredOn(NO_FILTERS::equals).hasSize(2);
    assertThat(fake.lines()).last().isEqualTo(NO_FILTERS);
  }
}
