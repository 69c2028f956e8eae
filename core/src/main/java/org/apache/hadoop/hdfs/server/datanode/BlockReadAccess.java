package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.security.token.Token;

/** Who may read a block, as a DataNode decides it (DataXceiver.checkAccess). */
public final class BlockReadAccess {
  private BlockReadAccess() {}

  /**
   * @throws IOException if {@code token} does not allow to read {@code block}, or this DataNode
   *     does not serve its pool
   */
  public static void verify(
      DataNode datanode, ExtendedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException {
    datanode.getDNRegistrationForBP(block.getBlockPoolId());
    if (datanode.isBlockTokenEnabled) {
      datanode.blockPoolTokenSecretManager.checkAccess(
          token, null, block, AccessMode.READ, null, null);
    }
  }
}
