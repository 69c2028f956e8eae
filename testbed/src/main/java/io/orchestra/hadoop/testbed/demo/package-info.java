/** The demonstration: the same stock jobs with and without the plugins. */
package io.orchestra.hadoop.testbed.demo;
