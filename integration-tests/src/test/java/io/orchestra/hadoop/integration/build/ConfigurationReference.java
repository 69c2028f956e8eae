package io.orchestra.hadoop.integration.build;

import io.orchestra.hadoop.core.config.Setting;
import java.util.List;

/** Renders modules' settings as the Markdown page {@code docs/configuration.md}. */
final class ConfigurationReference {

  /**
   * One module's part of the page.
   *
   * @param title heading
   * @param introduction one paragraph: which file the keys go to, which daemons read them
   * @param settings in the order they are printed
   */
  record Section(String title, String introduction, List<Setting<?>> settings) {}

  private ConfigurationReference() {}

  static String markdown(List<Section> sections) {
    StringBuilder page =
        new StringBuilder(
            """
            # Configuration

            This page is generated from the settings in the code; a test fails when the two differ.
            A value that cannot be used switches its plugin off, with one message in the daemon's log that lists
            every problem and its remedy; the daemon itself then runs as stock Hadoop.
            """);
    for (Section section : sections) {
      page.append("\n## ").append(section.title()).append("\n\n");
      page.append(section.introduction()).append("\n\n");
      page.append("| key | default | accepts | what it does |\n| --- | --- | --- | --- |\n");
      for (Setting<?> setting : section.settings()) {
        page.append(
            "| `%s` | %s | %s | %s |\n"
                .formatted(
                    setting.key(),
                    setting.defaultText().isEmpty() ? "derived" : "`" + setting.defaultText() + "`",
                    setting.accepts(),
                    setting.description()));
      }
    }
    return page.toString();
  }
}
