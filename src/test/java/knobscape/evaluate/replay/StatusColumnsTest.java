package knobscape.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each table has a row that would be the best one if what it says of itself were not read.
class StatusColumnsTest {
    @TempDir
    private Path folder;

    private ReplaySet open(String csv) throws IOException {
        return ReplaySet.open(Files.writeString(folder.resolve("t.csv"), csv.replace('|', '\n')));
    }

    private static List<Double> delays(ReplaySet set) {
        return set.all()
                .flatMap(List::stream)
                .filter(e -> e.isMeasured())
                .map(e -> e.value("delay").orElseThrow())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "status; ok; failed",
                "state; done; crashed",
                "outcome; success; timeout",
                "is_valid; 1; 0",
                "valid; True; False",
                "feasible; yes; no",
                "feasible; Y; N",
                "passed; true; false",
                "error; ''; timeout",
                "error; none; segfault in csim",
                "failed; 0; 1",
                "timeout; False; True",
                "exit_code; 0; 139",
                "returncode; 0; -9",
                "errors; 0; 3",
                "build; ok; failed",
                "Synth Result; PASS; FAIL",
                "verdict; good; not good",
                "timing_met; yes; no",
                "hls status; finished; killed",
                "oom; 0; 1",
                "compiles; 1; 0",
                "x; valid; invalid",
            })
    void aRowThatSaysItHasNoResultIsOnNoFront(String column, String good, String bad) throws IOException {
        ReplaySet set = open(
                "id,pipeline,tile,%1$s,delay,lut|1,on,1,%2$s,9,9|2,off,1,%3$s,1,1|3,off,2,%2$s,8,8|4,on,2,%2$s,7,7|"
                        .formatted(column, good, bad));
        assertThat(delays(set)).containsExactly(9.0, 8.0, 7.0);
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("pipeline", "tile");
        assertThat(set.roles().columns()).anyMatch(c -> c.name().equals(column) && c.role() == ColumnRoles.Role.STATUS);
    }

    @ParameterizedTest
    @CsvSource({"-1,0", "0,5", "-7,-7"})
    void aRowOfImpossibleValuesIsNamedWithItsLineAndLeftOut(String delay, String lut) throws IOException {
        ReplaySet set = open("pipeline,delay,lut|on,9,9|off," + delay + "," + lut + "|auto,3,12|");
        assertThat(delays(set)).containsExactly(9.0, 3.0);
        assertThat(set.space().size()).isEqualTo(2);
        assertThat(set.notes())
                .anyMatch(n -> n.startsWith("1 row is no result and is left out: line 3 (delay is " + delay));
    }

    @Test
    void anInvalidDesignIsKnownAsRefusedAndAFailedToolIsNot() throws IOException {
        ReplaySet set = open("tile,status,reason,delay|1,ok,,9|2,invalid,too many LUT,1|3,crashed,,1|");
        assertThat(set.space().size()).isEqualTo(2);
        var refused = set.all().filter(e -> !e.getLast().isMeasured()).toList();
        assertThat(refused).hasSize(1);
        assertThat(((Outcome.Failure) refused.getFirst().getLast().outcome()).reason())
                .isEqualTo("status says 'invalid' (too many LUT)");
        assertThat(set.notes()).anyMatch(n -> n.contains("line 4 (status says 'crashed')"));
    }

    @Test
    void aColumnThatIsEmptyIsNoMetric() throws IOException {
        ReplaySet set = open("""
                number,design,front,unroll,hls outcome,hls power [W],hls delay [ns],hls lut,hls tool time [s],hls source
                1,a,yes,1,ok,,50,900,1,x
                2,b,yes,2,ok,,40,990,1,x
                3,c,no,4,invalid: does not fit,,,,1,x
                4,d,no,8,failed: crashed,,,,1,x
                """);
        assertThat(set.info().objectives()).containsExactly("delay", "lut");
        assertThat(delays(set)).containsExactly(50.0, 40.0);
        assertThat(set.space().size()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"error, 0.25, 0.5", "timeout, 30, 60", "failed, 2, 4", "error, 1.5, 0"})
    void aFigureThatIsCalledLikeAFailureIsNoStatus(String column, String a, String b) throws IOException {
        ReplaySet set = open("tile,%s,delay|1,%s,9|2,%s,8|3,%s,7|".formatted(column, a, b, b));
        assertThat(delays(set)).containsExactly(9.0, 8.0, 7.0);
        assertThat(set.roles().columns()).noneMatch(c -> c.role() == ColumnRoles.Role.STATUS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "timing_met; yes; no; TIMING; timing_met says 'no'",
                "timeout; 0; 1; TIMED_OUT; timeout says '1'",
                "status; ok; invalid: needs 300 DSP; REJECTED; status says 'invalid: needs 300 DSP'",
            })
    void aShortWordIsExplainedByItsColumn(String column, String good, String bad, FailureKind kind, String reason)
            throws IOException {
        ReplaySet set = open("tile,%s,delay|1,%s,9|2,%s,1|3,%2$s,8|".formatted(column, good, bad));
        var failures = set.all()
                .map(e -> e.getLast().outcome())
                .filter(Outcome.Failure.class::isInstance)
                .map(Outcome.Failure.class::cast)
                .toList();
        if (kind.isInvalid()) {
            assertThat(failures).hasSize(1);
            assertThat(failures.getFirst().kind()).isEqualTo(kind);
            assertThat(failures.getFirst().reason()).isEqualTo(reason);
        } else {
            assertThat(failures).isEmpty();
            assertThat(set.notes()).anyMatch(n -> n.contains("line 3 (" + reason + ")"));
        }
    }

    @Test
    void aLongReasonIsCut() throws IOException {
        ReplaySet set = open("tile,status,reason,delay|1,ok,,9|2,invalid,%s,1|3,ok,,8|".formatted("x".repeat(5000)));
        String reason = set.all()
                .map(e -> e.getLast().outcome())
                .filter(Outcome.Failure.class::isInstance)
                .map(o -> ((Outcome.Failure) o).reason())
                .findFirst()
                .orElseThrow();
        assertThat(reason)
                .startsWith("status says 'invalid' (xxx")
                .endsWith("...")
                .hasSizeLessThan(1000);
    }

    @Test
    void aRowThatRanLaterCounts() throws IOException {
        ReplaySet set = open("tile,status,delay|1,timeout,|1,ok,9|2,invalid,|2,ok,8|");
        assertThat(delays(set)).containsExactly(9.0, 8.0);
    }

    @Test
    void cellsWithoutAValueAsOtherProgramsWriteThemAreEmpty() throws IOException {
        ReplaySet set = open("tile,delay,lut|1,9,9|2,inf,NaN|3,None,N/A|4,8,8|");
        assertThat(set.info().objectives()).containsExactly("delay", "lut");
        assertThat(delays(set)).containsExactly(9.0, 8.0);
    }

    @Test
    void aChoiceThatIsCalledLikeAStatusIsAKnob() throws IOException {
        ReplaySet set = open("padding,partition,delay|same,complete,9|valid,cyclic,8|");
        assertThat(set.space().knobs().list()).extracting(k -> k.name()).containsExactly("padding", "partition");
    }

    @Test
    void aStatusCanBeMadeAKnobByHand() throws IOException {
        ReplaySet set = open("tile,passed,delay|1,yes,9|1,no,8|");
        Path mapping = Files.writeString(folder.resolve("own.yaml"), set.roles().with("passed", ColumnRoles.Role.KNOB));
        ReplaySet corrected = ReplaySet.open(folder.resolve("t.csv"), Optional.of(mapping));
        assertThat(delays(corrected)).containsExactly(9.0, 8.0);
        assertThat(corrected.space().knobs().size()).isEqualTo(2);
    }

    @Test
    void aTableInUtf16IsRead() throws IOException {
        String csv = "tile\tdelay\n1\t9\n2\t8\n";
        for (var charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            for (String mark : List.of("\ufeff", "")) {
                Path file = folder.resolve("u.csv");
                Files.write(file, (mark + csv).getBytes(charset));
                assertThat(delays(ReplaySet.open(file))).containsExactly(9.0, 8.0);
            }
        }
    }
}
