package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The loop of all benches.
class TrialRunnerTest {
    @TempDir
    private Path folder;

    private final List<String> runs = Collections.synchronizedList(new ArrayList<>());
    private final CancellationSignal cancel = new CancellationSignal();

    record Sum(long value) {}

    /// A trial is its seed and what the methods before it came to.
    private final class Adding implements TrialSubject<Sum> {
        @Override
        public String name() {
            return "sums";
        }

        @Override
        public Optional<String> key(String method) {
            return method.equals("fleeting") ? Optional.empty() : Optional.of("of=sums");
        }

        @Override
        public int seeds(String method, int asked) {
            return method.equals("once") ? 1 : asked;
        }

        @Override
        public String words(Sum s) {
            return "sum " + s.value;
        }

        @Override
        public Sum run(String method, long seed, Map<String, Sum> earlier) {
            if (method.equals("halting") && seed == 2) {
                cancel.cancel();
            }
            runs.add(method + seed);
            return new Sum(
                    seed + earlier.values().stream().mapToLong(Sum::value).sum());
        }
    }

    private List<Trial<Sum>> run(boolean sideBySide, String... methods) {
        Bench.Job job = Jobs.into(folder).cancelledBy(cancel).job();
        TrialRunner<Sum> runner = sideBySide
                ? TrialRunner.sideBySide(job, "sums.jsonl", Sum.class, 3)
                : TrialRunner.inTurn(job, "sums.jsonl", Sum.class, 3);
        return runner.run(new Adding(), List.of(methods));
    }

    /// Where nothing is to be run there are the trials of before, and those that never run twice the same are none.
    @Test
    void finishedTrialsMakeATableByThemselves() {
        run(false, "a", "fleeting");
        List<String> before = List.copyOf(runs);
        TrialRunner<Sum> runner =
                TrialRunner.inTurn(Jobs.into(folder).finished().job(), "sums.jsonl", Sum.class, 4);
        assertThat(runner.run(new Adding(), List.of("a", "b", "fleeting")))
                .containsExactly(
                        new Trial<>("sums", "a", 1, new Sum(1)),
                        new Trial<>("sums", "a", 2, new Sum(2)),
                        new Trial<>("sums", "a", 3, new Sum(3)));
        assertThat(runs).isEqualTo(before);
    }

    @Test
    void aMethodSeesThoseBeforeItWithItsSeedAndTrialsComeBySeed() {
        assertThat(run(false, "a", "b"))
                .containsExactly(
                        new Trial<>("sums", "a", 1, new Sum(1)),
                        new Trial<>("sums", "b", 1, new Sum(2)),
                        new Trial<>("sums", "a", 2, new Sum(2)),
                        new Trial<>("sums", "b", 2, new Sum(4)),
                        new Trial<>("sums", "a", 3, new Sum(3)),
                        new Trial<>("sums", "b", 3, new Sum(6)));
    }

    @Test
    void sideBySideComesToTheSame() throws Exception {
        List<Trial<Sum>> all = run(true, "a", "b", "once");
        Files.delete(folder.resolve("sums.jsonl"));
        assertThat(run(false, "a", "b", "once")).isEqualTo(all);
        assertThat(Trial.byMethod(all).get("once")).containsExactly(new Sum(4));
    }

    @Test
    void aFinishedTrialIsReadBackAndOneWithoutAKeyIsRunAnew() {
        List<Trial<Sum>> all = run(false, "a", "fleeting");
        runs.clear();
        assertThat(run(false, "a", "fleeting")).isEqualTo(all);
        assertThat(runs).containsExactly("fleeting1", "fleeting2", "fleeting3");
        runs.clear();
        run(false, "a", "another");
        assertThat(runs).as("more methods").containsExactly("another1", "another2", "another3");
    }

    @Test
    void anInterruptedOneResumesWhereItWas() {
        assertThatThrownBy(() -> run(false, "halting", "b")).isInstanceOf(CancellationException.class);
        assertThat(runs).containsExactly("halting1", "b1", "halting2");
        runs.clear();
        Bench.Job job = Jobs.into(folder).job();
        assertThat(TrialRunner.inTurn(job, "sums.jsonl", Sum.class, 3).run(new Adding(), List.of("halting", "b")))
                .hasSize(6);
        assertThat(runs).containsExactly("b2", "halting3", "b3");
    }

    @Test
    void whatFailsSideBySideIsThrown() {
        TrialSubject<Sum> failing = new TrialSubject<>() {
            @Override
            public String name() {
                return "failing";
            }

            @Override
            public Optional<String> key(String method) {
                return Optional.empty();
            }

            @Override
            public String words(Sum s) {
                return "";
            }

            @Override
            public Sum run(String method, long seed, Map<String, Sum> earlier) {
                throw new IllegalArgumentException("seed " + seed);
            }
        };
        assertThatThrownBy(() -> TrialRunner.sideBySide(Jobs.quick(folder), "f.jsonl", Sum.class, 2)
                        .run(failing, List.of("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("seed 1");
    }
}
