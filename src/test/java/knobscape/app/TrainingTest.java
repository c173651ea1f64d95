package knobscape.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.util.List;
import knobscape.app.cli.Main;
import org.junit.jupiter.api.Test;

class TrainingTest {
    /// A verb whose options changed would else be noticed only when the program is packaged.
    @Test
    void theCommandLineUnderstandsWhatTrainingTypes() {
        List<List<String>> lines = Training.commandLines(Path.of("sample"), Path.of("out"));
        assertThat(lines).extracting(List::getFirst).contains("space", "explore");
        assertThat(lines)
                .allSatisfy(line -> assertThatCode(() -> Main.commandLine().parseArgs(line.toArray(String[]::new)))
                        .doesNotThrowAnyException());
    }
}
