package io.orchestra.hadoop.testbed.bench.run;

import io.orchestra.hadoop.testbed.Progress;
import io.orchestra.hadoop.testbed.bench.sample.Sampler;
import io.orchestra.hadoop.testbed.cluster.TestbedHome;
import io.orchestra.hadoop.testbed.hadoop.Project;

/** What every run stands on, whichever benchmark it is. */
public record RunEnvironment(
    TestbedHome home, Project project, Progress progress, Sampler sampler) {}
