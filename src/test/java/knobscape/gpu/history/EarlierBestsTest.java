package knobscape.gpu.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.source.NetworkKernel;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierBestsTest {
    @TempDir
    Path folder;

    private static HistoryTask task(String device, boolean isModel, String driver) {
        return new HistoryTask(
                "gpu",
                new HistoryTask.Measurer(device, driver, isModel),
                "g",
                "s",
                "w",
                "",
                "direct@1",
                "bare",
                Optional.empty());
    }

    private static HistoryRow row(String configuration, Outcome outcome) {
        return new HistoryRow(configuration, outcome, 1, 1, "here");
    }

    private static Outcome time(double ms) {
        return new Outcome.Measured(Map.of("time", ms));
    }

    private static KernelState after(double... times) {
        var knobs = new KnobSet(List.of(new Knob("k", new Domain.Factors(List.of(1, 2, 4)))));
        List<Configuration> all = new CartesianSpace(knobs).enumerate().toList();
        var track = new KernelState.Track(new NetworkKernel(
                new NetworkKernel.Names("T1", "k", "k", "k"),
                3,
                1_000_000,
                new FiniteSpace(knobs, all),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty()));
        for (int i = 0; i < times.length; i++) {
            track.add(new Evaluation(
                    all.get(i),
                    new Fidelity("run", 0),
                    new Outcome.Measured(Map.of("gflops", 1 / times[i], "time", times[i])),
                    0,
                    new Provenance("model", "1", 0, Provenance.Source.MODEL)));
        }
        return track.picture();
    }

    @Test
    void theSameKernelOnTheSameDeviceIsComparedUpToWhereTheRunBegan() {
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            h.add(
                    task("d", false, "1"),
                    List.of(row("k=off", new Outcome.Failure(FailureKind.CRASHED, "gone")), row("k=on", time(2))));
            h.add(task("d", false, "2"), List.of(row("k=on", time(2.5))));
            h.add(task("other", false, "1"), List.of(row("k=on", time(0.1))));
            h.add(task("d", true, "1"), List.of(row("k=on", time(0.1))));
            long began = h.last();
            h.add(task("d", false, "3"), List.of(row("k=on", time(0.1))));
            var reached = EarlierBests.of(h, began, List.of(task("d", false, "9")));
            assertThat(reached.kernels()).containsExactly(Optional.of(new EarlierBests.Earlier(2, 3)));
            assertThat(reached.words(List.of(after(4, 2.01, 5)), List.of(0, 0, 0)))
                    .hasValue("1 of 1 kernels were tuned on this device before: together 6.000 ms after 3 trials then,"
                            + " 6.030 ms after 3 now (1 of them as fast, within 1 %); the earlier quality was"
                            + " reached after 2, 67 % of the trials then.");
            assertThat(reached.words(List.of(after(3, 2.5)), List.of(0, 0)).orElseThrow())
                    .endsWith("(0 of them as fast, within 1 %).");
            assertThat(reached.words(List.of(after()), List.of())).isEmpty();
        }
    }

    @Test
    void turnsOfAllKernelsCountUntilTheyAreTogetherAsFastAsThen() {
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            h.add(task("d", false, "1"), List.of(row("k=off", time(2)), row("k=on", time(4))));
            HistoryTask known = task("d", false, "1");
            HistoryTask never = task("e", false, "1");
            var reached = EarlierBests.of(h, h.last(), List.of(known, never, known));
            // Together 12 ms then; now 3 * (3 + 2), then 3 * (2 + 2) at the third turn of those two.
            assertThat(reached.words(List.of(after(3, 2, 1.5), after(1), after(2)), List.of(0, 1, 2, 0, 0))
                            .orElseThrow())
                    .endsWith("; the earlier quality was reached after 3, 75 % of the trials then.");
        }
    }

    @Test
    void aKernelThatNeverRanThereIsNotCompared() {
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            h.add(task("d", false, "1"), List.of(row("k=off", new Outcome.Failure(FailureKind.CRASHED, "gone"))));
            assertThat(EarlierBests.of(h, h.last(), List.of(task("d", false, "1")))
                            .words(List.of(after(1)), List.of(0)))
                    .isEmpty();
        }
    }
}
