package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaTest {
    private static final Map<String, Double> CELLS = Map.of("a", 6.0, "b", 4.0, "x@f/l", 3.0);

    private static final Formula.Row ROW = new Formula.Row() {
        @Override
        public OptionalDouble apply(String name) {
            return cell(name);
        }

        @Override
        public Optional<String> text(String name) {
            return name.equals("t") ? Optional.of("row") : Optional.empty();
        }
    };

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
            7 % 4               | 3
            -7 % 4              | 1
            -7 // 2             | -4
            2 ** 3 ** 2         | 512
            -2 ** 2             | -4
            1 < b < a           | 1
            a < b or b == 4     | 1
            a < b and b == 4    | 0
            !(a < b) && b == 4  | 1
            not a == b          | 1
            b in (1, 2, 4)      | 1
            b not in [1, 2, 4]  | 0
            t == "row"          | 1
            t != 'row'          | 0
            t in ('x', 'row')   | 1
            if(a > b, 2, 3)     | 2
            a > b or gone       | 1
            a < b and gone / 0  | 0
            ceil(1.2) + abs(-2) | 4
            int(-1.5) + round(2.4) | 1
            True + false        | 1
            a < a               | 0
            a <= a              | 1
            a > a               | 0
            a >= a              | 1
            b < 9 or a < 1      | 1
            a < 1 or b < 1      | 0
            a > 1 and b > 1     | 1
            int(0) + int(1.7)   | 1
            floor(b) - exp(0)   | 3
            log(1) + 2E+1       | 20
            log2(8) + log2(2)   | 4
            t in ['x', "row"]   | 1
            .5 + 1              | 1.5
            """)
    void computes(String formula, double expected) {
        assertThat(Formula.parse(formula).value(ROW)).hasValue(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gone",
                "a + gone",
                "a * (b - gone)",
                "a / 0",
                "log2(-1)",
                "max(a, gone)",
                "a % 0",
                "t + 1",
                "a > b and gone",
                "not gone",
                "gone in (1, 2)"
            })
    void missingOrNotFiniteIsMissing(String formula) {
        assertThat(Formula.parse(formula).value(ROW)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a +",
                "(a",
                "a b",
                "max(a",
                "`a",
                "1..2",
                "a $ b",
                "a in 3",
                "if(1, 2)",
                "'a",
                "a not b",
                "log2(1, 2)",
                "!"
            })
    void refusesWhatIsNotAFormula(String formula) {
        assertThatThrownBy(() -> Formula.parse(formula))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at character");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            a + )      | a number, a name or '(' is expected at character 5
            a b        | unexpected text at character 3
            1..2 + a   | '1..2' is not a number at character 1
            max(a      | ')' is missing at character 6
            a in [1    | ']' is missing at character 8
            a in (1    | ')' is missing at character 8
            a in 1     | a list in brackets is expected at character 6
            a not b    | 'in' is expected at character 7
            `a         | a backquote is not closed at character 2
            if(1, 2)   | 'if' takes 3 values at character 9
            log(1, 2)  | 'log' takes 1 value at character 10
            """)
    void aMistakeIsNamedWithItsPlace(String formula, String sentence) {
        assertThatThrownBy(() -> Formula.parse(formula)).hasMessage(sentence + " of '" + formula + "'");
    }

    @Test
    void blanksAroundAreNothingAndWordsAreWhole() {
        assertThat(Formula.parse("  a \t").value(ROW)).hasValue(6);
        assertThat(Formula.parse("order").columns()).containsExactly("order");
        assertThat(Formula.parse("`a`or`order`").value(ROW)).hasValue(1);
    }

    @Test
    void whatIsNotFiniteIsMissingWhereverItIsUsed() {
        assertThat(Formula.parse("a / 0 > 1").value(ROW)).isEmpty();
        assertThat(Formula.parse("a // 0 < 1").value(ROW)).isEmpty();
        assertThat(Formula.parse("0 ** -1 > 1").value(ROW)).isEmpty();
        assertThat(Formula.parse("first(a / 0, 3)").value(ROW)).hasValue(3);
        assertThat(Formula.parse("0 == 1 and a / 0 > 1").value(ROW)).hasValue(0);
    }

    @Test
    void longIsNotDeep() {
        assertThat(Formula.parse("1 + ".repeat(300) + "1").value(ROW)).hasValue(301);
        assertThat(Formula.parse("not 0 and ".repeat(300) + "1").value(ROW)).hasValue(1);
        assertThat(Formula.parse("-".repeat(99) + "1").value(ROW)).hasValue(-1);
        assertThatThrownBy(() -> Formula.parse("-".repeat(100) + "1")).hasMessageContaining("too deeply nested");
        assertThatThrownBy(() -> Formula.parse("not ".repeat(200) + "1")).hasMessageContaining("too deeply nested");
    }

    @Test
    void partsAreWhatHasToHoldTogether() {
        assertThat(Formula.parse("a > 1 and (b > 2 and a < b < 9) and (a or b)").parts())
                .extracting(Formula::columns)
                .containsExactly(
                        java.util.Set.of("a"),
                        java.util.Set.of("b"),
                        java.util.Set.of("a", "b"),
                        java.util.Set.of("b"),
                        java.util.Set.of("a", "b"));
    }

    @Test
    void deepNestingIsRefusedRatherThanOverflowing() {
        String deep = "(".repeat(5_000) + "1" + ")".repeat(5_000);
        assertThatThrownBy(() -> Formula.parse(deep))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too deeply nested");
    }
}
