package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableSet;
import javafx.collections.SetChangeListener;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.plot.Curves;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.explore.Objectives;
import knobscape.explore.RunEvent;
import knobscape.project.Design;
import knobscape.project.Opened;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStore;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// Runs of one subject as designs, with the baseline, and hypervolume curves beside those of other runs.
public final class DesignPictures implements RunPictures {
    private static final int MAX_CURVES = 5;
    private static final int MORE_STEPS = 40;
    /// Evaluating the baseline must not cost a person hours: only these kinds of evaluator are asked for it.
    private static final Set<Provenance.Source> QUICK =
            Set.of(Provenance.Source.BUILT_IN_ESTIMATE, Provenance.Source.MODEL, Provenance.Source.REPLAYED);

    private final Results results;
    private final BiPredicate<Opened<?>, RunRecord> shows;
    private final ReadOnlyObjectWrapper<Curves> curves = new ReadOnlyObjectWrapper<>(Curves.none());
    private final ReadOnlyObjectWrapper<List<RunRow>> rows = new ReadOnlyObjectWrapper<>(List.of());
    /// Numbers of the runs whose curves are drawn beside the one shown.
    private final ObservableSet<Long> overlaid = FXCollections.observableSet();
    /// What is drawn with whatever is ticked.
    private Function<Set<Long>, Curves> drawing = ticked -> Curves.none();

    /// @param results shows the designs
    /// @param shows whether a stored run is of what is open
    public DesignPictures(Results results, BiPredicate<Opened<?>, RunRecord> shows) {
        this.results = results;
        this.shows = shows;
        overlaid.addListener((SetChangeListener<Long>) c -> curves.set(drawing.apply(overlaid)));
    }

    /// The runs that were read, oldest first.
    public ReadOnlyObjectProperty<List<RunRow>> rows() {
        return rows.getReadOnlyProperty();
    }

    /// Numbers of the runs whose curves are drawn beside the one shown, besides the newest.
    public ObservableSet<Long> overlaid() {
        return overlaid;
    }

    /// Hypervolume curves.
    public ReadOnlyObjectProperty<Curves> curves() {
        return curves.getReadOnlyProperty();
    }

    /// The other runs that can be compared with one, on one scale.
    ///
    /// @param curves by number of the run
    /// @param newest numbers of those that are drawn without being ticked
    private record Others(
            Optional<CommonScale> scale, Map<Long, Curves.Curve> curves, Set<Long> newest, List<RunRow> rows) {
        static final Others NONE = new Others(Optional.empty(), Map.of(), Set.of(), List.of());

        Curves with(Optional<Curves.Curve> current, String reference, Set<Long> ticked) {
            var all = new ArrayList<Curves.Curve>();
            current.ifPresent(all::add);
            curves.forEach((id, c) -> {
                if (newest.contains(id) || ticked.contains(id)) {
                    all.add(c);
                }
            });
            return new Curves(all, reference, scale.map(CommonScale::best).orElse(Double.NaN));
        }
    }

    private final class Designs implements Fold {
        private final DesignFold fold;
        private final Others others;

        Designs(DesignFold fold, Others others) {
            this.fold = fold;
            this.others = others;
            others.scale().ifPresent(s -> fold.measureBy(s.objectives()));
        }

        @Override
        public void apply(List<RunEvent> events) {
            fold.apply(events);
        }

        @Override
        public Picture picture() {
            DesignSet set = fold.set();
            return (run, anew) -> {
                open(set, anew, others);
                var own = new Curves.Curve(run.map(RunRecord::title).orElse("this run"), set.trace(), true);
                String reference = others.scale()
                        .map(CommonScale::objectives)
                        .or(set::scales)
                        .map(DesignPictures::reference)
                        .orElse(set.size() == 0 ? "" : "The reference point is fixed after the initial designs.");
                draw(ticked -> others.with(Optional.of(own), reference, ticked));
            };
        }

        @Override
        public String title(int subject, Configuration configuration) {
            return fold.number(configuration).stream()
                    .mapToObj(n -> "#" + n)
                    .findFirst()
                    .orElse("a design");
        }
    }

