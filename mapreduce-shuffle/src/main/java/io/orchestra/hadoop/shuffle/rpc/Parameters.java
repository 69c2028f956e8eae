package io.orchestra.hadoop.shuffle.rpc;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;
import java.util.Map;

/**
 * The parameters of one query. All methods throw {@link IllegalArgumentException} unless the
 * parameter is there once.
 */
record Parameters(Map<String, List<String>> values) {

  String text(String name) {
    List<String> found = values.getOrDefault(name, List.of());
    checkArgument(found.size() == 1, "%s values of %s", found.size(), name);
    return found.get(0);
  }

  int number(String name) {
    return Integer.parseInt(text(name));
  }

  long bytes(String name) {
    return Long.parseLong(text(name));
  }
}
