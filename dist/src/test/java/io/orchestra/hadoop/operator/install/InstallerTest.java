package io.orchestra.hadoop.operator.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orchestra.hadoop.operator.OperatorException;
import io.orchestra.hadoop.operator.StandInHome;
import io.orchestra.hadoop.operator.StandInRelease;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InstallerTest {
  @TempDir private Path directory;

  private StandInHome home;
  private Release release;

  @BeforeEach
  void unpack() {
    home = new StandInHome(directory.resolve("hadoop"), "3.5.0");
    release = StandInRelease.make(directory.resolve("release"), "1.0", "one");
  }

  @Test
  void writesItsOwnDirectoryAndOneShellProfileAndNothingElse() throws IOException {
    Map<String, String> before = home.everything();

    install(release, Role.NAMENODE);

    assertThat(StandInHome.differences(before, home.everything()))
        .contains("orchestra", "orchestra/current", "libexec/shellprofile.d/orchestra.sh")
        .allMatch(
            name ->
                name.equals("orchestra")
                    || name.startsWith("orchestra/")
                    || name.equals("libexec/shellprofile.d/orchestra.sh"));
  }

  @Test
  void aDryRunTellsWhatWouldBeDoneAndChangesNothing() throws IOException {
    Map<String, String> before = home.everything();

    List<String> told = installer(release).install(EnumSet.of(Role.NAMENODE), true);

    assertThat(home.everything()).isEqualTo(before);
    assertThat(told).isEqualTo(install(release, Role.NAMENODE)).hasSize(3);
  }

  @Test
  void doneAgainItChangesNothing() throws IOException {
    install(release, Role.NAMENODE);
    Map<String, String> before = home.everything();

    assertThat(install(release, Role.NAMENODE)).isEmpty();
    assertThat(home.everything()).isEqualTo(before);
  }

  @Test
  void rolesAreAddedToThoseInstalledBefore() throws IOException, InterruptedException {
    install(release, Role.NAMENODE);
    install(release, Role.DATANODE);

    assertThat(new Installation(hadoop()).roles())
        .containsExactly(Role.NAMENODE, Role.DATANODE, Role.CLIENT);
  }

  /** As on hosts that share a home. */
  @Test
  void rolesThatAreInstalledAtTheSameTimeAreAllKept()
      throws ExecutionException, IOException, InterruptedException {
    List<Role> roles =
        List.of(Role.NAMENODE, Role.DATANODE, Role.RESOURCEMANAGER, Role.NODEMANAGER);
    CyclicBarrier start = new CyclicBarrier(roles.size());
    ExecutorService hosts = Executors.newFixedThreadPool(roles.size());
    try {
      List<Future<List<String>>> installed =
          hosts.invokeAll(
              roles.stream()
                  .map(
                      role ->
                          (Callable<List<String>>)
                              () -> {
                                int unused = start.await();
                                return install(release, role);
                              })
                  .toList());
      for (Future<List<String>> changes : installed) {
        assertThat(changes.get()).isNotEmpty();
      }
    } finally {
      hosts.shutdownNow();
    }

    assertThat(new Installation(hadoop()).roles()).containsExactly(Role.values());
    assertThat(new Installation(hadoop()).damaged()).isEmpty();
    assertThat(new Installation(hadoop()).unfinished()).isEmpty();
  }

  @Test
  void whoCannotChangeTheHomeInTimeIsToldThatAnotherCommandDoes() throws IOException {
    install(release, Role.NAMENODE);
    Map<String, String> before = home.everything();
    Installer impatient = new Installer(release, hadoop(), Duration.ZERO);
    Uninstaller other = new Uninstaller(hadoop(), Duration.ZERO);

    try (InstallationLock lock = InstallationLock.take(new Installation(hadoop()), Duration.ZERO)) {
      assertThatThrownBy(() -> impatient.install(Set.of(Role.DATANODE), false))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("another command is changing " + home.root())
          .hasMessageContaining("remedy: run this again when it has ended");
      assertThatThrownBy(() -> other.uninstall(false))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("another command is changing " + home.root());
    }

    assertThat(home.everything()).isEqualTo(before);
    assertThat(impatient.install(Set.of(Role.DATANODE), false)).isNotEmpty();
  }

  @Test
  void anInstalledCopyAddsRoles() throws IOException {
    install(release, Role.NAMENODE);

    assertThat(install(installed(), Role.DATANODE))
        .singleElement()
        .asString()
        .contains("for the roles namenode, datanode, client");
  }

  /** They are most of the archive. */
  @Test
  void figuresOfBenchmarksStayInTheArchive() throws IOException {
    Path results = release.root().resolve("docs/results/shuffle");
    StandInHome.writeTo(results.resolve("report.md"), "fast");
    StandInHome.writeTo(results.resolve("result.json"), "{}");
    StandInHome.writeTo(results.resolve("plots/figure.svg"), "<svg/>");

    install(release, Role.NAMENODE);

    Path copy = installed().root().resolve("docs/results/shuffle");
    assertThat(FileTree.paths(copy)).containsExactlyInAnyOrder(copy, copy.resolve("report.md"));
    assertThat(install(installed(), Role.NAMENODE)).isEmpty();
  }

  /** As a framework's archive that is made there, or what a command has printed. */
  @Test
  void whatIsBesideTheArchivesOwnIsNotInstalled() throws IOException {
    StandInHome.writeTo(release.root().resolve("framework/hadoop.jar"), "large");
    StandInHome.writeTo(release.root().resolve("notes.txt"), "mine");

    install(release, Role.NAMENODE);

    assertThat(installed().root().resolve("framework")).doesNotExist();
    assertThat(installed().root().resolve("notes.txt")).doesNotExist();
    Files.delete(release.root().resolve("notes.txt"));
    assertThat(install(release, Role.NAMENODE)).isEmpty();
    home.write("orchestra/current/notes.txt", "mine");
    assertThat(install(installed(), Role.NAMENODE)).isEmpty();
  }

  @Test
  void aCopyOfAVersionThatSomebodyHasMadeStays() throws IOException {
    install(release, Role.NAMENODE);
    Path copy = home.root().resolve("orchestra/known-good-20261201");
    Files.move(installed().root(), copy);
    install(release, Role.NAMENODE);

    install(StandInRelease.make(directory.resolve("newer"), "2.0", "two"), Role.NAMENODE);
    install(StandInRelease.make(directory.resolve("newest"), "3.0", "three"), Role.NAMENODE);

    assertThat(copy.resolve("SHA256SUMS")).exists();
  }

  /** The list of a copy of it would say that the damage is right. */
  @Test
  void aDamagedCopyIsNotInstalled() throws IOException {
    install(release, Role.NAMENODE);
    Files.writeString(
        home.root().resolve("orchestra/current/orchestra-datanode.jar").toRealPath(), "torn");
    Map<String, String> damaged = home.everything();

    assertThatThrownBy(() -> install(installed(), Role.DATANODE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("not what was installed: jars/orchestra-datanode-1.0.jar")
        .hasMessageContaining("remedy: unpack orchestra-hadoop-<version>.tar.gz");
    assertThat(home.everything()).isEqualTo(damaged);

    Files.delete(home.root().resolve("orchestra/current/SHA256SUMS"));
    assertThatThrownBy(() -> install(installed(), Role.DATANODE))
        .hasMessageContaining("not what was installed: SHA256SUMS");
  }

  @Test
  void eachProgramGetsTheJarOfItsRoleAlone() throws IOException, InterruptedException {
    install(release, Role.NAMENODE, Role.DATANODE);
    String installed = home.root() + "/orchestra/current/orchestra-";

    assertThat(ours("namenode")).containsExactly(installed + "namenode.jar");
    assertThat(ours("secondarynamenode")).containsExactly(installed + "namenode.jar");
    assertThat(ours("balancer")).containsExactly(installed + "namenode.jar");
    assertThat(ours("mover")).containsExactly(installed + "namenode.jar");
    assertThat(ours("fsImageValidation")).containsExactly(installed + "namenode.jar");
    assertThat(ours("datanode")).containsExactly(installed + "datanode.jar");
    assertThat(ours("dfs")).containsExactly(installed + "client.jar");
    assertThat(ours("jar")).containsExactly(installed + "client.jar");
    assertThat(ours("historyserver")).containsExactly(installed + "client.jar");
    assertThat(ours("")).containsExactly(installed + "client.jar");
    // Not installed here.
    assertThat(ours("nodemanager")).isEmpty();
  }

  @Test
  void anotherVersionTakesThePlaceOfTheOneBefore() throws IOException, InterruptedException {
    install(release, Role.DATANODE);
    Release next = StandInRelease.make(directory.resolve("next"), "1.1", "two");

    install(next);

    assertThat(ours("datanode"))
        .singleElement()
        .satisfies(jar -> assertThat(Path.of(jar)).hasContent("two"));
    assertThat(new Installation(hadoop()).version())
        .hasValueSatisfying(version -> assertThat(version).startsWith("1.1-"));
  }

  @Test
  void anotherBuildOfTheSameVersionTakesItsPlaceToo() throws IOException, InterruptedException {
    install(release, Role.DATANODE);
    install(StandInRelease.make(directory.resolve("next"), "1.0", "two"));

    assertThat(Path.of(ours("datanode").get(0))).hasContent("two");
  }

  /** Daemons that run load classes from it until they are restarted. */
  @Test
  void theVersionBeforeIsKeptUntilTheNextButOneIsInstalled() throws IOException {
    install(release, Role.DATANODE);
    Path first = installed().root();
    Release next = StandInRelease.make(directory.resolve("next"), "1.1", "two");
    install(next);
    Path second = installed().root();
    // As on another host that shares the home.
    install(next, Role.NAMENODE);

    assertThat(first.resolve("jars/orchestra-datanode-1.0.jar")).hasContent("one");
    assertThat(install(StandInRelease.make(directory.resolve("last"), "1.2", "three")))
        .contains("remove %s, an earlier version".formatted(first));

    assertThat(new Installation(hadoop()).versions()).containsExactly(second, installed().root());
    assertThat(new Installation(hadoop()).remains()).isEmpty();
    assertThat(uninstall()).isNotEmpty();
    assertThat(home.root().resolve("orchestra")).doesNotExist();
  }

  @Test
  void anEarlierVersionInWhichSomebodyKeepsFilesIsLeft() throws IOException {
    install(release, Role.DATANODE);
    Path first = installed().root();
    Files.writeString(first.resolve("conf/notes"), "ours");
    install(StandInRelease.make(directory.resolve("next"), "1.1", "two"));

    assertThat(install(StandInRelease.make(directory.resolve("last"), "1.2", "three")))
        .contains(
            "leave %s, an earlier version: these files in it are not ours: conf/notes"
                .formatted(first));
    assertThat(first.resolve("conf/notes")).hasContent("ours");
    assertThat(first.resolve("jars/orchestra-datanode-1.0.jar")).hasContent("one");
  }

  @Test
  void goingBackIsALinkAlone() throws IOException {
    install(release, Role.DATANODE);
    Path first = installed().root();
    install(StandInRelease.make(directory.resolve("next"), "1.1", "two"));

    assertThat(install(release))
        .anyMatch(change -> change.endsWith("orchestra/current a link to " + first.getFileName()))
        .noneMatch(change -> change.startsWith("copy ") || change.startsWith("remove "));
  }

  @ParameterizedTest
  @ValueSource(strings = {".removed-1", ".damaged-1.0-aaaa", ".orchestra-link-17"})
  void whatWasLeftIsRemovedByTheNextCommand(String name) throws IOException {
    install(release, Role.DATANODE);
    Path left = home.root().resolve("orchestra").resolve(name);
    home.write("orchestra/" + name + "/SHA256SUMS", "");
    String line = "remove %s, which was left".formatted(left);

    assertThat(install(release)).containsExactly(line);
    assertThat(left).doesNotExist();

    Files.createSymbolicLink(left, Path.of("nowhere"));
    assertThat(uninstall()).contains(line);
    assertThat(home.root().resolve("orchestra")).doesNotExist();
  }

  /** What can be repaired is there until the repair is. */
  @Test
  void aDamagedVersionGivesWayOnlyToAWholeOne() throws IOException {
    install(release, Role.DATANODE);
    Path version = installed().root();
    Files.writeString(version.resolve("jars/orchestra-datanode-1.0.jar"), "torn");
    // Of another repair, which could not delete it.
    home.write("orchestra/.damaged-" + version.getFileName() + "/jars/.nfs1", "");

    assertThat(install(release))
        .satisfiesExactly(
            change -> assertThat(change).startsWith("copy "),
            change -> assertThat(change).startsWith("remove ").endsWith("which was left"));

    assertThat(installed().root()).isEqualTo(version);
    assertThat(new Installation(hadoop()).damaged()).isEmpty();
    assertThat(new Installation(hadoop()).remains()).isEmpty();
  }

  @Test
  void whoMayNotWriteIsToldWhoMay() throws IOException {
    install(release, Role.DATANODE);
    Path lock = home.root().resolve("orchestra/.lock");

    assertThat(new Installation(hadoop()).refused("write", denied(lock)))
        .hasMessageContaining("no permission to write " + lock)
        .hasMessageContaining("remedy: run this as the user who owns " + home.root());
  }

  /** As where root has installed once. */
  @Test
  void whoOwnsTheHomeAndMayNotWriteIsToldWhoseTheFileIs() throws IOException {
    assumeThat(System.getProperty("user.name")).as("only root gives files away").isEqualTo("root");
    install(release, Role.DATANODE);
    Path lock = home.root().resolve("orchestra/.lock");
    Files.setAttribute(home.root(), "unix:uid", 65_534);
    String owner = Files.getOwner(home.root()).getName();

    assertThat(new Installation(hadoop()).refused("write", denied(lock)))
        .hasMessageContaining("%s belongs to root, and the home to %s".formatted(lock, owner))
        .hasMessageContaining(
            "remedy: as root: chown -R -h %s %s"
                .formatted(owner, home.root().resolve("orchestra")));
  }

  private static AccessDeniedException denied(Path file) {
    return new AccessDeniedException(file.toString());
  }

  @Test
  void whatWasDamagedIsMadeWhole() throws IOException {
    install(release, Role.DATANODE);
    Path jar = home.root().resolve("orchestra/current/orchestra-datanode.jar").toRealPath();
    Files.writeString(jar, "torn");
    home.write("orchestra/current/notes/of-ours", "kept");

    assertThat(new Installation(hadoop()).damaged())
        .containsExactly("jars/orchestra-datanode-1.0.jar");
    install(release);
    assertThat(home.root().resolve("orchestra/current/notes/of-ours")).hasContent("kept");

    assertThat(new Installation(hadoop()).damaged()).isEmpty();
    assertThat(jar).hasContent("one");
  }

  /** As where a home was copied by a program that leaves links out. */
  @Test
  void linksThatWereLostAreMadeAgain() throws IOException, InterruptedException {
    install(release, Role.DATANODE);
    Files.delete(home.root().resolve("orchestra/current/orchestra-datanode.jar"));
    assertThat(new Installation(hadoop()).damaged()).containsExactly("orchestra-datanode.jar");

    assertThat(install(release)).isNotEmpty();

    assertThat(new Installation(hadoop()).damaged()).isEmpty();
    assertThat(Path.of(ours("datanode").get(0))).hasContent("one");
  }

  @Test
  void aDirectoryInThePlaceOfTheLinkIsRefused() throws IOException {
    install(release, Role.DATANODE);
    Files.delete(home.root().resolve("orchestra/current"));
    home.write("orchestra/current/copied", "");
    Map<String, String> before = home.everything();

    assertThatThrownBy(() -> install(release))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("orchestra/current is no link to a version")
        .hasMessageContaining("remedy: remove it");
    assertThat(home.everything()).isEqualTo(before);
  }

  @Test
  void aFileInThePlaceOfOurDirectoryIsNamed() {
    home.write("orchestra", "notes");

    assertThatThrownBy(() -> install(release))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(home.root().resolve("orchestra") + " is in the way")
        .hasMessageContaining("remedy: move it away");
  }

  @Test
  void whatAKilledInstallerLeftIsRemovedWhenNoOtherCanStillBeAtWork() throws IOException {
    install(release, Role.DATANODE);
    home.write("orchestra/.installing-1/jars/half", "of it");
    home.write("orchestra/.installing-2/jars/half", "of it");
    Path old = home.root().resolve("orchestra/.installing-1");
    Path unused =
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));

    assertThat(install(release)).singleElement().asString().contains(old.toString());

    assertThat(old).doesNotExist();
    assertThat(home.root().resolve("orchestra/.installing-2")).exists();
    assertThat(uninstall()).hasSize(4);
    assertThat(home.root().resolve("orchestra")).doesNotExist();
  }

  /** The link changes last: until then programs find the version before, whole. */
  @Test
  void aVersionThatCannotBeCopiedLeavesTheOneBeforeInForce() throws Exception {
    install(release, Role.DATANODE);
    Map<String, String> before = home.everything();
    Release next = StandInRelease.make(directory.resolve("next"), "1.1", "two");
    String name = next.version() + "-" + next.files().fingerprint();
    home.write("orchestra/" + name, "in the way");

    assertThatThrownBy(() -> install(next))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("cannot install: ")
        .hasMessageContaining(name);

    Files.delete(home.root().resolve("orchestra").resolve(name));
    assertThat(home.everything()).isEqualTo(before);
  }

  /** Daemons and containers run as other users. */
  @Test
  void everybodyMayReadWhatIsInstalled() throws IOException {
    Files.setPosixFilePermissions(
        release.jar(Role.DATANODE), PosixFilePermissions.fromString("rw-------"));

    install(release, Role.DATANODE);

    Map<String, String> ours = new TreeMap<>(home.everything());
    ours.keySet().removeIf(name -> !name.matches("orchestra(/.*)?|.*/orchestra\\.sh"));
    ours.values().removeIf(content -> content.startsWith("-> "));
    assertThat(ours).hasSizeGreaterThan(10);
    ours.forEach(
        (name, content) -> {
          boolean entered = Files.isDirectory(home.root().resolve(name));
          assertThat(content)
              .as(name)
              .startsWith(entered || name.endsWith("/bin/orchestra") ? "rwxr-xr-x" : "rw-r--r--");
        });
  }

  @Test
  void theXmlToAddIsThatOfTheRoles() {
    String text =
        new PropertiesToAdd(release).text(hadoop(), EnumSet.of(Role.DATANODE, Role.CLIENT));

    assertThat(text)
        .contains("hdfs-site.xml, read by DataNode, application masters, tasks and clients:")
        .contains("    <value>io.orchestra.hadoop.placement.LinkReporter</value>\n")
        .contains("    <value>true</value>\n    <final>true</final>\n")
        .contains("$HADOOP_MAPRED_HOME/orchestra/current/orchestra-client.jar")
        .doesNotContain("LinkCollector");
  }

  /** What is pasted switches on what the shipped files do. */
  @Test
  void theXmlToAddForAllRolesIsAllThatIsShipped() throws IOException {
    Release source = new Release(Path.of(".."));

    String text = new PropertiesToAdd(source).text(hadoop(), EnumSet.allOf(Role.class));

    int compared = 0;
    for (Site site : Site.values()) {
      Map<String, SiteFile.Value> shipped =
          SiteFile.read(source.allSettings().resolve(site.fileName()));
      assertThat(pasted(text, site)).as(site.fileName()).isEqualTo(shipped);
      compared += shipped.size();
    }
    assertThat(compared).isGreaterThan(15);
  }

  /** What an operator has whose site file is what is printed for it; nothing if nothing is. */
  private Map<String, SiteFile.Value> pasted(String text, Site site) {
    Matcher part =
        Pattern.compile(Pattern.quote(site.fileName()) + ", read by .*:\n\n((?:.+\n)*)")
            .matcher(text);
    Path file = directory.resolve("pasted.xml");
    StandInHome.writeTo(
        file, "<configuration>\n" + (part.find() ? part.group(1) : "") + "</configuration>\n");
    return SiteFile.read(file);
  }

  @Test
  void theXmlToAddSaysWhatIsToBeKnownOfAProperty() {
    StandInHome.writeTo(
        release.root().resolve("conf/all/yarn-site.xml"),
        """
        <configuration>
          <property>
            <name>yarn.resourcemanager.scheduler.class</name>
            <value>io.orchestra.hadoop.prefetch.FlexFetchScheduler</value>
            <description>Not with &lt;another&gt;
              scheduler.</description>
          </property>
        </configuration>
        """);

    assertThat(new PropertiesToAdd(release).text(hadoop(), EnumSet.of(Role.RESOURCEMANAGER)))
        .contains(
            "FlexFetchScheduler</value>\n    <description>Not with &lt;another> scheduler.</description>\n");
  }

  /** On a cluster that has absolute paths it is unknown in containers, by Hadoop's default. */
  @Test
  void theClassPathOfTasksIsSaidToNeedAVariable() {
    Release source = new Release(Path.of(".."));

    assertThat(new PropertiesToAdd(source).text(hadoop(), EnumSet.of(Role.CLIENT)))
        .containsPattern(
            "orchestra-client.jar</value>\n    <description>.* yarn\\.nodemanager\\.env-whitelist")
        .containsOnlyOnce("Containers know $HADOOP_MAPRED_HOME only if yarn.nodemanager")
        .contains("\nIts description above says when containers know that variable");
  }

  /** Whoever pastes what is printed has seen no comment. */
  @Test
  void theSchedulerIsSaidToBeOnlyForWhoHasTheFairScheduler() {
    Release source = new Release(Path.of(".."));

    assertThat(new PropertiesToAdd(source).text(hadoop(), EnumSet.of(Role.RESOURCEMANAGER)))
        .containsPattern("FlexFetchScheduler</value>\n    <description>.* CapacityScheduler");
    assertThat(
            SiteFile.read(source.root().resolve("conf/prefetch-scheduler/yarn-site.xml"))
                .get("yarn.resourcemanager.scheduler.class")
                .description())
        .contains("CapacityScheduler");
  }

  @Test
  void aProfileThatIsNotOursStaysAndNothingIsMade() throws IOException {
    home.write("libexec/shellprofile.d/orchestra.sh", "# of a music service\n");
    Map<String, String> before = home.everything();

    assertThatThrownBy(() -> install(release, Role.DATANODE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("is not one that this command wrote")
        .hasMessageContaining("remedy: move it away");
    assertThat(home.everything()).isEqualTo(before);
  }

  @Test
  void aDirectoryThatIsNoHadoopHomeIsRefused() {
    assertThatThrownBy(() -> HadoopHome.open(directory))
        .hasMessageContaining("is not a Hadoop home")
        .hasMessageContaining("remedy: ");
  }

  @Test
  void jarsWithoutScriptsAreNoHomeToInstallIn() throws IOException {
    Files.move(home.root().resolve("libexec"), directory.resolve("elsewhere"));

    assertThatThrownBy(this::hadoop)
        .hasMessageContaining("it has no libexec")
        .hasMessageContaining("remedy: ");
  }

  /** Hadoop's scripts pass over shell profiles there. */
  @Test
  void aHomeWithWhiteSpaceInItsPathIsRefused() {
    StandInHome spaced = new StandInHome(directory.resolve("my hadoop"), "3.5.0");

    assertThatThrownBy(() -> HadoopHome.open(spaced.root()))
        .hasMessageContaining("has white space in it")
        .hasMessageContaining("remedy: move it");
  }

  @Test
  void aLinkToSuchAHomeIsRefused() throws IOException {
    StandInHome spaced = new StandInHome(directory.resolve("my hadoop"), "3.5.0");
    Path link = Files.createSymbolicLink(directory.resolve("link"), spaced.root());

    assertThatThrownBy(() -> HadoopHome.open(link))
        .hasMessageContaining("has white space in it")
        .hasMessageContaining("my hadoop");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.10.2", "3.3.6", "4.0.0"})
  void anotherHadoopIsRefused(String version) {
    StandInHome other = new StandInHome(directory.resolve("other"), version);

    assertThatThrownBy(() -> HadoopHome.open(other.root()))
        .hasMessageContaining("is Hadoop " + version)
        .hasMessageContaining("remedy: use Hadoop 3.4 or 3.5");
  }

  /** As where an upgrade was unpacked over the old Hadoop. */
  @Test
  void aHomeWithTwoHadoopsIsRefused() {
    home.write("share/hadoop/common/hadoop-common-3.4.2.jar", "");

    assertThatThrownBy(this::hadoop)
        .hasMessageContaining("of several versions: 3.4.2, 3.5.0")
        .hasMessageContaining("remedy: keep the jars of one version");
  }

  @Test
  void anUnknownRoleIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> Role.named("worker"))
        .hasMessageContaining("'worker' is not a role")
        .hasMessageContaining("namenode, datanode, resourcemanager, nodemanager, client");
  }

  private Release installed() throws IOException {
    return new Release(home.root().resolve("orchestra/current").toRealPath());
  }

  private List<String> install(Release what, Role... roles) {
    return installer(what).install(Set.of(roles), false);
  }

  private List<String> uninstall() {
    return new Uninstaller(hadoop()).uninstall(false);
  }

  private Installer installer(Release what) {
    return new Installer(what, hadoop());
  }

  private HadoopHome hadoop() {
    return HadoopHome.open(home.root());
  }

  private List<String> ours(String subcommand) throws IOException, InterruptedException {
    return home.classPath(subcommand).stream()
        .filter(entry -> entry.contains("/orchestra/"))
        .toList();
  }
}
