/** FlexFetch in the ResourceManager: what the Fair Scheduler is, and what it will do. */
package io.orchestra.hadoop.prefetch.resourcemanager;
