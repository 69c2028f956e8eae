package io.orchestra.hadoop.integration.build;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;

/** The lines between modules and packages that {@code docs/design-decisions.md} draws. */
@AnalyzeClasses(
    packages = {
      "io.orchestra.hadoop",
      "org.apache.hadoop.hdfs.server",
      "org.apache.hadoop.mapred",
      "org.apache.hadoop.mapreduce.v2.app.job.impl",
      "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair"
    },
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.OnlyOurs.class})
final class ArchitectureTest {
  private static final String[] PLUGINS = {
    "io.orchestra.hadoop.placement..",
    "io.orchestra.hadoop.shuffle..",
    "io.orchestra.hadoop.prefetch..",
    "io.orchestra.hadoop.broadcast.."
  };

  private static final DescribedPredicate<JavaClass> GUAVA =
      DescribedPredicate.describe(
          "of Guava",
          type ->
              type.getName().startsWith("com.google.common.")
                  || type.getName().startsWith("io.orchestra.hadoop.shaded."));

  @ArchTest
  static final ArchRule CORE_KNOWS_NO_PLUGIN =
      noClasses()
          .that()
          .resideInAPackage("io.orchestra.hadoop.core..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(PLUGINS);

  @ArchTest
  static final ArchRule PLUGINS_DO_NOT_KNOW_EACH_OTHER =
      slices()
          .matching("io.orchestra.hadoop.(placement|shuffle|prefetch|broadcast)..")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule ALGORITHMS_KNOW_NO_HADOOP =
      noClasses()
          .that()
          .resideInAPackage("..algorithm..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.hadoop..");

  @ArchTest
  static final ArchRule TOPOLOGY_KNOWS_NO_HADOOP =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.orchestra.hadoop.core.topology..", "io.orchestra.hadoop.core.meter..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.hadoop..");

  @ArchTest
  static final ArchRule BRIDGES_INTO_HADOOP_HOLD_NO_LOGIC_OF_OURS =
      noClasses()
          .that()
          .resideInAPackage("org.apache.hadoop..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.orchestra.hadoop..");

  @ArchTest
  static final ArchRule THE_TESTBED_KNOWS_PLUGINS_ONLY_AS_JARS =
      noClasses()
          .that()
          .resideInAPackage("io.orchestra.hadoop.testbed..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(PLUGINS);

  @ArchTest
  static final ArchRule NOTHING_KNOWS_THE_COMMANDS_OF_OPERATORS =
      noClasses()
          .that()
          .resideInAnyPackage("io.orchestra.hadoop..")
          .and()
          .resideOutsideOfPackage("io.orchestra.hadoop.operator..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.orchestra.hadoop.operator..");

  /** It runs where only the archive and a Hadoop home are, and changes that home. */
  @ArchTest
  static final ArchRule INSTALLING_NEEDS_NO_HADOOP =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.orchestra.hadoop.operator", "io.orchestra.hadoop.operator.install..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.hadoop..", "io.orchestra.hadoop.operator.doctor..");

  /** Guava is relocated inside each jar; a type of it in a signature would have two names. */
  @ArchTest
  static final ArchRule CORE_SHOWS_NO_GUAVA =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("io.orchestra.hadoop.core..")
          .and()
          .arePublic()
          .should(ArchConditions.not(ArchConditions.haveRawReturnType(GUAVA)))
          .andShould(
              ArchConditions.not(
                  ArchConditions.haveRawParameterTypes(DescribedPredicate.anyElementThat(GUAVA))));

  /** Not Hadoop's own classes of the packages our bridges share, nor the libraries in our jars. */
  static final class OnlyOurs implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/shaded/")
          && (location.contains("io/orchestra/hadoop")
              || location.contains("/orchestra-")
              || location.contains("/target/classes/"));
    }
  }
}
