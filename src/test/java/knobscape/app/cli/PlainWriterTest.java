package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import knobscape.evaluate.report.DesignCsv;
import knobscape.evaluate.report.Printable;
import org.junit.jupiter.api.Test;

class PlainWriterTest {
    private static final String HOSTILE = "a\u001b[31m\u0007b\u009b2J\u202ec\u007f";
    private static final String SHOWN = "a\\u001b[31m\\u0007b\\u009b2J\\u202ec\\u007f";

    @Test
    void controlCharactersAreEscapesWhereverTextGoes() {
        var to = new StringWriter();
        try (var out = PlainWriter.over(to)) {
            out.println(HOSTILE);
            out.print("tab\tend\r\nalone\rchar ");
            out.write(HOSTILE.toCharArray());
            out.print('\r');
            out.print('\n');
        }
        assertThat(to).hasToString(SHOWN + System.lineSeparator() + "tab\tend\r\nalone\\u000dchar " + SHOWN + "\r\n");
        assertThat(DesignCsv.cell(HOSTILE)).isEqualTo(SHOWN);
        assertThat(DesignCsv.cell("two\nlines")).isEqualTo("\"two\nlines\"");
    }

    @Test
    void aTableHasOneLineForARowWhateverItsNamesAre() {
        var table = new TextTable("name", "x");
        table.add("a\nb\r" + HOSTILE, "1");
        assertThat(table.text().lines()).hasSize(2).anyMatch(l -> l.startsWith("a\\u000ab\\u000d" + SHOWN));
        assertThat(Printable.line("plain \u00e4\u4e2d\ud83d\ude00")).isEqualTo("plain \u00e4\u4e2d\ud83d\ude00");
    }
}
