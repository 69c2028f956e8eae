package io.orchestra.hadoop.integration;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A jar with one class of these tests that stands alone, for programs on emulated hosts. */
public final class ProgramJar {
  private ProgramJar() {}

  /** Writes it into a directory of jars. */
  public static void write(Class<?> program, Path directory) throws IOException {
    String entry = program.getName().replace('.', '/') + ".class";
    try (OutputStream file =
            Files.newOutputStream(directory.resolve(program.getSimpleName() + ".jar"));
        JarOutputStream out = new JarOutputStream(file);
        InputStream in = program.getResourceAsStream("/" + entry)) {
      out.putNextEntry(new JarEntry(entry));
      in.transferTo(out);
    }
  }
}
