package knobscape.work.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import knobscape.evaluate.Outcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryRowTest {
    /// Logs of others hold any number where a time belongs.
    @ParameterizedTest
    @CsvSource({"1.7e9, 1.7e9", "0, 0", "-1, 0", "253402300799, 253402300799", "253402300800, 0", "1e29, 0", "NaN, 0"})
    void aTimeThatNoCalendarHasIsNotKnown(double told, double seen) {
        var row = new HistoryRow("a=1", new Outcome.Measured(Map.of("time", 1.0)), 0, told, "log");
        assertThat(row.seen()).isEqualTo(seen);
    }
}
