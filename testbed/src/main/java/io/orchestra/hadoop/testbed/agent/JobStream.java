package io.orchestra.hadoop.testbed.agent;

import io.orchestra.hadoop.testbed.DaemonThread;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.AggregateWordCount;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.aggregate.ValueAggregatorJob;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs stock MapReduce programs, or {@link SyntheticJob}, each at its time, in one process:
 * starting one for each program would cost the machine more than its job.
 *
 * <ul>
 *   <li>{@code job NAME MILLIS PROGRAM ARGUMENT…}: is to start so long after the beginning
 *   <li>{@code begin}: answers {@code ended NAME STATUS} for each program that ends, then {@code
 *       all}
 * </ul>
 */
public final class JobStream {
  private static final String GREP = "org.apache.hadoop.examples.Grep";
  private static final String LOAD_GENERATOR = "org.apache.hadoop.mapreduce.GenericMRLoadGenerator";

  private final Conversation conversation;
  private final List<Planned> planned = new ArrayList<>();

  private record Planned(String name, long millis, String program, String[] arguments) {}

  private JobStream(Conversation conversation) {
    this.conversation = conversation;
  }

  public static void main(String[] arguments) {
    Conversation conversation = new Conversation();
    JobStream stream = new JobStream(conversation);
    conversation.answer("ready");
    conversation.listenToTheEnd(
        (verb, words) -> {
          switch (verb) {
            case "job" ->
                stream.planned.add(
                    new Planned(
                        words.get(0),
                        Long.parseLong(words.get(1)),
                        words.get(2),
                        words.subList(3, words.size()).toArray(String[]::new)));
            case "begin" -> stream.begin();
            default -> throw new IllegalArgumentException(verb);
          }
        });
  }

  private void begin() throws InterruptedException {
    long start = System.nanoTime();
    CountDownLatch running = new CountDownLatch(planned.size());
    for (Planned job : planned) {
      DaemonThread.of(
              job.name(),
              () -> {
                run(job, start);
                running.countDown();
              })
          .start();
    }
    planned.clear();
    running.await();
    conversation.answer("all");
  }

  private void run(Planned job, long start) {
    try {
      long wait = start + TimeUnit.MILLISECONDS.toNanos(job.millis()) - System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(Math.max(0, wait));
      conversation.answer("ended %s %d".formatted(job.name(), run(job)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      conversation.fail(e);
    }
  }

  private static int run(Planned job) throws Exception {
    return switch (job.program()) {
      case "grep" -> run(GREP, job.arguments());
      case "loadgen" -> run(LOAD_GENERATOR, job.arguments());
      case "synthetic" -> run(SyntheticJob.class.getName(), job.arguments());
      case "aggregatewordcount" -> aggregate(job.arguments());
      default -> throw new IllegalArgumentException(job.program());
    };
  }

  /** Only their main methods can be called, which would end this process. */
  private static int run(String tool, String[] arguments) throws Exception {
    Constructor<?> constructor = Class.forName(tool).getDeclaredConstructor();
    constructor.setAccessible(true);
    return ToolRunner.run(new Configuration(), (Tool) constructor.newInstance(), arguments);
  }

  /** What the program's main does, which would end this process. */
  private static int aggregate(String[] arguments)
      throws ClassNotFoundException, IOException, InterruptedException {
    Job job =
        ValueAggregatorJob.createValueAggregatorJob(
            arguments, new Class[] {AggregateWordCount.WordCountPlugInClass.class});
    job.setJarByClass(AggregateWordCount.class);
    job.setInputFormatClass(PacedTextInputFormat.class);
    return job.waitForCompletion(false) ? 0 : 1;
  }
}
