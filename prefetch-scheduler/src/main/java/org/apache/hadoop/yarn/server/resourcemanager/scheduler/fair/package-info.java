/**
 * A bridge to package-private members of Hadoop's Fair Scheduler, and no more than that; whoever
 * uses it explains why.
 */
package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;
