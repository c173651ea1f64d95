package knobscape.app.ui.fusion;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.run.RunPictures;
import knobscape.evaluate.Evaluation;
import knobscape.explore.RunEvent;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.space.Configuration;

/// A run in strips: the window shows the exact answer by itself, so only what the run reached is told.
final class ExactRun implements RunPictures.Fold {
    private final RunPictures.Picture shown;
    private int evaluations;
    private double best = Double.NaN;

    /// @param shown called on the screen's thread when the run is shown
    ExactRun(RunPictures.Picture shown) {
        this.shown = shown;
    }

    /// The stored results of a run.
    ExactRun of(RunResults run) {
        run.designs().stream().flatMap(d -> d.evaluations().stream()).forEach(this::add);
        return this;
    }

    @Override
    public void apply(List<RunEvent> events) {
        for (RunEvent event : events) {
            if (event instanceof RunEvent.Batch b) {
                b.kept().forEach(e -> add(e.evaluation()));
                evaluations = Math.max(evaluations, b.step());
            }
        }
    }

    private void add(Evaluation e) {
        evaluations++;
        double speedup = e.value(FusionEvaluator.SPEEDUP).orElse(Double.NaN);
        best = Double.isNaN(best) ? speedup : Double.isNaN(speedup) ? best : Math.max(best, speedup);
    }

    @Override
    public RunPictures.Picture picture() {
        return shown;
    }

    @Override
    public int evaluated() {
        return evaluations;
    }

    @Override
    public String best() {
        return Double.isNaN(best) ? "" : String.format(Locale.ROOT, "speedup %.2f", best);
    }

    @Override
    public String title(int subject, Configuration configuration) {
        return "an exact answer";
    }

    /// The best points of a project's newest runs in strips. Away from the screen.
    static Map<Long, FusionRuns.BestPoint> all(Session<?> of) {
        var all = new HashMap<Long, FusionRuns.BestPoint>();
        Optional<RunStore> store = of.project().runs();
        List<RunRecord> runs = store.map(RunStore::list).orElse(List.of());
        for (RunRecord r : runs.subList(Math.max(0, runs.size() - FusionSearchRun.MOST), runs.size())) {
            if (r.work() instanceof FusionSettings s && s.isStrips()) {
                var reached =
                        new ExactRun((run, anew) -> {}).of(store.orElseThrow().results(r.id()));
                all.put(r.id(), new FusionRuns.BestPoint(s.buffer().orElse(0L), Math.max(0, r.step()), reached.best));
            }
        }
        return all;
    }
}
