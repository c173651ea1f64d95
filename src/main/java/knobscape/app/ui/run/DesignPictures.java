package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
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
    /// Evaluating the baseline must not cost a person hours: only these kinds of evaluator are asked for it.
    private static final Set<Provenance.Source> QUICK =
            Set.of(Provenance.Source.BUILT_IN_ESTIMATE, Provenance.Source.MODEL, Provenance.Source.REPLAYED);

    private final Results results;
    private final ReadOnlyObjectWrapper<Curves> curves = new ReadOnlyObjectWrapper<>(Curves.none());

    /// @param results shows the designs
    public DesignPictures(Results results) {
        this.results = results;
    }

    /// Hypervolume curves.
    public ReadOnlyObjectProperty<Curves> curves() {
        return curves.getReadOnlyProperty();
    }

    private final class Designs implements Fold {
        private final DesignFold fold;
        private final List<Curves.Curve> others;

        Designs(DesignFold fold, List<Curves.Curve> others) {
            this.fold = fold;
            this.others = others;
        }

        @Override
        public void apply(List<RunEvent> events) {
            fold.apply(events);
        }

        @Override
        public Picture picture() {
            DesignSet set = fold.set();
            return (run, anew) -> {
                if (anew) {
                    results.open(set);
                } else {
                    results.update(set);
                }
                var all = new ArrayList<Curves.Curve>();
                all.add(new Curves.Curve(run.map(RunRecord::title).orElse("this run"), set.trace(), true));
                all.addAll(others);
                curves.set(new Curves(
                        all,
                        set.scales()
                                .map(DesignPictures::reference)
                                .orElse(
                                        set.size() == 0
                                                ? ""
                                                : "The reference point is fixed after the initial designs.")));
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

    @Override
    public Picture before(Opened<?> opened, RunSettings settings) {
        DesignFold fold = fold(opened, settings);
        fold.known(opened.bench().known());
        return new Designs(fold, List.of()).picture();
    }

    @Override
    public Fold begin(Opened<?> opened, RunSettings settings) {
        DesignFold fold = fold(opened, settings);
        return new Designs(fold, curves(opened, 0, fold.objectives()));
    }

    @Override
    public Fold stored(Opened<?> opened, RunResults run) {
        var fold = new DesignFold(
                run.run().knobs(),
                StoredRuns.workbench(opened, run.run())
                        .flatMap(w -> baseline(w.bench(), run.run().settings()).design()));
        fold.load(run);
        return new Designs(fold, curves(opened, run.run().id(), fold.objectives()));
    }

    @Override
    public void clear() {
        curves.set(Curves.none());
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

    /// Curves of the newest runs other than `except` that explored the same objectives.
    private static List<Curves.Curve> curves(Opened<?> opened, long except, List<Metric> objectives) {
        Optional<RunStore> store = opened.project().runs();
        List<String> names = objectives.stream().map(Metric::name).toList();
        return store.map(RunStore::list).orElse(List.of()).reversed().stream()
                .filter(r -> r.id() != except
                        && r.objectives()
                                .filter(o -> o.metrics().stream()
                                        .map(Metric::name)
                                        .toList()
                                        .equals(names))
                                .isPresent())
                .limit(MAX_CURVES)
                .map(r -> new Curves.Curve(
                        r.title(), store.orElseThrow().results(r.id()).trace(), false))
                .toList();
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
