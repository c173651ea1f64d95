package knobscape.app.ui.run;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.OtherEvaluators;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.plot.Curves;
import knobscape.app.ui.run.RunTable.Column;
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
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.project.UserHistory;
import knobscape.space.Configuration;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;

/// Runs of one subject as designs, with the baseline, and hypervolume curves beside those of other runs.
public final class DesignPictures implements RunPictures {
    private static final int MAX_CURVES = 5;
    private static final int MORE_STEPS = 40;
    /// Evaluating the baseline must not cost a person hours: only these kinds of evaluator are asked for it.
    private static final Set<Provenance.Source> QUICK =
            Set.of(Provenance.Source.BUILT_IN_ESTIMATE, Provenance.Source.MODEL, Provenance.Source.REPLAYED);

    private final Area area;
    private final Results results;
    private final BiPredicate<Session<?>, RunRecord> shows;
    private final ReadOnlyObjectWrapper<Curves> curves = new ReadOnlyObjectWrapper<>(Curves.none());
    private final ReadOnlyObjectWrapper<Map<Long, FrontShare>> reached = new ReadOnlyObjectWrapper<>(Map.of());
    /// Numbers of the runs whose curves are drawn where a person does not say otherwise.
    private Set<Long> newest = Set.of();
    private final ComparedRuns ticks = new ComparedRuns(run -> newest.contains(run));
    /// The curves drawn with whatever is ticked.
    private Supplier<Curves> drawing = Curves::none;

    /// @param area whose runs they are
    /// @param results shows the designs
    /// @param shows whether a stored run is of what is open
    public DesignPictures(Area area, Results results, BiPredicate<Session<?>, RunRecord> shows) {
        this.area = area;
        this.results = results;
        this.shows = shows;
        ticks.changes().addListener(o -> curves.set(drawing.get()));
    }

    /// Settings that the work needs from outside of its files are fixed when a run begins.
    @Override
    public WorkSettings settings(Session<?> opened, Area.Work form) {
        return area.begun(form, UserHistory.file().filter(Files::isRegularFile)).settings();
    }

    /// The front that a run reached.
    ///
    /// @param front designs on its own front
    /// @param share its hypervolume as a share of that of all runs together, both by the project's reference point
    public record FrontShare(int front, double share) {}

    /// The fronts of those runs that can be compared with the one shown, by their numbers.
    public ReadOnlyObjectProperty<Map<Long, FrontShare>> reached() {
        return reached.getReadOnlyProperty();
    }

    /// The area's part of the table of runs.
    public RunTable table() {
        return new RunTable(
                List.of(
                        new Column("Steps", 56, true, r -> r.settings().stepsDone(r.step(), "/")),
                        Column.figure("Front", 50, this::reached, x -> Optional.of(Integer.toString(x.front()))),
                        Column.figure(
                                "Hypervolume",
                                98,
                                this::reached,
                                x -> Optional.of(x.share())
                                        .filter(Double::isFinite)
                                        .map(v -> String.format(Locale.ROOT, "%.1f %%", 100 * v))),
                        new Column("Hours", 54, true, r -> Quantity.hours(r.toolSeconds()))),
                ticks,
                reached.map(all -> all.values().stream().anyMatch(r -> r.share() > 0)
                        ? "Hypervolume: share of that of all runs together, one reference point"
                        : ""),
                List.of(reached));
    }

    private Optional<FrontShare> reached(RunRecord run) {
        return Optional.ofNullable(reached.get().get(run.id()));
    }

    /// Hypervolume curves.
    public ReadOnlyObjectProperty<Curves> curves() {
        return curves.getReadOnlyProperty();
    }

    /// The other runs that can be compared with one, on one scale.
    ///
    /// @param curves by number of the run
    /// @param newest numbers of those that are drawn where a person does not say otherwise
    private record Others(
            Optional<CommonScale> scale,
            Map<Long, Curves.Curve> curves,
            Set<Long> newest,
            Map<Long, FrontShare> reached) {
        static final Others NONE = new Others(Optional.empty(), Map.of(), Set.of(), Map.of());

        Curves with(Optional<Curves.Curve> current, String reference, ComparedRuns ticks) {
            var all = new ArrayList<Curves.Curve>();
            current.ifPresent(all::add);
            curves.forEach((id, c) -> {
                if (ticks.isOn(id)) {
                    all.add(c);
                }
            });
            return new Curves(all, reference, scale.map(CommonScale::best).orElse(Double.NaN));
        }
    }

    private final class Designs implements Fold {
        private final DesignFold fold;
        private final Others others;
        private final OtherEvaluators.Source elsewhere;

