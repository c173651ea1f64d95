package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.Figure.Axis;
import knobscape.app.ui.plot.Figure.Dot;
import knobscape.app.ui.plot.Figure.Item;
import knobscape.app.ui.plot.Figure.Key;
import knobscape.app.ui.plot.Figure.Panel;
import knobscape.app.ui.plot.Figure.Rule;
import knobscape.app.ui.plot.Figure.Shape;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.plot.Hue;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.StripWork;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;

/// The exact answers of strip fusion for every size of the buffer, computed once for a network, an accelerator and a
/// batch, so that the slider moves along them at once. Headline and figure take their figures from the same answer.
final class StripCurves {
    private static final double MEGA = 1e6;
    private static final double MICRO = 1e6;
    private static final double HEADROOM = 1.08;

    private final Background background;
    private final ReadOnlyObjectWrapper<Optional<Exact>> exact = new ReadOnlyObjectWrapper<>(Optional.empty());
    private Optional<StripWork> work = Optional.empty();
    private int asked;
    private CancellationSignal running = new CancellationSignal();

    private record Exact(StripWork work, StripSweep.Curve curve) {
        /// The answer of the largest size computed that is not above a buffer.
        Optional<StripAnswer> at(long buffer) {
            return curve.points().stream()
                    .filter(p -> p.value() <= buffer)
                    .reduce((a, b) -> b)
                    .flatMap(StripSweep.Point::answer);
        }
    }

    StripCurves(Background background) {
        this.background = background;
    }

    /// Changes when answers arrive.
    ReadOnlyObjectProperty<?> answers() {
        return exact.getReadOnlyProperty();
    }

    /// Takes another network; one that strips cannot read has no curve.
    void open(FusionSource source) {
        int turn = ++asked;
        work = Optional.empty();
        exact.set(Optional.empty());
        background.compute(
                () -> StripWork.open(
                        source.opened().project(), source.opened().bench().settings()),
                read -> {
                    if (turn == asked) {
                        work = Optional.of(read);
                        measure();
                    }
                },
                e -> {});
    }

    /// Follows what a person sets.
    void follow(Accelerator accelerator, Optional<Integer> batch) {
        work.ifPresent(w -> {
            long runs = batch.map(Integer::longValue).orElse(w.batch());
            boolean same = w.batch() == runs && w.accelerator().withBuffer(1).equals(accelerator.withBuffer(1));
            work = Optional.of(new StripWork(w.graph(), accelerator, runs, w.notes()));
            if (!same) {
                measure();
            }
        });
    }

    private void measure() {
        int turn = ++asked;
        running.cancel();
        var cancel = new CancellationSignal();
        running = cancel;
        StripWork w = work.orElseThrow();
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
                                    Objective.TIME,
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

    /// The answer at a buffer as a headline; none where there is none yet.
    Optional<String[]> words(long buffer) {
        return exact.get().flatMap(x -> x.at(buffer)).map(a -> new String[] {
            String.format(Locale.ROOT, "%.2f\u00d7", a.speedup()),
            FusionFigures.micros(a.total().seconds()) + ", "
                    + ByteSize.shown(a.total().offChip()) + " off chip, "
                    + String.format(Locale.ROOT, "%.2f times the least", a.trafficOverBound())
        });
    }

    /// The curve over the buffer, with the present buffer and the knee.
    ObservableValue<Content> content(ReadOnlyObjectProperty<Optional<Setup>> setup) {
        return Bindings.createObjectBinding(
                () -> {
                    Optional<Exact> now =
                            exact.get().filter(x -> x.curve().points().size() > 1);
                    long buffer =
                            setup.get().map(s -> s.accelerator().bufferBytes()).orElse(0L);
                    return now.map(x -> Content.of(() -> figure(x, buffer)))
                            .orElseGet(
                                    () -> Content.empty("The exact answers for all sizes of the buffer are computed"));
                },
                exact,
                setup);
    }

    private static Figure figure(Exact x, long buffer) {
        List<StripSweep.Point> points =
                x.curve().points().stream().filter(p -> p.answer().isPresent()).toList();
        double[] size = points.stream().mapToDouble(p -> p.value() / MEGA).toArray();
        List<StripAnswer> answers =
                points.stream().flatMap(p -> p.answer().stream()).toList();
        double[] time =
                answers.stream().mapToDouble(a -> a.total().seconds() * MICRO).toArray();
        double[] off =
                answers.stream().mapToDouble(a -> a.total().offChip() / MEGA).toArray();
        StripAnswer first = answers.getFirst();
        Axis across = Axis.log("Buffer (MB)", size[0], Math.max(size[size.length - 1], buffer / MEGA));
        return new Figure(
                List.of(
                        new Panel(
                                across,
                                Axis.linear("Time (\u00b5s)", 0, time[0] * HEADROOM),
                                3,
                                items(x, size, time, buffer, first.bound().seconds() * MICRO, answers)),
                        new Panel(
                                across,
                                Axis.linear("Off chip (MB)", 0, off[0] * HEADROOM),
                                2,
                                items(x, size, off, buffer, first.bound().offChip() / MEGA, answers))),
                List.of(
                        new Key("exact answers", Hue.FRONT, Shape.LINE),
                        new Key("least possible", Hue.MUTED, Shape.DASHES)),
                "");
    }

    private static List<Item> items(
            Exact x, double[] size, double[] value, long buffer, double bound, List<StripAnswer> answers) {
        var items = new ArrayList<Item>();
        items.add(new Figure.Line("exact answers", size, value, Hue.FRONT, true, 0, 1.8));
        for (int i = 0; i < size.length; i++) {
            StripAnswer a = answers.get(i);
            String tip = String.format(
                    Locale.ROOT,
                    "%.3g MB: %s, %s off chip, %.2f\u00d7, %d groups",
                    size[i],
                    FusionFigures.micros(a.total().seconds()),
                    ByteSize.shown(a.total().offChip()),
                    a.speedup(),
                    a.groups().size());
            items.add(new Dot(size[i], value[i], Shape.DOT, Hue.FRONT, tip, Figure.NO_KEY));
        }
        items.add(new Rule(false, bound, Hue.MUTED, true, ""));
        if (x.curve().knee() >= 0) {
            double knee = x.curve().points().get(x.curve().knee()).value();
            items.add(new Rule(true, knee / MEGA, Hue.PINNED, true, "knee"));
        }
        items.add(new Rule(true, buffer / MEGA, Hue.TEXT, false, "buffer " + ByteSize.shown(buffer)));
        return items;
    }
}
