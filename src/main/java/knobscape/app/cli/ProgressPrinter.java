package knobscape.app.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.report.Printable;
import knobscape.explore.Promise;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.project.NumberFormats;

/// Tells on standard error how a run goes: one line that is rewritten where a person watches, else a line about
/// every tenth of the steps and at least every half minute that something happens.
final class ProgressPrinter implements RunListener {
    private static final long REWRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SPARSE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int SPARSE_SHARE = 10;

    private final PrintWriter err;
    private final boolean live;
    private final LongSupplier nanoClock;
    private int width;
    private long printed = Long.MIN_VALUE;
    private String fidelity = "";
    private Optional<Promise> promise = Optional.empty();
    private Provenance.Source source = Provenance.Source.MEASURED;

    ProgressPrinter(PrintWriter err, boolean live, LongSupplier nanoClock) {
        this.err = err;
        this.live = live;
        this.nanoClock = nanoClock;
    }

    @Override
    public void onEvent(RunEvent event) {
        switch (event) {
            case RunEvent.Started s -> {
                source = s.info().source();
                line("Exploring with " + s.method() + ", seed " + s.seed() + ": "
                        + (s.initialDesigns() > 0 ? s.initialDesigns() + " initial designs, then " : "")
                        + (isLimited(s.maxSteps()) ? "at most " + s.maxSteps() + " steps" : "no limit of steps")
                        + "; " + s.info().name() + " ("
                        + s.info().source().words() + ")"
                        + (s.replayed() == 0 ? "" : "; resumed after " + s.replayed() + " stored evaluations") + ".");
            }
            case RunEvent.Known _, RunEvent.ObjectivesFixed _, RunEvent.Asked _, RunEvent.StageDone _ -> {}
            case RunEvent.Proposed p -> fidelity = p.proposal().upTo().name();
            case RunEvent.Evaluated e -> now(e.progress());
            case RunEvent.Batch b -> now(b.progress());
            case RunEvent.StepDone d -> {
                promise = Promise.of(d.diagnostics()).or(() -> promise);
                int every = isLimited(d.progress().maxSteps())
                        ? Math.max(1, d.progress().maxSteps() / SPARSE_SHARE)
                        : SPARSE_SHARE;
                if (live || d.step() % every == 0) {
                    progress(d.progress(), nanoClock.getAsLong());
                }
            }
            case RunEvent.Note n -> line("Note: " + n.text());
            case RunEvent.Paused p -> line("Paused; what was in flight is stored.");
            case RunEvent.Resumed r -> line("Running again.");
            case RunEvent.Finished f -> {
                endLive();
                line("Ended after " + NumberFormats.duration(f.progress().elapsedSeconds()) + ": "
                        + f.reason().replaceFirst("[.]$", "") + ".");
                promise.ifPresent(p -> line(p.sentence(source)));
            }
        }
    }

    private static boolean isLimited(int steps) {
        return steps < Integer.MAX_VALUE;
    }

    private void now(RunEvent.Progress p) {
        long now = nanoClock.getAsLong();
        if (live ? due(now, REWRITE_NANOS) : due(now, SPARSE_NANOS)) {
            progress(p, now);
        }
    }

    private boolean due(long now, long interval) {
        return printed == Long.MIN_VALUE || now - printed >= interval;
    }

    private void progress(RunEvent.Progress p, long now) {
        printed = now;
        String text = "step " + p.step() + (isLimited(p.maxSteps()) ? "/" + p.maxSteps() : "")
                + (fidelity.isEmpty() ? "" : "  " + fidelity) + "  "
                + p.evaluated() + " designs"
                + (Double.isNaN(p.hypervolume())
                        ? ""
                        : String.format(Locale.ROOT, "  hypervolume %.4f  front %d", p.hypervolume(), p.frontSize()))
                + (p.toolSeconds() > 0
                        ? String.format(Locale.ROOT, "  %.2f %s", p.toolSeconds() / 3600, source.hours())
                        : "")
                + "  algorithm "
                + NumberFormats.duration(p.algorithmSeconds())
                + promise.map(q -> "  next hour " + Promise.percent(q.expected()) + " % nearer")
                        .orElse("")
                + (Double.isNaN(p.secondsLeft()) ? "" : "  left about " + NumberFormats.duration(p.secondsLeft()));
        if (live) {
            err.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
            width = text.length();
        } else {
            err.println(text);
        }
        err.flush();
    }

    private void line(String text) {
        endLive();
        err.println(Printable.text(text));
        err.flush();
    }

    private void endLive() {
        if (width > 0) {
            err.println();
            width = 0;
        }
    }
}
