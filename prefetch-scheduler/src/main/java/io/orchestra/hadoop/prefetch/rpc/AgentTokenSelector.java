package io.orchestra.hadoop.prefetch.rpc;

import java.util.Collection;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.TokenSelector;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * Finds an application master's token for the ResourceManager. Hadoop's own selector looks for the
 * address of the ResourceManager's port for application masters, and ours is another.
 */
public final class AgentTokenSelector implements TokenSelector<AMRMTokenIdentifier> {
  @Override
  @SuppressWarnings("unchecked") // A token's kind says what it identifies.
  public Token<AMRMTokenIdentifier> selectToken(
      Text service, Collection<Token<? extends TokenIdentifier>> tokens) {
    return (Token<AMRMTokenIdentifier>)
        tokens.stream()
            .filter(token -> token.getKind().equals(AMRMTokenIdentifier.KIND_NAME))
            .findFirst()
            .orElse(null);
  }
}
