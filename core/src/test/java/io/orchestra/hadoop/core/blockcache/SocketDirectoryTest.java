package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SocketDirectoryTest {
  private static final int SOMEBODY = 54_321;

  @TempDir(factory = HomeDirectory.class)
  Path home;

  private Path above;
  private Path run;

  @BeforeEach
  void make() throws IOException {
    above = HomeDirectory.make(home.toRealPath().resolve("above"), "rwxr-xr-x");
    run = HomeDirectory.make(above.resolve("run"), "rwxr-xr-x");
  }

  private SocketDirectory directory() throws IOException {
    return SocketDirectory.of(run.resolve("sock"));
  }

  @Test
  void trustsADirectoryOfOnesOwn() throws IOException {
    assertThatCode(directory()::verifyOwn).doesNotThrowAnyException();
    assertThat(directory().socket()).isEqualTo(run.resolve("sock"));
  }

  @Test
  void followsALinkAndTrustsWhatIsBehindIt() throws IOException {
    Path link = Files.createSymbolicLink(home.resolve("link"), above);
    SocketDirectory linked = SocketDirectory.of(link.resolve("run/sock"));
    assertThatCode(linked::verifyOwn).doesNotThrowAnyException();
    assertThat(linked.socket()).isEqualTo(run.resolve("sock"));
  }

  @Test
  void trustsTheLinkOfLinuxFromVarRunToRun() throws IOException {
    assumeThat(Path.of("/var/run")).isSymbolicLink();
    assertThatCode(SocketDirectory.of(Path.of("/var/run/sock"))::verify).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwxr-x", "rwxr-xrwx"})
  void refusesWhatOthersCanWriteTo(String permissions) throws IOException {
    for (Path directory : new Path[] {run, above}) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
      assertThatThrownBy(directory()::verify)
          .hasMessageContaining(directory + " is writable for others");
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void refusesWhatIsBehindALinkIfOthersCanWriteThere() throws IOException {
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path link = Files.createSymbolicLink(home.resolve("link"), run);
    assertThatThrownBy(SocketDirectory.of(link.resolve("sock"))::verify)
        .hasMessageContaining("run is writable for others");
  }

  @Test
  void refusesALinkThatOthersCanReplace() throws IOException {
    Path open = HomeDirectory.make(home.resolve("open"), "rwxrwxrwx");
    Path link = Files.createSymbolicLink(open.resolve("link"), run);
    Path further = Files.createSymbolicLink(home.resolve("further"), link);

    for (Path way : new Path[] {link, further}) {
      assertThatThrownBy(SocketDirectory.of(way.resolve("sock"))::verify)
          .hasMessageContaining("open is writable for others");
    }
  }

  @Test
  void followsLinksThatAreRelativeAndNoneForEver() throws IOException {
    Files.createSymbolicLink(above.resolve("beside"), Path.of("../above/./run"));
    assertThat(SocketDirectory.of(above.resolve("beside/sock")).socket())
        .isEqualTo(run.resolve("sock"));

    Files.createSymbolicLink(above.resolve("round"), Path.of("round"));
    assertThatThrownBy(() -> SocketDirectory.of(above.resolve("round/sock")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void refusesADirectoryThatIsNotThere() {
    assertThatThrownBy(() -> SocketDirectory.of(above.resolve("none/sock")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void refusesADirectoryBelowOneOfAThird() throws IOException {
    give(above, SOMEBODY);
    assertThatThrownBy(directory()::verify)
        .hasMessageContaining(above + " belongs to user " + SOMEBODY);
  }

  @Test
  void aServerTrustsNoDirectoryOfAnother() throws IOException {
    give(run, SOMEBODY);
    assertThatCode(directory()::verify).doesNotThrowAnyException();
    assertThatThrownBy(directory()::verifyOwn)
        .hasMessageContaining(run + " belongs to user " + SOMEBODY);
  }

  @Test
  void aClientTrustsAServerThatOwnsTheDirectoryAndNoOther() throws IOException {
    UserPrincipal somebody =
        FileSystems.getDefault()
            .getUserPrincipalLookupService()
            .lookupPrincipalByName(Integer.toString(SOMEBODY));
    SocketDirectory directory = directory();
    directory.verifyServer(Files.getOwner(run));
    assertThatThrownBy(() -> directory.verifyServer(somebody))
        .hasMessageContaining(SOMEBODY + " serves");
  }

  @Test
  void aClientTrustsRoot() throws IOException {
    UserPrincipal root = Files.getOwner(run);
    give(run, SOMEBODY);
    assertThatCode(() -> directory().verifyServer(root)).doesNotThrowAnyException();
  }

  private static void give(Path directory, int user) throws IOException {
    assumeThat(System.getProperty("user.name")).as("only root gives files away").isEqualTo("root");
    Files.setAttribute(directory, "unix:uid", user);
  }
}