        Designs(DesignFold fold, Others others, OtherEvaluators.Source elsewhere) {
            this.fold = fold;
            this.others = others;
            this.elsewhere = elsewhere;
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
                open(set, anew, others, elsewhere);
                var own = new Curves.Curve(run.map(RunRecord::title).orElse("this run"), set.trace(), true);
                String reference = others.scale()
                        .map(CommonScale::objectives)
                        .or(set::scales)
                        .map(DesignPictures::reference)
                        .orElse(set.size() == 0 ? "" : "The reference point is fixed after the initial designs.");
                draw(() -> others.with(Optional.of(own), reference, ticks));
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

    private void open(DesignSet set, boolean anew, Others others, OtherEvaluators.Source elsewhere) {
        if (anew) {
            results.others().source(elsewhere);
            results.open(set);
        } else {
            results.update(set);
        }
        newest = others.newest();
        reached.set(others.reached());
    }

    private void draw(Supplier<Curves> next) {
        drawing = next;
        curves.set(next.get());
    }

    @Override
    public Picture before(Session<?> opened, RunSettings settings) {
        DesignFold fold = fold(opened, settings);
        fold.known(opened.bench().known());
        return new Designs(fold, Others.NONE, elsewhere(opened, settings, fold)).picture();
    }

    @Override
    public Fold begin(Session<?> opened, RunSettings settings) {
        DesignFold fold = fold(opened, settings);
        return new Designs(fold, others(opened, 0, fold.objectives(), List.of()), elsewhere(opened, settings, fold));
    }

    @Override
    public Designs stored(Session<?> opened, RunResults run) {
        Optional<Workbench> bench = StoredRuns.workbench(opened, run.run()).map(Session::bench);
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
        return new Designs(fold, others, elsewhere(opened, run.run().settings(), fold));
    }

    @Override
    public Fold looked(Session<?> opened, RunResults run) {
        Designs all = stored(opened, run);
        RunRecord own = run.run();
        opened.project()
                .runs()
                .ifPresent(store -> store.list().stream()
                        .filter(r -> isTried(r) && !isTried(own) && r.knobs().equals(own.knobs()))
                        .filter(r ->
                                r.work().equals(own.work()) && isComparable(r, StoredRuns.metrics(own), own.info()))
                        .forEach(r -> all.fold.tried(store.results(r.id()), results.expected())));
        return all;
    }

    private static boolean isTried(RunRecord run) {
        return run.settings().method().equals(DesignFold.TRIED);
    }

    @Override
    public Optional<Picture> best(Session<?> opened) {
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
        OtherEvaluators.Source elsewhere = elsewhere(opened, newest.settings(), fold);
        return Optional.of((run, anew) -> {
            open(set, anew, others, elsewhere);
            draw(() -> others.with(Optional.empty(), reference, ticks));
        });
    }

    /// The stored results of runs; a single one is not read for nothing.
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
    public static <W extends Workbench> Session<W> workbench(Session<W> open, Optional<RunRecord> run) {
        return run.isEmpty()
                ? open
                : StoredRuns.workbench(open, run.get())
                        .orElseThrow(
                                () -> new UserError(
                                        "The source or its directive file has changed since this run, so its designs cannot be exported as directives; CSV and JSON can."));
    }

    @Override
    public boolean shows(Session<?> opened, RunRecord run) {
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
        ticks.clear();
        draw(Curves::none);
        reached.set(Map.of());
        results.open(DesignSet.none());
    }

    private OtherEvaluators.Source elsewhere(Session<?> opened, RunSettings settings, DesignFold fold) {
        DesignSet set = fold.set();
        return set.info()
                .map(info -> ElsewhereTold.source(opened, settings, info, set.knobs(), r -> shows(opened, r)))
                .orElse(OtherEvaluators.Source.NONE);
    }

    private static DesignFold fold(Session<?> opened, RunSettings settings) {
        Baseline baseline = baseline(opened.bench(), settings);
        var fold = new DesignFold(opened.bench().space().knobs(), baseline.design());
        fold.begin(baseline.info(), settings.objectives());
        return fold;
    }

    /// The evaluator's description and the baseline evaluated by it, where that is quick.
    private record Baseline(EvaluatorInfo info, Optional<Design> design) {}

    private static Baseline baseline(Workbench workbench, RunSettings settings) {
        try (Evaluator evaluator =
                workbench.single(settings.with(RunSettings.WAIT, 0.0)).orElseThrow()) {
            EvaluatorInfo info = evaluator.info();
            Optional<Configuration> baseline = workbench.baseline();
            if (!QUICK.contains(info.source()) || baseline.isEmpty()) {
                return new Baseline(info, Optional.empty());
            }
            List<Evaluation> evaluations = evaluator.evaluate(baseline.get(), info.top(), new CancellationSignal());
            return new Baseline(
                    info,
                    Optional.of(new Design(0, baseline.get(), evaluations, 0, "no directives", Optional.empty())));
        }
    }

    /// The runs other than `except` that explored the same objectives with the same evaluator.
    ///
    /// @param read what was read already: a run of very many designs takes seconds to read
    private Others others(Session<?> opened, long except, List<Metric> objectives, List<RunResults> read) {
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
        var reached = new HashMap<Long, FrontShare>();
        for (RunResults r : all.reversed()) {
            scale.ifPresent(s -> {
                if (r.run().id() != except) {
                    curves.put(r.run().id(), new Curves.Curve(r.run().title(), s.trace(r, store), false));
                }
            });
            reached.put(
                    r.run().id(),
                    new FrontShare(
                            r.front().size(),
                            scale.filter(s -> s.best() > 0)
                                    .map(s -> s.volume(r) / s.best())
                                    .orElse(Double.NaN)));
        }
        return new Others(
                scale,
                curves,
                Stream.concat(Stream.of(except), curves.keySet().stream().limit(MAX_CURVES))
                        .collect(Collectors.toUnmodifiableSet()),
                Map.copyOf(reached));
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
