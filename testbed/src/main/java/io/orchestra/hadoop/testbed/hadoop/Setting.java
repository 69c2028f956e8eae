package io.orchestra.hadoop.testbed.hadoop;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orchestra.hadoop.testbed.TestbedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One property of one site file. */
public record Setting(Site site, String key, String value) {
  private static final Pattern TEXT = Pattern.compile("([a-z]+):([^=\\s]+)=(.*)", Pattern.DOTALL);

  /** Parses {@code site:key=value}. */
  @JsonCreator
  public static Setting parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TestbedException(
          "'" + text + "' is not a setting: write site:key=value, as in hdfs:dfs.blocksize=64m");
    }
    return new Setting(Site.named(matcher.group(1)), matcher.group(2), matcher.group(3));
  }

  @JsonValue
  @Override
  public String toString() {
    return site.siteName() + ":" + key + "=" + value;
  }
}
