package io.orchestra.hadoop.shuffle.nodemanager;

/**
 * A reducer that has proved to belong to its job.
 *
 * @param user who runs the job, and owns its files
 * @param replyHash proves to the reducer that the answer comes from who knows the job's token
 */
record Requester(String user, String replyHash) {}
