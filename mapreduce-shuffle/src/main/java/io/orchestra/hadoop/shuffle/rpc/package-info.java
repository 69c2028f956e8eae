/**
 * What reducers and NodeManagers say to each other besides stock's requests: GET requests to the
 * port of the shuffle service, signed with the job's token, and their answers.
 */
package io.orchestra.hadoop.shuffle.rpc;
