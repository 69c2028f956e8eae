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

            This page lists all settings. Daemons read them when they start.

            - *derived* means that there is no fixed default. The last column says what applies if the setting is
              unset.
            - A value that cannot be used switches its plugin off in that daemon or task, which then runs as stock
              Hadoop. One message in its log lists every problem and its remedy. `bin/orchestra doctor` finds such
              values before you restart anything.
            - Some settings of NameNodes can be changed while they run: see [placement.md](placement.md#install) and
              [broadcast-cache.md](broadcast-cache.md#install).

            The page is generated from the settings in the code; a test fails when the two differ.
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
