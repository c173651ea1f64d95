package knobscape.app.ui.fusion;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringWrapper;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.StripWork;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripFront;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.source.Accelerator;

/// The exact answers of strip fusion: the one at the buffer that is set, which headline, panel, table and figures show,
/// and those for every size of the buffer, computed once for a network, an accelerator and a batch, so that the slider
/// moves along them at once. Used from the JavaFX thread.
public final class StripCurves {
    private final Background background;
    private final ReadOnlyObjectWrapper<Optional<Exact>> exact = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<StripReport>> answer = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper pending = new ReadOnlyStringWrapper("");
    private final LatestTask<Solved> solving;
    private Optional<StripWork> work = Optional.empty();
    private Objective objective = Objective.TIME;
    private int asked;
    private CancellationSignal running = new CancellationSignal();

    /// The curve over the buffer.
    record Exact(StripWork work, StripSweep.Curve curve) {
        /// The answer of the largest size computed that is not above a buffer.
        private Optional<StripReport> at(long buffer) {
            return curve.points().stream()
                    .filter(p -> p.value() <= buffer)
                    .reduce((a, b) -> b)
                    .flatMap(p -> p.answer().map(a -> report(work.withBuffer(Math.round(p.value())), a)));
        }

        private static StripReport report(StripWork on, StripAnswer a) {
            return new StripReport(on.model(), on.accelerator(), a);
        }
    }

    /// The solution computed for a state of the work.
    ///
    /// @param words why there is no answer, else empty
    private record Solved(StripWork of, Objective objective, Optional<StripReport> report, String words) {}

    StripCurves(Background background) {
        this.background = background;
        this.solving = new LatestTask<>(
                background,
                s -> {
                    if (work.filter(s.of()::equals).isPresent() && s.objective() == objective) {
                        pending.set(s.words());
                        answer.set(s.report());
                    }
                },
                e -> pending.set("The exact answer cannot be computed: " + UserError.reason(e)));
    }

    /// The curve over the buffer, empty until it is computed.
    ReadOnlyObjectProperty<Optional<Exact>> curve() {
        return exact.getReadOnlyProperty();
    }

    /// The answer at the buffer that is set.
    public ReadOnlyObjectProperty<Optional<StripReport>> answer() {
        return answer.getReadOnlyProperty();
    }

    /// Layers as strips see the network, where they can read it.
    OptionalInt layers() {
        return work.map(w -> OptionalInt.of(w.graph().layers())).orElse(OptionalInt.empty());
    }

    /// Why there is no answer.
    String pending() {
        return pending.get();
    }

    /// Takes another network; one that strips cannot read has no answers.
    void open(FusionSource.Rows rows) {
        asked++;
        work = rows.work();
        exact.set(Optional.empty());
        pending.set(work.isPresent() ? "The exact answer is being computed." : rows.why());
        answer.set(Optional.empty());
        if (work.isPresent()) {
            solve();
            measure();
        }
    }

    /// Follows what a person sets.
    void follow(Accelerator accelerator, long batch, Objective least) {
        work.ifPresent(w -> {
            boolean other = least != objective;
            objective = least;
            boolean same = !other
                    && w.batch() == batch
                    && w.accelerator().withBuffer(1).equals(accelerator.withBuffer(1));
            var now = new StripWork(w.graph(), accelerator, batch, w.notes());
            if (now.equals(w) && !other) {
                return;
            }
            work = Optional.of(now);
            if (same && least != Objective.ROOM) {
                // At once, until the very buffer is solved.
                exact.get().flatMap(x -> x.at(accelerator.bufferBytes())).ifPresent(r -> answer.set(Optional.of(r)));
            }
            solve();
            if (!same) {
                measure();
            }
        });
    }

    /// Solves what is set, with its front and what a little more would bring.
    private void solve() {
        StripWork w = work.orElseThrow();
        Objective least = objective;
        solving.submit(() -> {
            var never = new CancellationSignal();
            try {
                StripAnswer best = w.solve(least, never);
                StripModel model = w.model();
                StripFront.Front front = StripFront.of(model, never);
                return new Solved(
                        w,
                        least,
                        Optional.of(new StripReport(
                                model,
                                w.accelerator(),
                                best,
                                front.groupings().stream().map(best::with).toList(),
                                front.words(),
                                StripSweep.sensitivities(w.graph(), w.machine(), w.batch(), best, never),
                                StripReport.Claim.PROVEN)),
                        "");
            } catch (UserError e) {
                return new Solved(w, least, Optional.empty(), e.getMessage().replaceFirst(" \\(--buffer .*\\)", ""));
            }
        });
    }

    private void measure() {
        int turn = ++asked;
        running.cancel();
        var cancel = new CancellationSignal();
        running = cancel;
        StripWork w = work.orElseThrow();
        Objective least = objective;
        exact.set(Optional.empty());
        background.compute(
                () -> {
                    List<Double> sizes = StripSweep.buffers(
                            w.graph(), w.machine(), w.batch(), w.accelerator().bufferBytes());
                    return new Exact(
                            w,
                            StripSweep.over(
                                    w.graph(),
                                    w.machine(),
                                    w.batch(),
                                    least == Objective.ROOM ? Objective.TIME : least,
                                    StripSweep.Axis.BUFFER,
                                    sizes,
                                    cancel));
                },
                found -> {
                    if (turn == asked) {
                        exact.set(Optional.of(found));
                    }
                },
                e -> {});
    }
}
