package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import knobscape.app.ui.designs.OtherEvaluators;
import knobscape.app.ui.designs.OtherEvaluators.Told;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.project.Design;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import knobscape.work.Named;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// Figures of a run's designs by other evaluators: those that runs of the same space stored, and the area's own
/// estimate, which is made when somebody asks.
final class ElsewhereTold {
    private final Session<?> opened;
    private final RunSettings settings;
    private final EvaluatorInfo own;
    private final Predicate<RunRecord> shown;
    /// By label of the evaluator; read when somebody asks first.
    private Optional<Map<String, Map<Configuration, Told>>> stored = Optional.empty();

    private ElsewhereTold(Session<?> opened, RunSettings settings, EvaluatorInfo own, Predicate<RunRecord> shown) {
        this.opened = opened;
        this.settings = settings;
        this.own = own;
        this.shown = shown;
    }

    /// @param settings of the run shown
    /// @param own its evaluator
    /// @param knobs of its space
    /// @param shown which stored runs are of what is open
    static OtherEvaluators.Source source(
            Session<?> opened, RunSettings settings, EvaluatorInfo own, KnobSet knobs, Predicate<RunRecord> shown) {
        var told = new ElsewhereTold(
                opened,
                settings,
                own,
                shown.and(r -> r.knobs().equals(knobs) && !r.info().name().equals(own.name())));
        return new OtherEvaluators.Source(opened.bench().evaluatorLabel(own.name()), told::of);
    }

    private synchronized List<Told> of(Configuration configuration) {
        if (stored.isEmpty()) {
            stored = Optional.of(read());
        }
        var all = new ArrayList<Told>();
        stored.get()
                .values()
                .forEach(m -> Optional.ofNullable(m.get(configuration)).ifPresent(all::add));
        if (all.stream().noneMatch(t -> t.info().source() == Provenance.Source.BUILT_IN_ESTIMATE)) {
            estimate(configuration).ifPresent(all::add);
        }
        return all;
    }

    private Map<String, Map<Configuration, Told>> read() {
        var all = new LinkedHashMap<String, Map<Configuration, Told>>();
        Optional<RunStore> store = opened.project().runs();
        List<RunRecord> runs = store.map(RunStore::list).orElse(List.of());
        for (RunRecord r : runs.stream().filter(shown).toList()) {
            String label = opened.bench().evaluatorLabel(r.info().name());
            Map<Configuration, Told> designs = all.computeIfAbsent(label, _ -> new HashMap<>());
            for (Design d : store.orElseThrow().results(r.id()).designs()) {
                if (d.highest().filter(Evaluation::isMeasured).isPresent()) {
                    designs.put(d.configuration(), new Told(label, r.info(), d));
                }
            }
        }
        return all;
    }

    private Optional<Told> estimate(Configuration configuration) {
        Workbench bench = opened.bench();
        if (own.source() == Provenance.Source.BUILT_IN_ESTIMATE
                || bench.evaluators().isEmpty()
                || !configuration.knobs().equals(bench.space().knobs())) {
            return Optional.empty();
        }
        Named first = bench.evaluators().getFirst();
        try (Evaluator evaluator = bench.single(
                        settings.with(RunSettings.TOOLCHAIN, first.name()).with(RunSettings.WAIT, 0.0))
                .orElseThrow()) {
            EvaluatorInfo info = evaluator.info();
            if (info.source() != Provenance.Source.BUILT_IN_ESTIMATE) {
                return Optional.empty();
            }
            List<Evaluation> stages = evaluator.evaluate(configuration, info.top(), new CancellationSignal());
            return Optional.of(new Told(
                    first.label(), info, new Design(0, configuration, stages, 0, "estimated", Optional.empty())));
        } catch (UserError e) {
            // It cannot be estimated here.
            return Optional.empty();
        }
    }
}
