package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestra.hadoop.core.blockcache.ReadRequest.Purpose;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReadPurposeTest {
  private static Optional<Purpose> purpose(String thread, String path, String patterns) {
    Configuration conf = new Configuration(false);
    conf.set("orchestra.block-cache.paths", patterns);
    return ReadPurpose.of(new Thread(thread), path, conf);
  }

  private static Optional<Purpose> chosen(String path, String patterns) {
    return purpose("main", path, patterns);
  }

  @Test
  void localizersAreKnownByTheNamesOfTheirThreads() {
    assertThat(purpose("ContainerLocalizer Downloader-1", "/file", ""))
        .contains(Purpose.LOCALIZATION);
    assertThat(purpose("PublicLocalizer #3", "/file", "")).contains(Purpose.LOCALIZATION);
    assertThat(purpose("main", "/file", "")).isEmpty();
  }

  @Test
  void aMapsInputIsLookedForOnlyWhereThatIsSwitchedOn() {
    Configuration conf = new Configuration(false);
    conf.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000000_0");
    conf.setBoolean("mapreduce.task.ismap", true);
    assertThat(ReadPurpose.of(new Thread("main"), "/input", conf)).isEmpty();

    conf.setBoolean("orchestra.block-cache.map-input", true);
    assertThat(ReadPurpose.of(new Thread("main"), "/input", conf)).contains(Purpose.MAP_INPUT);

    conf.setBoolean("mapreduce.task.ismap", false);
    assertThat(ReadPurpose.of(new Thread("main"), "/input", conf)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/models/a", "/lookup/2026/b", "/apps/one/model", "/apps/two/model", "/x/c.bin"})
  void pathsAreChosenByPatterns(String path) {
    String patterns = "/models/*, /lookup/**,/apps/{one,two}/model,/x/*.{bin,dat}";
    assertThat(chosen(path, patterns)).contains(Purpose.CHOSEN_PATH);
    assertThat(chosen(path + "/more", "/models/*,/apps/{one,two}/model")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/{b,/models/*", "/models/*,/a/{b", "/a/[b,/models/*", "{,/models/*"})
  void aPatternThatIsNoneIsIgnored(String patterns) {
    assertThat(chosen("/models/a", patterns)).contains(Purpose.CHOSEN_PATH);
    assertThat(chosen("/a/b", patterns)).isEmpty();
  }
}
