/**
 * WSS (Orchestra, SIGCOMM 2011, section 6): a reducer fetches most from the senders that have most
 * for it. Here are the classes an operator names in XML, and the settings.
 */
package io.orchestra.hadoop.shuffle;
