package io.orchestra.hadoop.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AccountFilesTest {
  @Test
  void oursAreAddedAndReplaceThoseOfTheSameName() {
    String machine = "root:x:0:0:root:/root:/bin/bash\nalice:x:1000:1000::/home/alice:/bin/sh\n";
    assertThat(AccountFiles.passwd(machine, "/homes"))
        .startsWith("root:x:0:0:root:/root:/bin/bash\n")
        .contains("alice:x:70111:70110::/homes/alice:/bin/bash\n")
        .doesNotContain("1000")
        .contains("hdfs:", "yarn:", "mapred:", "bob:");
    assertThat(AccountFiles.group("root:x:0:\nusers:x:100:\n"))
        .isEqualTo("root:x:0:\nhadoop:x:70100:\nusers:x:70110:\n");
  }
}
