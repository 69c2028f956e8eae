package io.orchestra.hadoop.placement.algorithm;

import java.util.function.Function;

/** Which host is best for the next replica. */
public enum Algorithm {
  /** The one to which one more copy would flow fastest, all links on its way considered. */
  SHARE(ShareRanking::new),

  /** The paper's: the residual capacity of one level's links, then that of the hosts' links. */
  PAPER(LevelRanking::new);

  private final Function<LinkSnapshot, Ranking> ranking;

  Algorithm(Function<LinkSnapshot, Ranking> ranking) {
    this.ranking = ranking;
  }

  Ranking over(LinkSnapshot links) {
    return ranking.apply(links);
  }
}
