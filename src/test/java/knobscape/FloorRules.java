package knobscape;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.nio.file.Files;
import java.nio.file.attribute.FileAttribute;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// The rules of the house for all classes below one root package; that root is a parameter, so that the rules
/// can be tried on classes made to break them.
final class FloorRules {
    private final String root;

    FloorRules(String root) {
        this.root = root;
    }

    /// Floor of each family: a class may use its own family and any family on a lower floor.
    static final Map<String, Integer> FLOORS = Map.ofEntries(
            Map.entry("space", 1),
            Map.entry("pareto", 1),
            Map.entry("evaluate", 1),
            Map.entry("numeric", 1),
            Map.entry("surrogate", 2),
            Map.entry("compile", 3),
            Map.entry("explore", 4),
            Map.entry("network", 4),
            Map.entry("work", 5),
            Map.entry("hls", 6),
            Map.entry("gpu", 6),
            Map.entry("fusion", 6),
            Map.entry("study", 6),
            Map.entry("project", 7),
            Map.entry("app", 8),
            Map.entry("lab", 9));

    /// The one exception: an evaluation is of a configuration.
    private static final Set<String> ALLOWED_ON_ONE_FLOOR = Set.of("evaluate -> space");

    /// All rules by a short name.
    Map<String, ArchRule> all() {
        var rules = new LinkedHashMap<String, ArchRule>();
        rules.put("floors", floors());
        rules.put(
                "no circle of packages",
                slices().matching(root + ".(**)")
                        .should()
                        .beFreeOfCycles()
                        .because(
                                "a package that is understood after another must not be needed to understand that one"));
        rules.put(
                "window does not know the command line",
                noClasses()
                        .that()
                        .resideInAPackage(root + ".app.ui..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(root + ".app.cli.."));
        rules.put(
                "the window's common rooms know no area",
                noClasses()
                        .that()
                        .resideInAnyPackage(
                                root + ".app.ui.run..",
                                root + ".app.ui.designs..",
                                root + ".app.ui.plot..",
                                root + ".app.ui.inspector..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(root + ".hls..", root + ".gpu..", root + ".fusion..", root + ".study..")
                        .because("what all areas share is written once and for all of them"));
        rules.put(
                "JavaFX only in the window",
                noClasses()
                        .that()
                        .resideOutsideOfPackages(root + ".app.ui..", root + ".app", root + ".lab.window..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("javafx..", "com.sun.javafx..")
                        .because("an exploration runs without a screen"));
        rules.put(
                "Jackson 3 only",
                noClasses()
                        .should()
                        .dependOnClassesThat(DescribedPredicate.describe(
                                "are of Jackson 2",
                                type -> type.getPackageName().startsWith("com.fasterxml.jackson.")
                                        && !type.getPackageName().startsWith("com.fasterxml.jackson.annotation")))
                        .because("Jackson 3 lives in tools.jackson; only its annotations stayed behind"));
        // A kernel that hangs on its device ends with the process that it has to itself.
        rules.put(
                "only the application exits",
                noClasses()
                        .that()
                        .resideOutsideOfPackages(root + ".app..", root + ".lab")
                        .and()
                        .doNotHaveFullyQualifiedName(root + ".study.kernel.KernelProcess")
                        .should()
                        .callMethod(System.class, "exit", int.class)
                        .orShould()
                        .callMethod(Runtime.class, "exit", int.class)
                        .orShould()
                        .callMethod(Runtime.class, "halt", int.class));
        rules.put(
                "temporary files in the folder of the process",
                noClasses()
                        .should()
                        .callMethod(Files.class, "createTempDirectory", String.class, FileAttribute[].class)
                        .orShould()
                        .callMethod(Files.class, "createTempFile", String.class, String.class, FileAttribute[].class)
                        .because("what a killed process left is swept there; TemporaryFiles makes them"));
        rules.put(
                "only the application prints",
                noClasses()
                        .that()
                        .resideOutsideOfPackage(root + ".app..")
                        .should()
                        .accessField(System.class, "out")
                        .orShould()
                        .accessField(System.class, "err")
                        .because("standard output is what the user asked for; messages go to the logger"));
        rules.put(
                "randomness is seeded",
                noClasses()
                        .should()
                        .accessTargetWhere(drawsWithoutASeed())
                        .because("the same seed must give the same result"));
        rules.put("no mutable statics", fields().that().areStatic().should().haveModifier(JavaModifier.FINAL));
        rules.put(
                "explorers know no file and no clock",
                noClasses()
                        .that()
                        .resideInAPackage(root + ".explore..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("java.nio.file..", "java.sql..")
                        .orShould()
                        .dependOnClassesThat()
                        .belongToAnyOf(java.io.File.class)
                        .orShould()
                        .callMethod(System.class, "nanoTime")
                        .orShould()
                        .callMethod(System.class, "currentTimeMillis")
                        .because("an explorer knows no screen, no file and no clock but the one given to it"));
        // While a family is still empty its rules hold.
        rules.replaceAll((name, rule) -> rule.allowEmptyShould(true));
        return rules;
    }

    private ArchRule floors() {
        return classes()
                .that(DescribedPredicate.describe(
                        "stand on a floor or should",
                        type -> !type.getPackageName().equals(root)))
                .should(new ArchCondition<>("use only their own family and lower floors") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        String from = family(type).orElseThrow();
                        if (!FLOORS.containsKey(from)) {
                            events.add(SimpleConditionEvent.violated(
                                    type,
                                    type.getFullName() + " is in package family '" + from
                                            + "', which stands on no floor"));
                            return;
                        }
                        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                            Optional<String> to =
                                    family(dependency.getTargetClass().getBaseComponentType());
                            if (to.isPresent() && !allowed(from, to.get())) {
                                events.add(SimpleConditionEvent.violated(
                                        type, from + " must not use " + to.get() + ": " + dependency.getDescription()));
                            }
                        }
                    }
                });
    }

    private static boolean allowed(String from, String to) {
        return from.equals(to)
                || FLOORS.getOrDefault(to, Integer.MAX_VALUE) < FLOORS.get(from)
                || ALLOWED_ON_ONE_FLOOR.contains(from + " -> " + to);
    }

    /// The package below the root, or empty for classes that are not ours.
    private Optional<String> family(JavaClass type) {
        String name = type.getPackageName();
        if (!name.startsWith(root + ".")) {
            return Optional.empty();
        }
        String below = name.substring(root.length() + 1);
        int dot = below.indexOf('.');
        return Optional.of(dot < 0 ? below : below.substring(0, dot));
    }

    private static DescribedPredicate<JavaAccess<?>> drawsWithoutASeed() {
        return DescribedPredicate.describe("draws random numbers without a seed", access -> {
            if (!(access.getTarget() instanceof CodeUnitCallTarget target)) {
                return false;
            }
            JavaClass owner = target.getOwner();
            String name = target.getName();
            int parameters = target.getRawParameterTypes().size();
            if (name.equals("<init>")) {
                return owner.isAssignableTo(RandomGenerator.class) && parameters == 0;
            }
            return switch (name) {
                case "random" -> owner.isEquivalentTo(Math.class) || owner.isEquivalentTo(StrictMath.class);
                case "shuffle" -> owner.isEquivalentTo(java.util.Collections.class) && parameters == 1;
                case "current" -> owner.isEquivalentTo(java.util.concurrent.ThreadLocalRandom.class);
                case "of", "getDefault" -> owner.isEquivalentTo(RandomGenerator.class);
                case "create" -> owner.isEquivalentTo(RandomGeneratorFactory.class) && parameters == 0;
                default -> false;
            };
        });
    }
}
