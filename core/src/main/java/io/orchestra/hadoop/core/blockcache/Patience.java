package io.orchestra.hadoop.core.blockcache;

import java.time.Duration;

/**
 * How long a reader waits for a piece.
 *
 * @param limit without any bytes of its block, and three times as long for one piece
 * @param followsSigns whether it waits on for as long as the block is said to be {@linkplain
 *     CachedBlock#stillComing still coming}, and a limit more
 */
record Patience(Duration limit, boolean followsSigns) {}
