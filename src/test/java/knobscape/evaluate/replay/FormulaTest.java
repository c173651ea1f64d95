package knobscape.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaTest {
    private static final Map<String, Double> CELLS = Map.of("a", 6.0, "b", 4.0, "x@f/l", 3.0);

    private static OptionalDouble cell(String column) {
        return CELLS.containsKey(column) ? OptionalDouble.of(CELLS.get(column)) : OptionalDouble.empty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 + 2 * 3           | 7
            (1 + 2) * 3         | 9
            a / b - 0.5         | 1
            2 - 3 - 4           | -5
            -a * -b             | 24
            `x@f/l` * 1e3       | 3000
            1.5e-1 + 0          | 0.15
            a >= b              | 1
            a == b              | 0
            max(a, b, 9)        | 9
            min(a, b)           | 4
            log2(8) + sqrt(b)   | 5
            first(gone, b, a)   | 4
            """)
    void computes(String formula, double expected) {
        assertThat(Formula.parse(formula).value(FormulaTest::cell)).hasValue(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gone", "a + gone", "a * (b - gone)", "a / 0", "log2(-1)", "max(a, gone)"})
    void missingOrNotFiniteIsMissing(String formula) {
        assertThat(Formula.parse(formula).value(FormulaTest::cell)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a +", "(a", "a b", "max(a", "`a", "1..2", "a $ b"})
    void refusesWhatIsNotAFormula(String formula) {
        assertThatThrownBy(() -> Formula.parse(formula))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at character");
    }

    @Test
    void deepNestingIsRefusedRatherThanOverflowing() {
        String deep = "(".repeat(5_000) + "1" + ")".repeat(5_000);
        assertThatThrownBy(() -> Formula.parse(deep))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too deeply nested");
    }
}
