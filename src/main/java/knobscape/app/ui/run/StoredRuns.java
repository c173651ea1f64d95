package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.plot.Curves;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.project.Design;
import knobscape.project.Opened;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStore;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads what the screen needs of a project's runs. Every method works away from the JavaFX thread.
final class StoredRuns {
    private static final Logger LOG = LoggerFactory.getLogger(StoredRuns.class);
    private static final int MOST_CURVES = 5;
    /// Evaluating the baseline must not cost a person hours: only these kinds of evaluator are asked for it.
    private static final Set<Provenance.Source> QUICK =
            Set.of(Provenance.Source.BUILT_IN_ESTIMATE, Provenance.Source.MODEL, Provenance.Source.REPLAYED);

    private StoredRuns() {}

    /// The evaluator's description and the baseline evaluated by it, where that is quick.
    record Baseline(EvaluatorInfo info, Optional<Design> design) {}

    /// A stored run ready to show.
    record Loaded(RunRecord run, DesignFold fold, List<String> log) {}

    static List<RunRecord> list(Opened<?> workbench) {
        ScreenThread.mustNotBe("reading the runs");
        return workbench.project().runs().map(RunStore::list).orElse(List.of());
    }

    static Baseline baseline(Workbench workbench, RunSettings settings) {
        ScreenThread.mustNotBe("evaluating the baseline");
        try (Evaluator evaluator = workbench.single(settings.withWaitFactor(0)).orElseThrow()) {
            EvaluatorInfo info = evaluator.info();
            Optional<Configuration> baseline = workbench.baseline();
            if (!QUICK.contains(info.source()) || baseline.isEmpty()) {
                return new Baseline(info, Optional.empty());
            }
            List<Evaluation> judged = evaluator.evaluate(baseline.get(), info.top(), new CancellationSignal());
            return new Baseline(
                    info, Optional.of(new Design(0, baseline.get(), judged, 0, "baseline", Optional.empty())));
        }
    }

    /// The workbench with exactly the knobs of a run: the open one, or one opened with the run's own settings.
    /// Empty where the source has changed since.
    static <W extends Workbench> Optional<Opened<W>> workbench(Opened<W> open, RunRecord run) {
        ScreenThread.mustNotBe("opening the space of a run");
        if (run.knobs().equals(open.bench().space().knobs())
                && run.work().equals(open.bench().settings())) {
            return Optional.of(open);
        }
        try {
            return Optional.of(open.with(run.work()))
                    .filter(w -> w.bench().space().knobs().equals(run.knobs()));
        } catch (UserError e) {
            LOG.info("run {} is shown without its space: {}", run.id(), e.getMessage());
            return Optional.empty();
        }
    }

    static Loaded load(Opened<?> workbench, long id) {
        ScreenThread.mustNotBe("reading a run");
        RunResults stored = workbench.project().runs().orElseThrow().results(id);
        Optional<Design> baseline = workbench(workbench, stored.run())
                .flatMap(w -> baseline(w.bench(), stored.run().settings()).design());
        var fold = new DesignFold(stored.run().knobs(), baseline);
        fold.load(stored);
        return new Loaded(
                stored.run(),
                fold,
                stored.events().stream().map(RunResults.LogLine::text).collect(Collectors.toList()));
    }

    /// Curves of the newest runs other than `except` that explored the same objectives.
    static List<Curves.Curve> curves(Opened<?> workbench, long except, List<String> objectives) {
        ScreenThread.mustNotBe("reading the runs");
        var curves = new ArrayList<Curves.Curve>();
        Optional<RunStore> store = workbench.project().runs();
        if (store.isEmpty()) {
            return curves;
        }
        List<RunRecord> all = store.get().list();
        for (RunRecord r : all.reversed()) {
            boolean same = r.objectives().isPresent()
                    && r.objectives().get().metrics().stream()
                            .map(m -> m.name())
                            .toList()
                            .equals(objectives);
            if (r.id() != except && same && curves.size() < MOST_CURVES) {
                curves.add(
                        new Curves.Curve(r.title(), store.get().results(r.id()).trace(), false));
            }
        }
        return curves;
    }
}
