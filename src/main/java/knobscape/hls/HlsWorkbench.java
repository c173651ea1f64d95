package knobscape.hls;

import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.explore.Subject;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.export.Flow;
import knobscape.hls.open.OpenFlow;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.StatedDesign;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Method;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.Workbench;
import knobscape.work.history.HistoryTask;

/// HLS work opened: the kernel as read with its directive space, and the means to explore it. Opening parses and
/// prunes, so it is not done on a thread that draws.
/// Immutable afterwards; edit the settings and open again.
public final class HlsWorkbench implements Workbench {
    private final HlsSettings settings;
    private final HlsTools tools;
    private final KernelWork subject;

    private HlsWorkbench(HlsSettings settings, HlsTools tools, KernelWork subject) {
        this.settings = settings;
        this.tools = tools;
        this.subject = subject;
    }

    /// Opens what a project says. Throws [UserError] for whatever is wrong with source, directive file or part.
    public static HlsWorkbench open(WorkLocation place, Area.Work work, HlsTools tools) {
        return open(place, work.settings().as(HlsSettings.class).effective(place), tools);
    }

    /// Opens work.
    ///
    /// @param settings with what a directive file says taken over ([HlsSettings#effective])
    /// @param place relative paths start here
    ///
    /// Throws [UserError] for whatever is wrong with source, directive file or part.
    public static HlsWorkbench open(WorkLocation place, HlsSettings settings, HlsTools tools) {
        return new HlsWorkbench(settings, tools, KernelWork.open(place, settings, tools));
    }

    /// The settings of the opened work.
    @Override
    public HlsSettings settings() {
        return settings;
    }

    /// The kernel that is open.
    public KernelWork kernelWork() {
        return subject;
    }

    /// The findings in the source.
    public Kernel kernel() {
        return subject.kernel();
    }

    /// The pruned space of directives.
    public DirectiveSpace directives() {
        return subject.directives();
    }

    /// The built-in estimate of a design, loop by loop; empty where it cannot tell.
    public Optional<EstimateReport> explain(Configuration configuration) {
        try (Evaluator tool =
                evaluator(HlsSettings.defaultRun().with(RunSettings.TOOLCHAIN, EstimatorEvaluator.NAME))) {
            return tool instanceof EstimatorEvaluator estimator
                    ? Optional.of(estimator.explain(configuration))
                    : Optional.empty();
        } catch (UserError e) {
            // No built-in estimate here.
            return Optional.empty();
        }
    }

    /// The same of the source as it stands, pragmas and the directives of its project included.
    public Optional<EstimateReport> asItStands() {
        return kernel().compiled().map(_ -> kernelWork().advisor().before());
    }

    /// The space explored.
    @Override
    public DesignSpace space() {
        return subject.space();
    }

    /// Features of its configurations.
    public Encoder encoder() {
        return subject.encoder();
    }

    /// The configuration that results are compared with: no directives.
    @Override
    public Optional<Configuration> baseline() {
        return subject.baseline();
    }

    /// The warnings about what was read, one sentence each.
    @Override
    public List<String> warnings() {
        return subject.warnings();
    }

    /// The assumptions of the built-in estimator about this kernel (trip counts that depend on data, arrays of
    /// unknown size), one sentence each.
    @Override
    public List<String> assumptions() {
        return subject.assumptions();
    }

    /// SHA-256 over the sources read and the directive file.
    @Override
    public String sourceHash() {
        return subject.hash();
    }

    @Override
    public Choices<Method> methods() {
        return tools.methods();
    }

    @Override
    public List<Toolchain> evaluators() {
        return Toolchains.fitting(tools.toolchains());
    }

    @Override
    public String evaluatorLabel(String evaluator) {
        return OpenFlow.label(evaluator).orElseGet(() -> Workbench.super.evaluatorLabel(evaluator));
    }

    /// A fresh evaluator for a run with these settings; the caller closes it.
    /// Throws [UserError] for an unknown toolchain or part, and for one that cannot evaluate what is open.
    public Evaluator evaluator(RunSettings run) {
        return subject.evaluator(run.toolchain());
    }

    /// A fresh explorer for a run with these settings. Throws [UserError] for an unknown method or objective.
    public Explorer explorer(RunSettings run, EvaluatorInfo info) {
        return tools.methods()
                .named(run.method())
                .factory()
                .create(Method.Problem.of(
                        run, space(), encoder(), info, subject.guess(run, Workbench.objectives(run, info))));
    }

    @Override
    public List<Configuration> given() {
        return subject.starts().stream().map(StatedDesign::configuration).toList();
    }

    @Override
    public RunPlan plan(RunSettings run) {
        return RunPlan.of(this, run, evaluator(run), info -> explorer(run, info));
    }

    /// One task per kernel, part, clock and flow; its fidelities are templates of their own.
    @Override
    public List<HistoryTask> historyTasks(RunSettings run, List<Subject> subjects) {
        EvaluatorInfo info = subjects.getFirst().evaluator().info();
        return List.of(new HistoryTask(
                HlsArea.KIND,
                new HistoryTask.Measurer(info.name(), "", info.source() != Provenance.Source.MEASURED),
                subject.name(),
                subject.hash(),
                subject.name() + settings.part().map(p -> ", " + p).orElse("") + ", " + settings.clockNs() + " ns"
                        + (settings.flow() == Flow.VITIS ? ", kernel flow" : ""),
                "",
                "directives@1",
                "bare",
                Optional.of(space().knobs())));
    }

    @Override
    public Optional<Evaluator> single(RunSettings run) {
        return Optional.of(evaluator(run));
    }
}
