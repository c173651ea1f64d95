package knobscape.study.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.SplittableRandom;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.DesignSpaceContractTest;
import knobscape.study.source.Study;
import knobscape.study.source.StudyReader;
import org.junit.jupiter.api.Test;

class StudySpaceTest extends DesignSpaceContractTest {
    private static Study study(String constraints) {
        return StudyReader.parse("s.yaml", """
                study: 1
                parameters:
                  bx: [1, 2, 4, 8, 16, 32]
                  by: [1, 2, 4, 8, 16, 32]
                  rate: [0.5, 1.5, 2.5]
                  layout: [row, column, tiled]
                  fast: switch
                objectives: {time: minimise}
                constraints:
                """ + constraints);
    }

    private static final String THREE = """
              - 8 <= bx * by <= 64
              - layout != 'tiled' or bx % 4 == 0
              - not fast or rate in (0.5, 1.5)
            """;

    @Override
    protected DesignSpace space() {
        return StudySpace.of(study(THREE));
    }

    /// Counted by loops that know nothing of formulas and diagrams.
    @Test
    void theCountIsThatOfPlainLoops() {
        int count = 0;
        for (int bx = 1; bx <= 32; bx *= 2) {
            for (int by = 1; by <= 32; by *= 2) {
                for (double rate : new double[] {0.5, 1.5, 2.5}) {
                    for (int layout = 0; layout < 3; layout++) {
                        for (boolean fast : new boolean[] {false, true}) {
                            if (bx * by >= 8 && bx * by <= 64 && (layout != 2 || bx % 4 == 0) && (!fast || rate < 2)) {
                                count++;
                            }
                        }
                    }
                }
            }
        }
        assertThat(space().size()).isEqualTo(BigInteger.valueOf(count));
    }

    @Test
    void noDrawBreaksAConstraint() {
        var random = new SplittableRandom(5);
        DesignSpace space = space();
        for (int i = 0; i < 2000; i++) {
            Configuration c = space.draw(random);
            int product = Integer.parseInt(c.value(0)) * Integer.parseInt(c.value(1));
            assertThat(product).isBetween(8, 64);
        }
    }

    @Test
    void aConstraintThatNothingKeepsOrThatHasNoValueIsNamedWithItsLine() {
        assertThatThrownBy(() -> StudySpace.of(study("  - bx > 100\n")))
                .isInstanceOf(UserError.class)
                .hasMessage("s.yaml:10: no configuration keeps the constraint bx > 100");
        assertThatThrownBy(() -> StudySpace.of(study("  - bx == 1\n  - by == 1\n  - bx * by > 4\n")))
                .hasMessage(
                        "s.yaml:12: no configuration keeps the constraint bx * by > 4 together with those before it");
        assertThatThrownBy(() -> StudySpace.of(study("  - by % (bx - 2) == 0\n")))
                .hasMessageContaining("s.yaml:10: ")
                .hasMessageContaining("has no value where bx = 2, by = 1");
        assertThatThrownBy(() -> StudySpace.of(study("  - by / (bx - 2) > 1\n")))
                .hasMessageContaining("has no value where bx = 2, by = 1");
        assertThat(StudySpace.of(study("  - bx != 2 and by % (bx - 2) == 0\n")).size())
                .isPositive();
    }

    @Test
    void whatTiesTooMuchIsSaid() {
        Study s = StudyReader.parse("s.yaml", """
                study: 1
                parameters:
                  a: {from: 0.0, to: 1.0}
                  b: {from: 0.0, to: 1.0}
                  c: {from: 0.0, to: 1.0}
                constraints: ['a + b + c < 1']
                objectives: {time: minimise}
                """);
        assertThatThrownBy(() -> StudySpace.of(s))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("give its parameters fewer");
    }

    @Test
    void theBaselineIsWhatTheDefaultsSay() {
        Study s = StudyReader.parse("s.yaml", """
                study: 1
                parameters:
                  a: {values: [1, 2, 4], default: 2}
                  b: [x, y]
                objectives: {time: minimise}
                """);
        assertThat(StudySpace.baseline(s, StudySpace.of(s)).orElseThrow()).hasToString("a=2;b=x");
        assertThat(StudySpace.baseline(study(THREE), space())).isEmpty();
    }
}
