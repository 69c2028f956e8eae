/**
 * Cornet (Orchestra, SIGCOMM 2011, section 5): a file that many hosts localize at once arrives at
 * them as a swarm. Here are the classes an operator names in XML, and the settings.
 */
package io.orchestra.hadoop.broadcast;
