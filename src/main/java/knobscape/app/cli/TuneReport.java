package knobscape.app.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import knobscape.evaluate.Evaluation;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.export.TuningFiles;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.search.Finish;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.project.BestTuning;
import knobscape.project.NumberFormats;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStore;
import knobscape.work.RunSummary;
import picocli.CommandLine.Command;

/// The kernels of a network made fast on a device: their best schedules as they are found, and in the end.
@Command
final class TuneReport implements RunReport {
    /// Measurements before a pace is told.
    private static final int LEAST_PACE = 16;
    private static final long REWRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SPARSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final CommandContext context;
    private Optional<TuningResults> live = Optional.empty();

    /// @param context says whether a person watches
    TuneReport(CommandContext context) {
        this.context = context;
    }

    @Override
    public List<String> files() {
        return TuningFiles.names();
    }

    private static GpuWorkbench bench(Start start) {
        return start.opened().bench(GpuWorkbench.class);
    }

    @Override
    public List<String> notes(Start start) {
        if (start.resumed().isPresent()) {
            return List.of();
        }
        GpuWorkbench bench = bench(start);
        return bench.log(start.run()).stream()
                .map(k -> "Known before: " + k.words() + ". " + k.rest()
                        + (bench.settings().isBare()
                                ? ""
                                : " They are taken as of bare kernels; --bare compares like with like."))
                .toList();
    }

    @Override
    public List<RunListener> watchers(Start start, PrintWriter err, RunListener usual) {
        GpuWorkbench bench = bench(start);
        TuningResults results = start.resumed()
                .map(r -> TuningResults.of(
                        bench.network(),
                        start.project().runs().orElseThrow().results(r.id()).found()))
                .orElseGet(() -> new TuningResults(bench.network()));
        live = Optional.of(results);
        return List.of(results, new Printer(results, bench.budget(start.run()), err, context.interactive()));
    }

    @Override
    public Conclusion conclude(Start start, RunResults stored, RunEvent.Finished end) {
        TuningResults results = live.orElseThrow();
        Project project = start.project();
        RunSummary summary = project.summary(stored.run());
        RunStore store = project.runs().orElseThrow();
        RunRecord best =
                start.resumed().isPresent() ? stored.run() : BestTuning.of(store, results.network(), stored.run());
        boolean own = best.id() == stored.run().id();
        TuningFiles.write(
                project.runsFolder(),
                own ? summary : project.summary(best),
                own ? results : BestTuning.results(store, results.network(), best),
                start.guard());
        TunedNetwork tuned = results.picture();
        return new Conclusion(
                TuningFiles.json(summary, results),
                table(tuned, Finish.TIME.equals(end.reason()))
                        + bench(start)
                                .reachedBefore(
                                        stored.run().settings(), stored.run().info())
                                .flatMap(r -> r.words(tuned.states(), results.turns()))
                                .map(w -> w + "\n")
                                .orElse("")
                        + "Network: "
                        + tuned.soFar()
                                .map(TunedNetwork.SoFar::words)
                                .orElseGet(() ->
                                        NumberFormats.shortest(tuned.latencyMilliseconds()) + " ms in its kernels")
                        + " ("
                        + stored.run().info().source().words() + ")\nFiles: " + project.runsFolder()
                        + " (tuning.json, log.jsonl)\n",
                own
                        ? ""
                        : "Run " + best.id()
                                + " of this device found better schedules; the files and 'knobscape export' have"
                                + " those, unless a run is named by its number.",
                true);
    }

    /// One line that is rewritten where a person watches, else a line now and then.
    private static final class Printer implements RunListener {
        private final TuningResults results;
        private final int budget;
        private final int before;
        private final PrintWriter err;
        private final boolean live;
        private long printed = Long.MIN_VALUE;

        Printer(TuningResults results, int budget, PrintWriter err, boolean live) {
            this.err = err;
            this.live = live;
            this.results = results;
            this.budget = budget;
            this.before = trials(results.picture());
        }

        @Override
        public void onEvent(RunEvent event) {
            switch (event) {
                case RunEvent.Started s -> {
                    ScheduleEvaluator.caution(s.info()).ifPresent(c -> err.println("Note: " + c + "."));
                    err.println("Tuning " + results.network().kernels().size() + " kernels of "
                            + results.network().name() + " with " + s.method() + ", seed "
                            + s.seed() + ": at most " + budget + " trials on "
                            + s.info().name()
                            + ScheduleEvaluator.hardware(s.info())
                                    .map(h -> ", " + h)
                                    .orElse("") + " (" + s.info().source().words() + ")"
                            + (before == 0 ? "" : "; resumed after " + before) + ".");
                }
                case RunEvent.Finished f -> {
                    if (live) {
                        err.println();
                    }
                    err.println("Ended: " + f.reason().replaceFirst("[.]$", "") + ".");
                }
                case RunEvent.Note n -> err.println("Note: " + n.text());
                case RunEvent.Evaluated e -> measured(e);
                default -> {}
            }
            err.flush();
        }