    private void open(DesignSet set, boolean anew, Others others) {
        if (anew) {
            results.open(set);
        } else {
            results.update(set);
        }
        rows.set(others.rows());
    }

    private void draw(Function<Set<Long>, Curves> next) {
        drawing = next;
        curves.set(next.apply(overlaid));
    }

    @Override
    public Picture before(Opened<?> opened, RunSettings settings) {
        DesignFold fold = fold(opened, settings);
        fold.known(opened.bench().known());
        return new Designs(fold, Others.NONE).picture();
    }

    @Override
    public Fold begin(Opened<?> opened, RunSettings settings) {
        DesignFold fold = fold(opened, settings);
        return new Designs(fold, others(opened, 0, fold.objectives(), List.of()));
    }

    @Override
    public Fold stored(Opened<?> opened, RunResults run) {
        Optional<Workbench> bench = StoredRuns.workbench(opened, run.run()).map(Opened::bench);
        var fold = new DesignFold(
                run.run().knobs(),
                bench.flatMap(b -> baseline(b, run.run().settings()).design()));
        Others others = others(opened, run.run().id(), StoredRuns.metrics(run.run()), List.of(run));
        fold.load(others.scale()
                .map(s -> new RunResults(
                        run.run(),
                        run.designs(),
                        s.trace(run, opened.project().runs().orElseThrow()),
                        run.events(),
                        run.damaged()))
                .orElse(run));
        return new Designs(fold, others);
    }

    @Override
    public Optional<Picture> best(Opened<?> opened) {
        List<RunResults> runs = opened.project()
                .runs()
                .map(store -> several(store, alike(store, r -> shows(opened, r))))
                .orElse(List.of());
        if (runs.isEmpty()) {
            return Optional.empty();
        }
        RunRecord newest = runs.getLast().run();
        var fold = new DesignFold(
                newest.knobs(),
                StoredRuns.workbench(opened, newest)
                        .flatMap(w -> baseline(w.bench(), newest.settings()).design()));
        runs.forEach(fold::join);
        DesignSet set = fold.set();
        Others others = others(opened, 0, fold.objectives(), runs);
        String reference = others.scale().map(s -> reference(s.objectives())).orElse("");
        return Optional.of((run, anew) -> {
            open(set, anew, others);
            draw(ticked -> others.with(Optional.empty(), reference, ticked));
        });
    }

    /// What is stored of runs; a single one is not read for nothing.
    private static List<RunResults> several(RunStore store, List<RunRecord> runs) {
        return runs.size() < 2
                ? List.of()
                : runs.stream().map(r -> store.results(r.id())).toList();
    }

    /// The runs whose designs can be taken together with those of the newest: the same knobs, settings of the work,
    /// evaluator and objectives. Oldest first.
    ///
    /// @param shown others are left out
    public static List<RunRecord> alike(RunStore runs, Predicate<RunRecord> shown) {
        List<RunRecord> all = runs.list().stream().filter(shown).toList();
        return all.stream()
                .filter(r -> r.knobs().equals(all.getLast().knobs())
                        && r.work().equals(all.getLast().work())
                        && isComparable(
                                r,
                                StoredRuns.metrics(all.getLast()),
                                all.getLast().info()))
                .toList();
    }

    private static boolean isComparable(RunRecord r, List<Metric> metrics, EvaluatorInfo info) {
        return r.info().name().equals(info.name())
                && names(StoredRuns.metrics(r)).equals(names(metrics));
    }

    private static List<String> names(List<Metric> metrics) {
        return metrics.stream().map(Metric::name).toList();
    }

    /// The workbench with the part, clock and knobs of the selected run; called away from the screen. Throws
    /// [UserError] where the source has changed since.
    public static <W extends Workbench> Opened<W> workbench(Opened<W> open, Optional<RunRecord> run) {
        return run.isEmpty()
                ? open
                : StoredRuns.workbench(open, run.get())
                        .orElseThrow(
                                () -> new UserError(
                                        "The source or its directive file has changed since this run, so its designs cannot be exported as directives; CSV and JSON can."));
    }

