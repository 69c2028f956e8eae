package io.orchestra.hadoop.testbed.agent;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;

/**
 * Submits jobs, as the user it runs as.
 *
 * <p>{@code run INPUT OUTPUT REDUCERS KEY=VALUE…}: runs a {@link DemandJob} with these settings to
 * its end; answers {@code ran APPLICATION}, the number in its id.
 */
public final class JobAgent {
  private final Conversation conversation;

  private JobAgent(Conversation conversation) {
    this.conversation = conversation;
  }

  public static void main(String[] arguments) {
    Conversation conversation = new Conversation();
    JobAgent agent = new JobAgent(conversation);
    conversation.answer("ready");
    conversation.listenToTheEnd(
        (verb, words) -> {
          if (!verb.equals("run")) {
            throw new IllegalArgumentException(verb);
          }
          agent.run(words);
        });
  }

  private void run(List<String> words)
      throws IOException, InterruptedException, ClassNotFoundException {
    Configuration conf = new JobConf();
    for (String setting : words.subList(3, words.size())) {
      int equals = setting.indexOf('=');
      conf.set(setting.substring(0, equals), setting.substring(equals + 1));
    }
    Job job =
        DemandJob.create(
            conf, new Path(words.get(0)), new Path(words.get(1)), Integer.parseInt(words.get(2)));
    if (!job.waitForCompletion(false)) {
      throw new IOException(job.getJobID() + " failed: " + job.getStatus().getFailureInfo());
    }
    conversation.answer("ran " + job.getJobID().toString().substring("job_".length()));
  }
}
