package io.orchestra.hadoop.core.blockcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BlockTokensTest {
  private static final Token<BlockTokenIdentifier> TOKEN =
      new Token<>(
          "who and what".getBytes(StandardCharsets.UTF_8),
          "proof".getBytes(StandardCharsets.UTF_8),
          new Text("kind"),
          new Text("service"));

  @Test
  void readsWhatATokenWrites() throws IOException {
    assertThat(BlockTokens.read(written())).isEqualTo(TOKEN);
  }

  @Test
  void readsNothingThatIsCutOff() throws IOException {
    ByteString whole = written();
    for (int length = 0; length < whole.size(); length++) {
      ByteString part = whole.substring(0, length);
      assertThatThrownBy(() -> BlockTokens.read(part)).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 100, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE})
  void believesNoLengthThatIsNotThere(long length) throws IOException {
    DataOutputBuffer bytes = new DataOutputBuffer();
    WritableUtils.writeVLong(bytes, length);
    bytes.write(new byte[50]);
    assertThatThrownBy(() -> BlockTokens.read(copied(bytes))).isInstanceOf(IOException.class);
  }

  private static ByteString written() throws IOException {
    DataOutputBuffer bytes = new DataOutputBuffer();
    TOKEN.write(bytes);
    return copied(bytes);
  }

  private static ByteString copied(DataOutputBuffer bytes) {
    return ByteString.copyFrom(bytes.getData(), 0, bytes.getLength());
  }
}
