package io.orchestra.hadoop.integration.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What {@code ShippedJarIT} believes of jars. */
final class LinkageTest {
  /** Code that a compiler would not take. */
  private static byte[] code() {
    ClassWriter code = new ClassWriter(0);
    code.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "Code", null, "java/lang/Object", null);
    MethodVisitor body = code.visitMethod(Opcodes.ACC_STATIC, "body", "()V", null, null);
    body.visitCode();
    body.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/util/ArrayList", "clear", "()V", false);
    body.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/util/ArrayList", "hashCode", "()I", false);
    body.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/util/ArrayList", "clear", "(I)V", false);
    body.visitFieldInsn(Opcodes.GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
    body.visitFieldInsn(Opcodes.GETSTATIC, "java/lang/System", "off", "Ljava/io/PrintStream;");
    body.visitTypeInsn(Opcodes.NEW, "java/util/Nothing");
    body.visitEnd();
    code.visitEnd();
    return code.toByteArray();
  }

  @Test
  void whatBodiesOfMethodsNameAndIsNotThereIsFound() throws IOException {
    ClassLoader loader =
        new ClassLoader(ClassLoader.getPlatformClassLoader()) {
          @Override
          public InputStream getResourceAsStream(String name) {
            return name.equals("Code.class")
                ? new ByteArrayInputStream(code())
                : super.getResourceAsStream(name);
          }
        };

    assertThat(new Linkage(loader).missing("Code"))
        .containsExactlyInAnyOrder(
            "java/util/ArrayList clear(I)V",
            "java/lang/System off:Ljava/io/PrintStream;",
            "java/util/Nothing");
  }
}
