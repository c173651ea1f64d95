package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import knobscape.project.Areas;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An option that takes 0 says what it means; every other refuses it.
class ZeroBudgetTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @Test
    void everyDeclaredNumberRefusesZeroOrSaysWhatItMeans() {
        var silent = new ArrayList<String>();
        int asked = 0;
        for (Area area : Areas.standard().areas()) {
            for (Parameter<?> p : area.allParameters().list()) {
                if (p.option().names().isEmpty() || p.name().equals(RunSettings.SEED.name())) {
                    continue;
                }
                asked++;
                if (takesZero(p.type())
                        && p.words().none().isEmpty()
                        && !p.words().help().matches(".*\\b0\\b.*")) {
                    silent.add(area.verb() + " " + p.option().name());
                }
            }
        }
        assertThat(asked).isGreaterThan(20);
        assertThat(silent).isEmpty();
    }

    /// What a person types for nothing must not be one of the values: that one could never be chosen.
    @Test
    void theWordForNothingIsNoChoice() {
        for (Area area : Areas.standard().areas()) {
            for (Parameter<?> p : area.allParameters().list()) {
                if (p.type() instanceof ValueType.Choice<?> c) {
                    assertThat(c.items())
                            .as(area.verb() + " " + p.name())
                            .noneMatch(i -> i.word().equalsIgnoreCase(p.words().none()));
                }
            }
        }
    }

    private static boolean takesZero(ValueType<?> type) {
        if (!(type instanceof ValueType.Whole<?> || type instanceof ValueType.Real)) {
            return false;
        }
        try {
            type.parse("0");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fusion-train --model m.kfm --steps 0 zoo:vgg16",
                "gtuner-train --weights m.kgm --trials 0 zoo:alexnet",
                "fuse zoo:alexnet --evaluations 0"
            })
    void workOfItsOwnRefusesZeroInOneSentence(String line) {
        assertThat(terminal.run(line.split(" "))).as(terminal::err).isEqualTo(2);
        assertThat(terminal.err().strip().lines().toList()).hasSize(1);
        assertThat(terminal.err()).containsPattern("\\b1 to \\d+|from 1|at least 1");
        assertThat(folder).isEmptyDirectory();
    }
}
