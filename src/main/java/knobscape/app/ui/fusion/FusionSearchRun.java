package knobscape.app.ui.fusion;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.space.Strategy;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// A run of the open network's project, as far as it is stored.
///
/// @param run the run
/// @param title its method and seed
/// @param model the costs it searched with
/// @param kept strategies it kept, in the order evaluated
/// @param evaluations strategies it evaluated in all
/// @param isActive whether it is running
record FusionSearchRun(
        RunRecord run,
        String title,
        FusionCostModel model,
        List<ImprovingStrategy> kept,
        int evaluations,
        boolean isActive) {
    /// Most runs that are read.
    static final int MOST = 20;

    /// A strategy that was kept.
    ///
    /// @param evaluation its place among all that the run evaluated, from 1
    record ImprovingStrategy(int evaluation, Strategy strategy) {}

    /// Copies the list.
    FusionSearchRun {
        kept = List.copyOf(kept);
    }

    /// The newest runs of a project that searched this network, the oldest of them first. Away from the screen.
    static List<FusionSearchRun> all(Session<?> opened) {
        Optional<RunStore> store = opened.project().runs();
        List<RunRecord> runs = store.map(RunStore::list).orElse(List.of());
        return runs.subList(Math.max(0, runs.size() - MOST), runs.size()).stream()
                .flatMap(r -> bench(opened, r).stream()
                        .map(b -> of(
                                b,
                                r,
                                store.orElseThrow().results(r.id()).designs().stream()
                                        .filter(d -> d.highest().isPresent())
                                        .map(d -> new ImprovingStrategy(
                                                d.step(), b.strategies().strategy(d.configuration())))
                                        .toList(),
                                Math.max(0, r.step()),
                                false)))
                .toList();
    }

    /// The network with the settings of a run; empty where it is of another network, or what it searched has
    /// changed since.
    static Optional<Workbench> opened(Session<?> opened, RunRecord run) {
        if (!(run.work() instanceof FusionSettings s)
                || !(opened.bench().settings() instanceof FusionSettings now)
                || !s.dims().equals(now.dims())
                || !opened.project().resolve(s.source()).equals(opened.project().resolve(now.source()))) {
            return Optional.empty();
        }
        try {
            return Optional.<Workbench>of(opened.with(s.with(FusionSettings.NETWORK, now.source()))
                            .bench())
                    .filter(b -> b.sourceHash().equals(run.sourceHash()));
        } catch (UserError e) {
            // Its accelerator file is gone.
            return Optional.empty();
        }
    }

    /// The same under the paper's model; empty for runs in strips.
    static Optional<FusionWorkbench> bench(Session<?> opened, RunRecord run) {
        return Optional.of(run)
                .filter(r -> r.work() instanceof FusionSettings s && !s.isStrips())
                .flatMap(r -> opened(opened, r))
                .map(FusionWorkbench.class::cast);
    }

    static FusionSearchRun of(
            FusionWorkbench bench, RunRecord run, List<ImprovingStrategy> kept, int evaluations, boolean active) {
        return new FusionSearchRun(
                run,
                title(bench.methods().all(), run.settings()),
                bench.model(),
                kept.stream()
                        .sorted(Comparator.comparingInt(ImprovingStrategy::evaluation))
                        .toList(),
                evaluations,
                active);
    }

    /// Method and, where it draws, seed; a method that is not there any more by its name.
    private static String title(List<FusionMethod> methods, RunSettings run) {
        Optional<FusionMethod> method =
                methods.stream().filter(m -> m.name().equals(run.method())).findFirst();
        String label = method.map(FusionMethod::label).orElse(run.method());
        return method.filter(m -> !m.spendsSteps()).isPresent() ? label : label + ", seed " + run.seed();
    }

    /// The fastest strategy that fits, of equals the first; empty where none does.
    Optional<Strategy> best() {
        return kept.stream()
                .map(ImprovingStrategy::strategy)
                .filter(s -> model.isValid(model.evaluate(s)))
                .min(Comparator.comparingDouble(s -> model.evaluate(s).seconds()));
    }

    /// True if a strategy costs the same under another model, but for what fits.
    boolean costsAs(FusionCostModel other) {
        return model.batch() == other.batch()
                && model.accelerator().withBuffer(1).equals(other.accelerator().withBuffer(1));
    }
}
