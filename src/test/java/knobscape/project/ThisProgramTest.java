package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ThisProgramTest {
    private static final List<String> OWN = ManagementFactory.getRuntimeMXBean().getInputArguments();

    @Test
    void theCommandStartsThisVirtualMachineWithTheseClasses() {
        List<String> words = ThisProgram.command(List.of("-Dx.y=1"), List.of("space", "a b"));
        assertThat(Path.of(words.getFirst())).isExecutable().hasParent(Path.of(System.getProperty("java.home"), "bin"));
        int options = words.size() - 5;
        assertThat(words.subList(options, words.size()))
                .containsExactly(
                        "-cp", System.getProperty("java.class.path"), "knobscape.app.Launcher", "space", "a b");
        assertThat(words.get(options - 1)).isEqualTo("-Dx.y=1");
        assertThat(words.subList(1, options - 1))
                .containsExactlyElementsOf(OWN.stream()
                        .filter(a -> !a.startsWith("-javaagent") && !a.startsWith("-agentlib"))
                        .toList())
                .noneMatch(a -> a.startsWith("-javaagent"))
                .noneMatch(a -> a.startsWith("-agentlib"));
    }

    /// Else the one of this process, which stands first, would be followed by a second one.
    @Test
    void anOptionGivenTakesThePlaceOfItsNamesake() {
        Assumptions.assumeTrue(OWN.contains("-Djava.awt.headless=true"), "this process has no option to replace");
        List<String> words = ThisProgram.command(List.of("-Djava.awt.headless=false"), List.of());
        assertThat(words)
                .filteredOn(w -> w.startsWith("-Djava.awt.headless"))
                .containsExactly("-Djava.awt.headless=false");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void programsAreFoundOnTheSearchPath() {
        assertThat(ThisProgram.onPath("sh"))
                .hasValueSatisfying(p -> assertThat(p).isExecutable().hasFileName("sh"));
        assertThat(ThisProgram.onPath("no-such-program-anywhere")).isEmpty();
        assertThat(ThisProgram.detached())
                .hasSizeLessThanOrEqualTo(1)
                .allMatch(n -> ThisProgram.onPath(n).isPresent());
        assertThat(ThisProgram.detached().isEmpty())
                .isEqualTo(ThisProgram.onPath("setsid").isEmpty()
                        && ThisProgram.onPath("nohup").isEmpty());
    }
}
