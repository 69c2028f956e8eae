/** Emulated hosts: namespaces held open by one process each, and programs started inside them. */
package io.orchestra.hadoop.testbed.host;