        private void measured(RunEvent.Evaluated e) {
            long now = System.nanoTime();
            if (printed != Long.MIN_VALUE && now - printed < (live ? REWRITE_NANOS : SPARSE_NANOS)) {
                return;
            }
            printed = now;
            TunedNetwork tuned = results.picture();
            KernelState state = tuned.states().get(results.kernel(e.subject()));
            int done = trials(tuned);
            double left = done - before < LEAST_PACE
                    ? Double.NaN
                    : e.progress().elapsedSeconds() / (done - before) * (budget - done);
            String text = (done > budget ? "the best again, " + (done - budget) : done + "/" + budget) + "  "
                    + state.kernel().task() + " "
                    + state.kernel().tag() + " #" + state.trials()
                    + (state.bestGflops() > 0
                            ? String.format(
                                    Locale.ROOT,
                                    "  best %.4g %s, %.4g ms",
                                    state.bestGflops(),
                                    state.kernel().unit(),
                                    state.bestMilliseconds())
                            : "  nothing ran yet")
                    + (Double.isNaN(tuned.latencyMilliseconds())
                            ? tuned.soFar().map(s -> "  network " + s.words()).orElse("")
                            : String.format(Locale.ROOT, "  network %.4g ms", tuned.latencyMilliseconds()))
                    + (tuned.isModelled() ? " (model)" : "")
                    + (Double.isNaN(left) || done >= budget ? "" : "  left about " + NumberFormats.duration(left));
            if (live) {
                err.print("\r" + text + "    ");
            } else {
                err.println(text);
            }
        }
    }

    private static int trials(TunedNetwork tuned) {
        return tuned.states().stream().mapToInt(KernelState::trials).sum();
    }

    private static String table(TunedNetwork tuned, boolean timed) {
        String mark = tuned.isModelled() ? " (model)" : "";
        boolean integers = tuned.states().stream().anyMatch(s -> s.kernel().isOfIntegers());
        var table = new TextTable(
                "task",
                "kernel",
                "fused operators",
                ">count",
                ">trials",
                (integers ? ">speed" : ">GFLOPS") + mark,
                ">ms" + mark,
                "knobs");
        for (KernelState s : tuned.states()) {
            NetworkKernel kernel = s.kernel();
            List<FusedTail> tails = kernel.tails();
            String unit = integers ? " " + kernel.unit() : "";
            table.add(
                    kernel.task(),
                    kernel.id(),
                    tails.isEmpty() ? "" : tails.getFirst().epilogue().words(),
                    "" + (tails.isEmpty() ? kernel.count() : tails.getFirst().count()),
                    "" + s.trials(),
                    value(s.fastest(), "gflops") + unit,
                    value(s.fastest(), "time")
                            + s.spread().map(x -> " " + x.words()).orElse(""),
                    s.best().map(c -> c.text()).orElse(s.trials() == 0 ? "not tried" : "nothing valid found"));
            for (FusedTail t :
                    tails.stream().skip(1).filter(t -> s.best().isPresent()).toList()) {
                String same = s.best().orElseThrow().text();
                table.add(
                        "",
                        "",
                        t.epilogue().words(),
                        "" + t.count(),
                        "",
                        value(s.with(t), "gflops") + unit,
                        value(s.with(t), "time"),
                        s.with(t)
                                .map(e -> e.configuration().text())
                                .map(x -> x.equals(same) ? "the same" : x)
                                .orElse("not measured with this tail"));
            }
        }
        long untried = tuned.states().stream().filter(s -> s.trials() == 0).count();
        return table.text()
                + (untried == 0
                        ? ""
                        : "Not tried: " + untried + " of " + tuned.states().size()
                                + " kernels; "
                                + (timed
                                        ? "the time was over; continue with --resume and more --minutes.\n"
                                        : "a measurement of each takes --trials "
                                                + tuned.states().size() + " or more.\n"));
    }

    private static String value(Optional<Evaluation> e, String metric) {
        return NumberFormats.shortest(
                e.map(x -> x.value(metric).orElse(Double.NaN)).orElse(Double.NaN));
    }
}
