package knobscape.evaluate;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import knobscape.space.Configuration;

/// Evaluations that a person, or a script of theirs, makes outside. What was told is answered; a design of which
/// something is missing is given up with a `CancellationException`, so that it stays asked for.
public final class ReportedResults implements Evaluator {
    /// Its name as a toolchain.
    public static final String NAME = EvaluatorKind.TOLD.word();

    private final EvaluatorInfo info;
    private final UnaryOperator<Map<String, Double>> derived;
    private final ResultRule rule;
    private final Map<Configuration, Map<String, Evaluation>> answers = new HashMap<>();

    /// @param like has the stages, metrics and objectives that are told
    /// @param derived adds the metrics that follow from those told
    public ReportedResults(EvaluatorInfo like, UnaryOperator<Map<String, Double>> derived) {
        this.derived = derived;
        this.rule = ResultRule.of(like.metrics());
        this.info = new EvaluatorInfo(
                NAME,
                "Evaluated outside and told.",
                Provenance.Source.MEASURED,
                like.fidelities(),
                like.metrics(),
                like.reported(),
                like.objectives(),
                like.typicalSeconds());
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    /// The evaluation of one stage of a design. Throws [UserError] where a metric is unknown, an objective that the
    /// stage reports is missing, or a value is no number.
    ///
    /// @param failure empty where it was measured
    public Evaluation evaluation(
            Configuration configuration,
            Fidelity stage,
            Map<String, Double> values,
            java.util.Optional<Outcome.Failure> failure,
            double seconds) {
        var all = derived.apply(new LinkedHashMap<>(values));
        var known = info.metrics().stream().map(Metric::name).toList();
        for (var e : all.entrySet()) {
            if (!known.contains(e.getKey())) {
                throw new UserError("There is no metric '" + e.getKey() + "'"
                        + NameSuggestions.didYouMean(e.getKey(), known) + "; known: " + String.join(", ", known) + ".");
            }
            if (!Double.isFinite(e.getValue())) {
                throw new UserError("The value of '" + e.getKey() + "' must be a finite number.");
            }
        }
        rule.objection(all).ifPresent(why -> {
            throw new UserError("This is no result: " + why + "; tell a design without one with --failed KIND.");
        });
        if (!(seconds >= 0 && Double.isFinite(seconds))) {
            throw new UserError("The time of an evaluation must be a number of seconds, not " + seconds + ".");
        }
        for (String o : failure.isPresent() ? java.util.List.<String>of() : info.objectives()) {
            if (info.reports(stage, o) && !all.containsKey(o)) {
                throw new UserError("The value of '" + o + "' is missing: stage " + stage.name() + " reports "
                        + String.join(
                                ", ",
                                info.objectives().stream()
                                        .filter(x -> info.reports(stage, x))
                                        .toList())
                        + ".");
            }
        }
        return new Evaluation(
                configuration,
                stage,
                failure.<Outcome>map(f -> new Outcome.Failure(f.kind(), f.reason(), all))
                        .orElseGet(() -> new Outcome.Measured(all)),
                seconds,
                new Provenance(NAME, "1", 0, Provenance.Source.MEASURED));
    }

    /// Takes the answer of one stage.
    public synchronized void tell(Evaluation evaluation) {
        answers.computeIfAbsent(evaluation.configuration(), _ -> new HashMap<>())
                .put(evaluation.fidelity().name(), evaluation);
    }

    @Override
    public synchronized void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        Map<String, Evaluation> told = answers.getOrDefault(request.configuration(), Map.of());
        for (Fidelity stage : info.fidelities()) {
            if (stage.rank() < request.from().rank()
                    || stage.rank() > request.upTo().rank()) {
                continue;
            }
            Evaluation answer = told.get(stage.name());
            if (answer == null) {
                throw new CancellationException("waits to be told");
            }
            stageDone.accept(answer);
            if (!answer.isMeasured()) {
                return;
            }
        }
    }
}
