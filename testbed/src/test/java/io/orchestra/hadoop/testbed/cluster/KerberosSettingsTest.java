package io.orchestra.hadoop.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestra.hadoop.testbed.hadoop.Daemon;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.hadoop.SiteSettings;
import io.orchestra.hadoop.testbed.host.Account;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KerberosSettingsTest {
  private static final ClusterDirectory DIRECTORY = new ClusterDirectory(Path.of("/c"));
  private static final Kerberos KERBEROS = new Kerberos(DIRECTORY, Path.of("/host"));

  @Test
  void everythingThatCanBeProtectedIs() {
    SiteSettings settings = settings();
    assertThat(settings.value(Site.CORE, "hadoop.security.authentication")).contains("kerberos");
    assertThat(settings.value(Site.CORE, "hadoop.security.authorization")).contains("true");
    assertThat(settings.value(Site.CORE, "hadoop.rpc.protection")).contains("privacy");
    assertThat(settings.value(Site.HDFS, "dfs.block.access.token.enable")).contains("true");
    assertThat(settings.value(Site.HDFS, "dfs.data.transfer.protection")).contains("privacy");
    assertThat(settings.value(Site.HDFS, "dfs.http.policy")).contains("HTTPS_ONLY");
  }

  @Test
  void hostsFindTheirOwnKeytabsByTheSameSettings() {
    assertThat(settings().value(Site.HDFS, "dfs.datanode.kerberos.principal"))
        .contains("hdfs/_HOST@TESTBED");
    assertThat(settings().value(Site.HDFS, "dfs.datanode.keytab.file"))
        .contains("/host/keytabs/hdfs.keytab");
    assertThat(KERBEROS.login(Account.ALICE))
        .containsEntry("KRB5PRINCIPAL", "alice@TESTBED")
        .containsEntry("KRB5KEYTAB", "/host/keytabs/alice.keytab");
  }

  @Test
  void tasksFindTheRealmBesideTheirOtherOptions() {
    assertThat(settings().value(Site.MAPRED, "mapred.child.java.opts").orElseThrow())
        .startsWith("-Xmx")
        .endsWith(" -Djava.security.krb5.conf=/c/conf/krb5.conf");
  }

  @Test
  void hdfsAnswersHttpsAndYarnDoesNot() {
    assertThat(Daemon.NAMENODE.webAddress("m1", false)).isEqualTo("http://m1:9870");
    assertThat(Daemon.NAMENODE.webAddress("m1", true)).isEqualTo("https://m1:9871");
    assertThat(Daemon.RESOURCEMANAGER.webAddress("m1", true)).isEqualTo("http://m1:8088");
  }

  @Test
  void twoMastersAreRefused() {
    ClusterSpec twoMasters = Specs.of(true, List.of());
    assertThatThrownBy(() -> twoMasters.withKerberos(true)).hasMessageContaining("leave out --ha");
  }

  private static SiteSettings settings() {
    SiteSettings settings =
        new BaseSettings(
                Specs.of(false, List.of()),
                DIRECTORY,
                new HadoopHome(Path.of("/h"), "3.5.0"),
                Path.of("/host"))
            .settings();
    new KerberosSettings(KERBEROS).addTo(settings);
    return settings;
  }
}
