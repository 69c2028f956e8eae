package io.orchestra.hadoop.operator.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.operator.StandInHome;
import io.orchestra.hadoop.operator.StandInRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UninstallerTest {
  @TempDir private Path directory;

  private StandInHome home;
  private Map<String, String> before;
  private Uninstaller uninstaller;

  @BeforeEach
  void install() throws IOException {
    home = new StandInHome(directory.resolve("hadoop"), "3.4.2");
    before = home.everything();
    Release release = StandInRelease.make(directory.resolve("release"), "1.0", "one");
    HadoopHome hadoop = HadoopHome.open(home.root());
    assertThat(new Installer(release, hadoop).install(EnumSet.of(Role.NAMENODE), false))
        .isNotEmpty();
    uninstaller = new Uninstaller(hadoop);
  }

  @Test
  void theHomeIsThenWhatItWas() throws IOException {
    assertThat(uninstaller.uninstall(false)).hasSize(3);

    assertThat(home.everything()).isEqualTo(before);
  }

  @Test
  void aDryRunTellsTheSameAndChangesNothing() throws IOException {
    Map<String, String> installed = home.everything();

    List<String> told = uninstaller.uninstall(true);

    assertThat(home.everything()).isEqualTo(installed);
    assertThat(uninstaller.uninstall(false)).isEqualTo(told).hasSize(3);
  }

  @Test
  void whatIsNotInstalledIsNotRemoved() throws IOException {
    assertThat(uninstaller.uninstall(false)).hasSize(3);

    assertThat(uninstaller.uninstall(false)).isEmpty();
    assertThat(home.everything()).isEqualTo(before);
  }

  @Test
  void theDirectoryOfProfilesGoesIfInstallHasMadeIt() throws IOException {
    HadoopHome bare = homeWithoutProfiles();
    Map<String, String> untouched = home.everything();
    assertThat(bare.profiles()).doesNotExist();
    installTwice(bare);
    assertThat(bare.profiles()).isDirectory();

    List<String> told = new Uninstaller(bare).uninstall(true);

    assertThat(new Uninstaller(bare).uninstall(false))
        .isEqualTo(told)
        .contains("remove " + bare.profiles());
    assertThat(home.everything()).isEqualTo(untouched);
  }

  @Test
  void theDirectoryOfProfilesStaysIfInstallHasNotMadeItOrAnotherIsThere() throws IOException {
    HadoopHome bare = homeWithoutProfiles();
    installTwice(bare);
    home.write("libexec/shellprofile.d/theirs.sh", "# theirs\n");
    assertThat(new Uninstaller(bare).uninstall(false)).hasSize(3);
    assertThat(bare.profiles().resolve("theirs.sh")).exists();

    Files.delete(bare.profiles().resolve("theirs.sh"));
    installTwice(bare);
    assertThat(new Uninstaller(bare).uninstall(false)).hasSize(3);
    assertThat(bare.profiles()).isEmptyDirectory();
  }

  private HadoopHome homeWithoutProfiles() throws IOException {
    home = new StandInHome(directory.resolve("bare"), "3.4.2");
    HadoopHome bare = HadoopHome.open(home.root());
    FileTree.delete(bare.profiles());
    return bare;
  }

  /** The second time the profile is written anew, with what the first knew. */
  private void installTwice(HadoopHome hadoop) {
    Installer installer = new Installer(new Release(directory.resolve("release")), hadoop);
    assertThat(installer.install(EnumSet.of(Role.NAMENODE), false)).hasSize(3);
    assertThat(installer.install(EnumSet.of(Role.DATANODE), false)).hasSize(1);
  }

  /** As where somebody has removed the directory by hand. */
  @Test
  void aProfileAloneIsRemovedToo() throws IOException {
    FileTree.delete(home.root().resolve("orchestra"));

    assertThat(uninstaller.uninstall(false)).hasSize(1);

    assertThat(home.everything()).isEqualTo(before);
  }

  /** As where the operator has put the directory on another disk. */
  @Test
  void aLinkThatLeadsToOurDirectoryStays() throws IOException {
    Path elsewhere = directory.resolve("elsewhere");
    Path link = home.root().resolve("orchestra");
    Files.move(link, elsewhere);
    Files.createSymbolicLink(link, elsewhere);

    assertThat(uninstaller.uninstall(false)).hasSize(3);

    assertThat(link).isSymbolicLink();
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void whatSomebodyPutBesideOursStays() throws IOException {
    home.write("orchestra/current/conf/all/notes.txt", "mine");
    home.write("orchestra/notes.txt", "mine");
    Path notes = home.root().resolve("orchestra/current/conf/all/notes.txt").toRealPath();

    assertThat(uninstaller.uninstall(false)).hasSize(3);

    assertThat(uninstaller.left())
        .containsExactlyInAnyOrder(notes, home.root().resolve("orchestra/notes.txt"));
  }

  /** As by a command that was killed. */
  @Test
  void aVersionThatIsHalfRemovedIsRemovedByTheNextCommand() throws IOException {
    Path version = home.root().resolve("orchestra/current").toRealPath();
    FileTree.delete(version.resolve("jars"));
    FileTree.delete(version.resolve("conf/all"));

    assertThat(uninstaller.uninstall(false)).hasSize(3);

    assertThat(home.everything()).isEqualTo(before);
  }

  /** As where the operator keeps the site files elsewhere. */
  @Test
  void whatALinkInThePlaceOfADirectoryLeadsToStays() throws IOException {
    Path elsewhere = directory.resolve("elsewhere");
    Path version = home.root().resolve("orchestra/current").toRealPath();
    Files.move(version.resolve("conf"), elsewhere);
    Files.createSymbolicLink(version.resolve("conf"), elsewhere);

    assertThat(uninstaller.uninstall(false)).hasSize(3);

    assertThat(elsewhere.resolve("all/hdfs-site.xml")).exists();
    assertThat(uninstaller.left()).contains(version.resolve("conf"));
  }

  /** Whoever can write to it may not have other files removed by who uninstalls. */
  @Test
  void aListThatNamesFilesElsewhereRemovesNoneOfThem() throws IOException {
    home.write("outside", "mine");
    Path outside = home.root().resolve("outside");
    String sum = "0".repeat(64);
    Files.writeString(
        home.root().resolve("orchestra/current/SHA256SUMS"),
        "%1$s  .\n%1$s  ../../outside\n%1$s  conf/../../../outside\n%1$s  %2$s\n"
            .formatted(sum, outside),
        StandardOpenOption.APPEND);
    home.write("orchestra/current/notes.txt", "mine, too");
    Path version = home.root().resolve("orchestra/current").toRealPath();

    assertThat(uninstaller.uninstall(false)).hasSize(3);

    assertThat(outside).hasContent("mine");
    assertThat(FileTree.paths(version))
        .containsExactlyInAnyOrder(version, version.resolve("notes.txt"));
  }

  @Test
  void aConfigurationThatIsNotThereDoesNotSayThatNothingIsNamed() {
    assertThatThrownBy(() -> uninstaller.requireUnused(directory.resolve("nowhere"), List.of()))
        .hasMessageContaining("there is no site file in " + directory.resolve("nowhere"))
        .hasMessageContaining("remedy: name the directory that has them, with --conf");
  }

  /** Hadoop's releases have such files, and daemons may be configured elsewhere. */
  @Test
  void filesWithoutAPropertyDoNotSayThatNothingIsNamed() {
    home.configured("core-site.xml", Map.of());

    assertThatThrownBy(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .hasMessageContaining("there is no property in any site file in " + home.configuration())
        .hasMessageContaining("remedy: name the directory that has them, with --conf");
  }

  /** A daemon that cannot load such a class does not start. */
  @Test
  void nothingIsRemovedWhileTheConfigurationNamesIt() {
    home.configured(
        "hdfs-site.xml",
        Map.of("dfs.namenode.plugins", "a.B,io.orchestra.hadoop.placement.LinkCollector"));

    assertThatThrownBy(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .hasMessageContaining("dfs.namenode.plugins = a.B,io.orchestra")
        .hasMessageContaining("hdfs-site.xml")
        .hasMessageContaining("remedy: take them out");
    home.configured("hdfs-site.xml", Map.of("dfs.namenode.plugins", "a.B"));
    assertThatCode(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .doesNotThrowAnyException();
  }

  /** Hadoop goes by the element's name, with the namespace of XInclude or without. */
  @ParameterizedTest
  @ValueSource(strings = {"", "xmlns='http://www.w3.org/2001/XInclude'"})
  void nothingIsRemovedWhileAnIncludedFileNamesIt(String namespace) {
    home.write(
        "etc/hadoop/hdfs-site.xml",
        "<configuration><include %s href='ours.xml'/></configuration>".formatted(namespace));
    home.configured(
        "ours.xml", Map.of("dfs.namenode.plugins", "io.orchestra.hadoop.placement.LinkCollector"));

    assertThatThrownBy(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .hasMessageContaining("dfs.namenode.plugins = io.orchestra");
  }

  @Test
  void anIncludedFileThatIsNotThereDoesNotSayThatNothingIsNamed() {
    home.write(
        "etc/hadoop/hdfs-site.xml", "<configuration><include href='gone.xml'/></configuration>");

    assertThatThrownBy(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .hasMessageContaining("it includes gone.xml, which is not there");
  }

  @Test
  void nothingIsRemovedWhileAnEntityNamesIt() {
    home.write(
        "etc/hadoop/hdfs-site.xml",
        "<!DOCTYPE configuration [<!ENTITY ours SYSTEM 'ours.ent'>]>\n<configuration>&ours;</configuration>");
    home.write(
        "etc/hadoop/ours.ent",
        "<property><name>dfs.namenode.plugins</name><value>io.orchestra.hadoop.placement.LinkCollector</value></property>");

    assertThatThrownBy(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .hasMessageContaining("dfs.namenode.plugins = io.orchestra");
  }

  /** A NodeManager then takes its services from there, and not from the site file. */
  @Test
  void nothingIsRemovedWhileAManifestOfServicesNamesIt() {
    Path manifest = manifest(directory.resolve("services.json").toUri().toString());
    StandInHome.writeTo(
        manifest,
        "{\"class.name\": \"io.orchestra.hadoop.shuffle.WeightedShuffleHandler\", \"version\": 1}");

    assertThatThrownBy(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .hasMessageContaining(
            "io.orchestra.hadoop.shuffle.WeightedShuffleHandler in " + manifest.toUri())
        .hasMessageContaining("remedy: take them out");

    StandInHome.writeTo(manifest, "{}");
    assertThatCode(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .doesNotThrowAnyException();
  }

  @Test
  void aManifestThatIsNotInUseSaysNothing() {
    StandInHome unused =
        home.configured(
            "yarn-site.xml",
            Map.of("yarn.nodemanager.aux-services.manifest", "hdfs:///services.json"));

    assertThatCode(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @EnumSource
  void eachSiteFileIsLookedAt(Site site) {
    home.configured(site.fileName(), Map.of("some.key", "io.orchestra.hadoop.Some"));

    assertThatThrownBy(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .hasMessageContaining(
            "some.key = io.orchestra.hadoop.Some in "
                + home.configuration().resolve(site.fileName()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs:///services.json", "/services.json", "file:///nowhere/s.json"})
  void nothingIsRemovedWhileAManifestOfServicesCannotBeRead(String manifest) {
    Path unused = manifest(manifest);

    assertThatThrownBy(() -> uninstaller.requireUnused(home.configuration(), List.of()))
        .hasMessageContaining("the manifest of auxiliary services %s cannot".formatted(manifest))
        .hasMessageContaining("remedy: check that it names none; then --force");
  }

  private Path manifest(String address) {
    StandInHome unused =
        home.configured(
            "yarn-site.xml",
            Map.of(
                "yarn.nodemanager.aux-services.manifest.enabled",
                "true",
                "yarn.nodemanager.aux-services.manifest",
                address));
    return directory.resolve("services.json");
  }
}
