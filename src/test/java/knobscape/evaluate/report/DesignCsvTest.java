package knobscape.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DesignCsvTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "plain|plain", // nothing to quote
                "\"|\"\"\"\"", // quotes alone ask for quotes
                "a\"b|\"a\"\"b\"",
                "a,b|\"a,b\"",
                " a|\" a\"", // blanks at the ends would be lost
                "=1+1|'=1+1", // formulas
                "-1+1|'-1+1",
                "+1+1|'+1+1",
                "@SUM(A1)|'@SUM(A1)",
                "-|-", // a sign alone is no formula
                "=|=",
                "'-|'-",
                "-1.5|-1.5" // a number
            })
    void cellsAreQuotedAsRfc4180Says(String text, String cell) {
        assertThat(DesignCsv.cell(text)).isEqualTo(cell);
    }
}
