package io.orchestra.hadoop.core.daemon;

/**
 * What others have said, as it may stand in a log: nobody adds lines of his own, or very long ones.
 */
public final class LogText {
  private static final int LONGEST = 500;

  private LogText() {}

  /** The same text on one line, cut if it is long. */
  public static String of(String said) {
    StringBuilder text = new StringBuilder();
    said.codePoints()
        .limit(LONGEST)
        .forEach(
            character -> {
              if (isPlain(character)) {
                text.appendCodePoint(character);
              } else {
                text.append("\\u{%x}".formatted(character));
              }
            });
    return said.codePointCount(0, said.length()) > LONGEST ? text + "..." : text.toString();
  }

  /** Whether it may stand there as it is. */
  public static boolean isPlain(String said) {
    return of(said).equals(said);
  }

  private static boolean isPlain(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
