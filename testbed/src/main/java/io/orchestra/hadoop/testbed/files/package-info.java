/** Files that other users read. */
package io.orchestra.hadoop.testbed.files;
