/** What a reducer does: lanes instead of one fetcher for each host. */
package io.orchestra.hadoop.shuffle.reduce;
