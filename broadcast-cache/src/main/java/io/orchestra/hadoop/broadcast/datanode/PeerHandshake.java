package io.orchestra.hadoop.broadcast.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.datanode.DNConf;

/** Whether peers prove to each other who they are before one tells the other block tokens. */
final class PeerHandshake {
  private PeerHandshake() {}

  /**
   * DataNodes with Kerberos may do without SASL if their ports are privileged: only root can have
   * taken these. A peer's port is none, and HDFS's client makes no handshake then
   * (SaslDataTransferClient.send).
   *
   * @param kerberos whether it is on
   * @param transfers what the DataNode is configured for
   * @throws IOException if whoever has a peer's port would be taken for that peer
   */
  static void require(boolean kerberos, DNConf transfers) throws IOException {
    if (kerberos
        && !transfers.getEncryptDataTransfer()
        && transfers.getSaslPropsResolver() == null) {
      throw new IOException(
          "DataNodes are secured by privileged ports alone, and the port of a peer is none."
              + " Set dfs.data.transfer.protection or dfs.encrypt.data.transfer");
    }
  }
}
