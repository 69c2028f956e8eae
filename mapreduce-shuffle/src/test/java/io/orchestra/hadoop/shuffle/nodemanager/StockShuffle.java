package io.orchestra.hadoop.shuffle.nodemanager;

import io.orchestra.hadoop.shuffle.ShuffledJob;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;

/** Hadoop's shuffle service with one job, without its sockets. */
final class StockShuffle extends ShuffleHandler {

  static StockShuffle with(ShuffledJob job) {
    StockShuffle stock = new StockShuffle();
    stock.setAuxiliaryLocalPathHandler(job);
    stock.init(new Configuration());
    stock.userRsrc = new ConcurrentHashMap<>();
    stock.userRsrc.put(ShuffledJob.ID, ShuffledJob.USER);
    stock.secretManager = new JobTokenSecretManager();
    stock.secretManager.addTokenForJob(ShuffledJob.ID, job.token());
    return stock;
  }

  ShuffleChannelHandlerContext context() {
    return createHandlerContext();
  }

  /** What happens when the job ends, between two steps of a request. */
  void forgetUser() {
    userRsrc.clear();
  }
}
