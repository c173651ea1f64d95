package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Subject;
import knobscape.project.Design;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.work.Area;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// Evaluates single designs that a person tries out. They are stored as one run of their own.
public final class ManualEvaluation {
    private final Background background;
    private final Runner runner;
    private final Messages messages;
    private boolean busy;

    /// @param background where it is evaluated
    /// @param runner stores it
    /// @param messages takes what goes wrong
    public ManualEvaluation(Background background, Runner runner, Messages messages) {
        this.background = background;
        this.runner = runner;
        this.messages = messages;
    }

    /// Evaluates a configuration up to the top with the evaluator of the next run.
    ///
    /// @param isOpen whether it still is; a yes that comes after it was closed starts nothing
    /// @param subject index of the subject of a run that it belongs to
    /// @param form what the next run is to be, given the settings of the work
    /// @param found takes the configuration when its results are stored
    public void evaluate(
            Session<?> open,
            BooleanSupplier isOpen,
            int subject,
            Configuration c,
            Function<WorkSettings, List<Area.Work>> form,
            Consumer<Configuration> found) {
        List<Area.Work> works = form.apply(open.bench().settings());
        if (busy || works.isEmpty()) {
            messages.show(Message.warning(
                    busy
                            ? "A what-if design is being evaluated; wait for its result."
                            : "The run settings contain an error; it is marked in the form."));
            return;
        }
        if (!OwnProgram.mayStart(
                messages, open.project(), open.bench().starts(works.getFirst().run()), () -> {
                    if (isOpen.getAsBoolean()) {
                        evaluate(open, isOpen, subject, c, form, found);
                    }
                })) {
            return;
        }
        busy = true;
        background.compute(
                () -> {
                    store(open, works.getFirst().run(), subject, c);
                    return c;
                },
                done -> {
                    busy = false;
                    found.accept(done);
                },
                e -> {
                    busy = false;
                    messages.fail("The design cannot be evaluated", e);
                });
    }

    private void store(Session<?> open, RunSettings next, int at, Configuration c) {
        try (RunPlan plan = open.bench().plan(next)) {
            Subject own = plan.subjects().get(at);
            EvaluatorInfo tool = own.evaluator().info();
            List<Evaluation> stages = own.evaluator().evaluate(c, tool.top(), new CancellationSignal());
            RunStore store = open.project().lock();
            List<RunRecord> earlier = store.list().stream()
                    .filter(r -> r.settings().method().equals(DesignFold.TRIED)
                            && r.subjects().size() == plan.subjects().size()
                            && r.subjects().get(at).knobs().equals(c.knobs())
                            && r.info().name().equals(tool.name()))
                    .toList();
            List<Design> known = earlier.stream()
                    .flatMap(r -> store.results(r.id()).designs().stream())
                    .filter(d -> d.subject() != at || !d.configuration().equals(c))
                    .toList();
            Map<String, DesignSpace> spaces = new LinkedHashMap<>();
            var evaluations = new ArrayList<List<Evaluation>>();
            for (Subject s : plan.subjects()) {
                int subject = evaluations.size();
                evaluations.add(Stream.concat(
                                known.stream()
                                        .filter(d -> d.subject() == subject)
                                        .flatMap(d -> d.evaluations().stream()),
                                subject == at ? stages.stream() : Stream.empty())
                        .toList());
                spaces.put(s.name(), s.space());
            }
            RunSettings run = next.with(RunSettings.METHOD, DesignFold.TRIED)
                    .with(RunSettings.STEPS, 0)
                    .with(RunSettings.INITIAL, 1)
                    .with(RunSettings.EARLY_STOP, 0);
            runner.store(open, run, tool, spaces, evaluations, "designs tried out by hand");
            earlier.forEach(r -> store.delete(r.id()));
        }
    }
}
