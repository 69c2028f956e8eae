package io.orchestra.hadoop.testbed.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orchestra.hadoop.testbed.TestbedException;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.files.FileTree;
import io.orchestra.hadoop.testbed.hadoop.ClientProgram;
import io.orchestra.hadoop.testbed.hadoop.HadoopHome;
import io.orchestra.hadoop.testbed.hadoop.Jvm;
import io.orchestra.hadoop.testbed.hadoop.Plugin;
import io.orchestra.hadoop.testbed.hadoop.Project;
import io.orchestra.hadoop.testbed.hadoop.Setting;
import io.orchestra.hadoop.testbed.host.Account;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** All daemons in one Java process of their own, for machines that cannot emulate hosts. */
final class InProcessCluster implements DemoCluster {
  private static final int HEAP_MEGABYTES = 1500;

  private final HadoopHome hadoop;
  private final Path work;
  private final Process process;
  private final String nameNode;
  private List<ProcessHandle> containers = List.of();

  InProcessCluster(
      TestbedHome home,
      Project project,
      HadoopHome hadoop,
      List<Plugin> plugins,
      List<Setting> settings) {
    this.hadoop = hadoop;
    this.work = home.root().resolve("demo").resolve("in-process");
    FileTree.delete(work);
    FileTree.directory(work.resolve("fetched"));
    FileTree.directory(work.resolve(InProcessSettings.TEMPORARY));
    new InProcessSettings(hadoop, configuration()).write(work, project, plugins, settings);
    List<String> classPath = new ArrayList<>();
    classPath.add(configuration().toString());
    classPath.addAll(hadoop.classPath());
    classPath.add(hadoop.root() + "/share/hadoop/yarn/test/*");
    classPath.add(hadoop.root() + "/share/hadoop/minicluster/lib/*");
    plugins.forEach(plugin -> project.jars(plugin).forEach(jar -> classPath.add(jar.toString())));
    // Last, because its libraries are not those that Hadoop ships.
    classPath.add(ownJar());
    List<String> words = new ArrayList<>();
    words.add(Jvm.program());
    words.addAll(Jvm.options(HEAP_MEGABYTES));
    words.add(temporaryFiles());
    words.add("-Dtest.build.data=" + work.resolve("data"));
    words.addAll(List.of("-cp", String.join(":", classPath)));
    words.addAll(List.of(InProcessDaemons.class.getName(), work.toString()));
    this.process = start(words);
    this.nameNode = awaitReady();
  }

  @Override
  public void hadoop(Account user, List<String> words, Path log) {
    ClientProgram program = ClientProgram.parse(words, hadoop);
    List<String> command = new ArrayList<>();
    command.add(Jvm.program());
    command.addAll(Jvm.options(HEAP_MEGABYTES));
    command.add(temporaryFiles());
    command.addAll(List.of("-cp", configuration() + ":" + String.join(":", hadoop.classPath())));
    command.add(program.mainClass());
    command.addAll(program.arguments());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HADOOP_USER_NAME", user.userName());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      int status = builder.start().waitFor();
      if (status != 0) {
        throw new TestbedException(
            String.join(" ", words) + " failed with status " + status + "; see " + log);
      }
    } catch (IOException e) {
      throw new TestbedException("cannot run java: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted", e);
    }
  }

  @Override
  public Path fetchDirectory() {
    return work.resolve("fetched");
  }

  @Override
  public Optional<JsonNode> nameNode(String path) {
    try {
      return Optional.of(new ObjectMapper().readTree(URI.create(nameNode + path).toURL()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public List<String> leftovers() {
    return Stream.concat(Stream.of(process.toHandle()), containers.stream())
        .filter(ProcessHandle::isAlive)
        .map(handle -> "process " + handle.pid())
        .toList();
  }

  /** The daemons end when their standard input does; containers would live on for a while. */
  @Override
  public void close() {
    containers = process.descendants().toList();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      containers.forEach(ProcessHandle::destroyForcibly);
      CompletableFuture.allOf(
              containers.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
          .get(10, TimeUnit.SECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    FileTree.delete(work);
  }

  private Process start(List<String> words) {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.directory(work.toFile());
    builder.environment().put("HADOOP_USER_NAME", Account.HDFS.userName());
    builder.redirectError(log());
    try {
      return builder.start();
    } catch (IOException e) {
      throw new TestbedException("cannot run java: " + e.getMessage(), e);
    }
  }

  private String awaitReady() {
    try {
      BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(InProcessDaemons.READY)) {
          return line.substring(InProcessDaemons.READY.length());
        }
      }
      throw new TestbedException("the in-process cluster did not start: see " + log());
    } catch (IOException e) {
      throw new TestbedException("the in-process cluster did not start: " + e.getMessage(), e);
    }
  }

  private File log() {
    return work.resolveSibling("in-process.log").toFile();
  }

  /** Web servers and clients leave files behind; there they go with everything else. */
  private String temporaryFiles() {
    return "-Djava.io.tmpdir=" + work.resolve(InProcessSettings.TEMPORARY);
  }

  private Path configuration() {
    return work.resolve("conf");
  }

  private static String ownJar() {
    return Path.of(
            URI.create(
                InProcessCluster.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toString()))
        .toString();
  }
}
