package io.orchestra.hadoop.testbed.cluster;

import io.orchestra.hadoop.testbed.hadoop.Site;
import io.orchestra.hadoop.testbed.hadoop.SiteSettings;
import io.orchestra.hadoop.testbed.host.Account;

/** What a cluster with Kerberos is told beside the settings of every cluster. */
record KerberosSettings(Kerberos kerberos) {
  /** Who may see pages that name files and jobs. */
  private static final String ADMINISTRATORS = "hdfs,yarn";

  void addTo(SiteSettings settings) {
    core(settings);
    hdfs(settings);
    yarn(settings);
    mapred(settings);
  }

  private void core(SiteSettings settings) {
    Site site = Site.CORE;
    settings.set(site, "hadoop.security.authentication", "kerberos");
    settings.set(site, "hadoop.security.authorization", "true");
    settings.set(site, "hadoop.rpc.protection", "privacy");
    settings.set(
        site,
        "hadoop.http.filter.initializers",
        "org.apache.hadoop.security.AuthenticationFilterInitializer");
    String http = "hadoop.http.authentication.";
    settings.set(site, http + "type", "kerberos");
    settings.set(site, http + "simple.anonymous.allowed", "false");
    settings.set(site, http + "kerberos.principal", Kerberos.serviceAnywhere(Kerberos.HTTP));
    settings.set(site, http + "kerberos.keytab", keytab(Kerberos.HTTP));
    settings.set(site, http + "signature.secret.file", kerberos.httpSecret().toString());
  }

  private void hdfs(SiteSettings settings) {
    Site site = Site.HDFS;
    String principal = Kerberos.serviceAnywhere(Account.HDFS.userName());
    for (String daemon : new String[] {"namenode", "datanode"}) {
      settings.set(site, "dfs." + daemon + ".kerberos.principal", principal);
      settings.set(site, "dfs." + daemon + ".keytab.file", keytab(Account.HDFS.userName()));
    }
    String web = Kerberos.serviceAnywhere(Kerberos.HTTP);
    settings.set(site, "dfs.namenode.kerberos.internal.spnego.principal", web);
    settings.set(site, "dfs.web.authentication.kerberos.principal", web);
    settings.set(site, "dfs.web.authentication.kerberos.keytab", keytab(Kerberos.HTTP));
    settings.set(site, "dfs.cluster.administrators", ADMINISTRATORS);
    // DataNodes on ports that anybody could have taken start only with these two.
    settings.set(site, "dfs.data.transfer.protection", "privacy");
    settings.set(site, "dfs.http.policy", "HTTPS_ONLY");
  }

  private void yarn(SiteSettings settings) {
    Site site = Site.YARN;
    for (String daemon : new String[] {"resourcemanager", "nodemanager"}) {
      settings.set(
          site, "yarn." + daemon + ".principal", Kerberos.serviceAnywhere(Account.YARN.userName()));
      settings.set(site, "yarn." + daemon + ".keytab", keytab(Account.YARN.userName()));
    }
    // The ResourceManager would take other cookies than all other daemons.
    settings.set(site, "yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled", "false");
    settings.set(site, "yarn.admin.acl", ADMINISTRATORS);
  }

  private void mapred(SiteSettings settings) {
    Site site = Site.MAPRED;
    settings.set(
        site,
        "mapreduce.jobhistory.principal",
        Kerberos.serviceAnywhere(Account.MAPRED.userName()));
    settings.set(site, "mapreduce.jobhistory.keytab", keytab(Account.MAPRED.userName()));
    settings.set(site, "mapreduce.shuffle.ssl.enabled", "true");
    // They log in with tokens, and yet ask for the realm.
    for (String options :
        new String[] {"yarn.app.mapreduce.am.command-opts", "mapred.child.java.opts"}) {
      settings.set(
          site, options, settings.value(site, options).orElseThrow() + " " + kerberos.jvmOption());
    }
  }

  private String keytab(String owner) {
    return kerberos.keytab(owner).toString();
  }
}