    @Override
    public boolean shows(Opened<?> opened, RunRecord run) {
        return shows.test(opened, run);
    }

    @Override
    public boolean canContinue(RunRecord run) {
        return run.settings().steps() > 0;
    }

    @Override
    public int more() {
        return MORE_STEPS;
    }

    @Override
    public void clear() {
        draw(ticked -> Curves.none());
        rows.set(List.of());
        results.open(DesignSet.none());
    }

    private static DesignFold fold(Opened<?> opened, RunSettings settings) {
        Baseline baseline = baseline(opened.bench(), settings);
        var fold = new DesignFold(opened.bench().space().knobs(), baseline.design());
        fold.begin(baseline.info(), settings.objectives());
        return fold;
    }

    /// The evaluator's description and the baseline evaluated by it, where that is quick.
    private record Baseline(EvaluatorInfo info, Optional<Design> design) {}

    private static Baseline baseline(Workbench workbench, RunSettings settings) {
        try (Evaluator evaluator = workbench.single(settings.withWaitFactor(0)).orElseThrow()) {
            EvaluatorInfo info = evaluator.info();
            Optional<Configuration> baseline = workbench.baseline();
            if (!QUICK.contains(info.source()) || baseline.isEmpty()) {
                return new Baseline(info, Optional.empty());
            }
            List<Evaluation> evaluations = evaluator.evaluate(baseline.get(), info.top(), new CancellationSignal());
            return new Baseline(
                    info, Optional.of(new Design(0, baseline.get(), evaluations, 0, "baseline", Optional.empty())));
        }
    }

    /// The runs other than `except` that explored the same objectives with the same evaluator.
    ///
    /// @param read what was read already: a run of very many designs takes seconds to read
    private Others others(Opened<?> opened, long except, List<Metric> objectives, List<RunResults> read) {
        RunStore store = opened.project().runs().orElse(null);
        if (store == null) {
            return Others.NONE;
        }
        List<RunRecord> listed =
                store.list().stream().filter(r -> shows(opened, r)).toList();
        Optional<EvaluatorInfo> info = listed.stream()
                .filter(r -> except == 0 || r.id() == except)
                .map(RunRecord::info)
                .reduce((a, b) -> b);
        List<RunResults> all = info.stream()
                .flatMap(i -> listed.stream().filter(r -> isComparable(r, objectives, i)))
                .map(r -> read.stream()
                        .filter(k -> k.run().id() == r.id())
                        .findFirst()
                        .orElseGet(() -> store.results(r.id())))
                .toList();
        Optional<CommonScale> scale = CommonScale.of(all);
        var curves = new LinkedHashMap<Long, Curves.Curve>();
        var rows = new LinkedHashMap<Long, RunRow>();
        listed.forEach(r -> rows.put(r.id(), new RunRow(r, 0, Double.NaN)));
        for (RunResults r : all.reversed()) {
            scale.ifPresent(s -> {
                if (r.run().id() != except) {
                    curves.put(r.run().id(), new Curves.Curve(r.run().title(), s.trace(r, store), false));
                }
            });
            rows.put(
                    r.run().id(),
                    new RunRow(
                            r.run(),
                            r.front().size(),
                            scale.filter(s -> s.best() > 0)
                                    .map(s -> s.volume(r) / s.best())
                                    .orElse(Double.NaN)));
        }
        return new Others(
                scale,
                curves,
                curves.keySet().stream().limit(MAX_CURVES).collect(Collectors.toUnmodifiableSet()),
                List.copyOf(rows.values()));
    }

    private static String reference(Objectives o) {
        return "Reference point: "
                + IntStream.range(0, o.count())
                        .mapToObj(j -> {
                            double raw = o.raw(j, o.reference().get(j));
                            return o.metrics().get(j).label() + " "
                                    + Quantity.of(o.metrics().get(j), raw, raw).withUnit(raw);
                        })
                        .collect(Collectors.joining(", "));
    }
}
