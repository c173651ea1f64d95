package knobscape.app.ui.hls;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.OwnProgram;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.hls.HlsWorkbench;
import knobscape.project.Design;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// Evaluates single designs that a person tries out. They are stored as one run of their own.
final class ManualEvaluation {
    /// Stands where other runs name their method.
    static final String METHOD = "what-if";

    private final Background background;
    private final Runner runner;
    private final Messages messages;
    private boolean busy;

    ManualEvaluation(Background background, Runner runner, Messages messages) {
        this.background = background;
        this.runner = runner;
        this.messages = messages;
    }

    /// Evaluates a configuration up to the top with the evaluator of the next run.
    ///
    /// @param form what the next run is to be, given the settings of the work
    /// @param found takes the configuration when its results are stored
    void evaluate(
            Session<HlsWorkbench> open,
            Configuration c,
            Function<WorkSettings, List<Area.Work>> form,
            Consumer<Configuration> found) {
        List<Area.Work> works = form.apply(open.bench().settings());
        if (busy || works.isEmpty()) {
            messages.show(Message.warning(
                    busy
                            ? "One design is being tried out; wait for its result."
                            : "The settings of the run are wrong."));
            return;
        }
        if (!OwnProgram.mayStart(
                messages, open.project(), works.getFirst().run().toolchain(), () -> evaluate(open, c, form, found))) {
            return;
        }
        busy = true;
        RunSettings run = works.getFirst()
                .run()
                .with(RunSettings.METHOD, METHOD)
                .with(RunSettings.STEPS, 0)
                .with(RunSettings.INITIAL, 1)
                .with(RunSettings.EARLY_STOP, 0);
        background.compute(
                () -> {
                    store(open, run, c);
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

    private void store(Session<HlsWorkbench> open, RunSettings run, Configuration c) {
        try (Evaluator tool = open.bench().evaluator(run)) {
            List<Evaluation> stages = tool.evaluate(c, tool.info().top(), new CancellationSignal());
            RunStore store = open.project().lock();
            List<RunRecord> earlier = store.list().stream()
                    .filter(r -> r.settings().method().equals(METHOD)
                            && r.knobs().equals(c.knobs())
                            && r.info().name().equals(tool.info().name()))
                    .toList();
            var all = new ArrayList<Evaluation>();
            earlier.forEach(r -> store.results(r.id()).designs().stream()
                    .filter(d -> !d.configuration().equals(c))
                    .map(Design::evaluations)
                    .forEach(all::addAll));
            all.addAll(stages);
            Map<String, DesignSpace> spaces = new LinkedHashMap<>();
            spaces.put(open.bench().settings().source(), open.bench().space());
            runner.store(open, run, tool.info(), spaces, List.of(all), "designs tried out by hand");
            earlier.forEach(r -> store.delete(r.id()));
        }
    }
}
