/**
 * A bridge to package-private members of Hadoop's ResourceManager, and no more than that; whoever
 * uses it explains why.
 */
package org.apache.hadoop.yarn.server.resourcemanager;
