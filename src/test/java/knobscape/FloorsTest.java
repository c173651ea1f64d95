package knobscape;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Holds the rules of the house, and shows on classes made to break them that every rule can fail.
class FloorsTest {
    private static final String FIXTURE = "floorsfixture";

    @TestFactory
    Stream<DynamicTest> house() {
        JavaClasses house = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("knobscape");
        assertThat(house).as("classes found").isNotEmpty();
        return new FloorRules("knobscape")
                .all().entrySet().stream()
                        .map(rule -> DynamicTest.dynamicTest(
                                rule.getKey(), () -> rule.getValue().check(house)));
    }

    /// What each rule must complain of in the fixture, by simple class or member name; and of nothing else.
    private static final Map<String, List<String>> BROKEN = Map.ofEntries(
            Map.entry("floors", List.of("Upward", "Sideways", "Homeless")),
            Map.entry("no circle of packages", List.of("There", "AndBack")),
            Map.entry("window does not know the command line", List.of("LooksAtCli")),
            Map.entry("the window's common rooms know no area", List.of("KnowsAnArea")),
            Map.entry("JavaFX only in the window", List.of("Careless.property")),
            Map.entry("Jackson 3 only", List.of("Careless.mapper")),
            Map.entry("only the application exits", List.of("Careless.exits")),
            Map.entry("temporary files in the folder of the process", List.of("Careless.looksAtFilesOfTheSystem")),
            Map.entry("only the application prints", List.of("Careless.prints")),
            Map.entry(
                    "randomness is seeded",
                    List.of("Careless.unseededRandom", "Careless.unseededMath", "Careless.unseededShuffle")),
            Map.entry("no mutable statics", List.of("Careless.counter")),
            Map.entry(
                    "explorers know no file and no clock",
                    List.of("Careless.looksAtTheClock", "Careless.looksAtFiles")));

    @TestFactory
    Stream<DynamicTest> everyRuleNoticesWhatBreaksIt() {
        JavaClasses fixture = new ClassFileImporter().importPackages(FIXTURE);
        Map<String, ArchRule> rules = new FloorRules(FIXTURE).all();
        assertThat(rules.keySet()).isEqualTo(BROKEN.keySet());
        return rules.entrySet().stream()
                .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> {
                    List<String> complaints =
                            rule.getValue().evaluate(fixture).getFailureReport().getDetails();
                    List<String> expected = BROKEN.get(rule.getKey());
                    assertThat(complaints).allMatch(line -> expected.stream().anyMatch(line::contains));
                    assertThat(expected).allMatch(name -> complaints.stream().anyMatch(line -> line.contains(name)));
                }));
    }
}
