package io.orchestra.hadoop.operator;

import io.orchestra.hadoop.operator.install.Role;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A role on the command line. */
final class RoleName implements ITypeConverter<Role> {
  @Override
  public Role convert(String name) {
    try {
      return Role.named(name.strip());
    } catch (OperatorException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
