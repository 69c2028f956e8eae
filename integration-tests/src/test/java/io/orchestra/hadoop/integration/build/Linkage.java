package io.orchestra.hadoop.integration.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What the code of classes calls, reads and names, and whether that is there: the JVM finds out
 * only when it gets so far.
 */
final class Linkage {
  private static final int API = Opcodes.ASM9;

  /** Their methods have whatever signature they are called with. */
  private static final Set<String> POLYMORPHIC =
      Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

  private static final String OBJECT = "java/lang/Object";

  /**
   * What a class has to offer.
   *
   * @param parents its superclass and interfaces
   * @param members methods as {@code name(…)…}, fields as {@code name:…}
   */
  private record Offer(List<String> parents, Set<String> members) {}

  private final ClassLoader loader;
  private final Map<String, Optional<Offer>> offers = new HashMap<>();

  Linkage(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * @param name of a class as in its file's path
   * @return what is not there
   */
  Set<String> missing(String name) throws IOException {
    Set<String> missing = new TreeSet<>();
    reader(name)
        .orElseThrow(() -> new IOException("there is no class " + name))
        .accept(new Uses(missing), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return missing;
  }

  private Optional<ClassReader> reader(String name) throws IOException {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      return in == null ? Optional.empty() : Optional.of(new ClassReader(in));
    }
  }

  private Optional<Offer> offer(String name) {
    return offers.computeIfAbsent(
        name,
        unknown -> {
          try {
            return reader(unknown).map(Linkage::offer);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static Offer offer(ClassReader reader) {
    List<String> parents = new ArrayList<>(List.of(reader.getInterfaces()));
    if (reader.getSuperName() != null) {
      parents.add(reader.getSuperName());
    }
    Set<String> members = new HashSet<>();
    reader.accept(
        new ClassVisitor(API) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            members.add(name + descriptor);
            return null;
          }

          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            members.add(name + ':' + descriptor);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    return new Offer(parents, members);
  }

  private boolean has(String owner, String member) {
    Optional<Offer> offer = offer(owner);
    return offer.isPresent()
        && (offer.get().members().contains(member)
            || offer.get().parents().stream().anyMatch(parent -> has(parent, member))
            // Interfaces have its methods, too.
            || (!owner.equals(OBJECT) && has(OBJECT, member)));
  }

  /** Collects what the code of a class uses that is not there. */
  private final class Uses extends ClassVisitor {
    private final Set<String> missing;

    private Uses(Set<String> missing) {
      super(API);
      this.missing = missing;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      uses(Type.getMethodType(descriptor));
      return new Code();
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String descriptor, String signature, Object value) {
      uses(Type.getType(descriptor));
      return null;
    }

    private void uses(Type type) {
      switch (type.getSort()) {
        case Type.ARRAY -> uses(type.getElementType());
        case Type.OBJECT -> {
          if (offer(type.getInternalName()).isEmpty()) {
            missing.add(type.getInternalName());
          }
        }
        case Type.METHOD -> {
          uses(type.getReturnType());
          for (Type argument : type.getArgumentTypes()) {
            uses(argument);
          }
        }
        default -> {}
      }
    }

    private void usesMember(String owner, String member) {
      uses(Type.getObjectType(owner));
      boolean isArray = owner.startsWith("[");
      if (!isArray && !POLYMORPHIC.contains(owner) && !has(owner, member)) {
        missing.add(owner + ' ' + member);
      }
    }

    private void uses(Handle handle) {
      boolean isField = handle.getTag() <= Opcodes.H_PUTSTATIC;
      usesMember(handle.getOwner(), handle.getName() + (isField ? ":" : "") + handle.getDesc());
    }

    /** The body of a method. */
    private final class Code extends MethodVisitor {
      private Code() {
        super(API);
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        usesMember(owner, name + descriptor);
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        usesMember(owner, name + ':' + descriptor);
      }

      @Override
      public void visitTypeInsn(int opcode, String type) {
        uses(Type.getObjectType(type));
      }

      @Override
      public void visitLdcInsn(Object value) {
        if (value instanceof Type type) {
          uses(type);
        } else if (value instanceof Handle handle) {
          uses(handle);
        }
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String descriptor, Handle bootstrap, Object... arguments) {
        uses(Type.getMethodType(descriptor));
        uses(bootstrap);
        for (Object argument : arguments) {
          visitLdcInsn(argument);
        }
      }

      @Override
      public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
        if (type != null) {
          uses(Type.getObjectType(type));
        }
      }
    }
  }
}
