package knobscape.app.cli;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FileOutput;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.export.StrategyFile;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.export.GpuExporter;
import knobscape.hls.HlsWorkbench;
import knobscape.project.AskTellRun;
import knobscape.project.Project;
import knobscape.project.RunReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/// `knobscape ask`: the next designs of a run that is evaluated outside.
@Command(
        name = "ask",
        description =
                "Ask for the next designs of a run whose designs you evaluate yourself (begun with --toolchain told, or --device told). A line per design: number, stages, what it is of, knobs, with tabs between. Each is handed out once; 'knobscape tell' takes the results.")
final class AskCommand extends Verb {
    static final double PATIENCE_SECONDS = 60;

    @Parameters(paramLabel = "RUN", description = "PROJECT:NUMBER, a project (its newest run) or a folder of results.")
    private String run;

    @Option(names = "--count", paramLabel = "N", description = "Most designs to hand out (default: 1).")
    private int count = 1;

    @Option(
            names = "--pending",
            description =
                    "Hand out nothing; show the designs that were handed out and whose results were not told yet.")
    private boolean pending;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Write each design into DIR/NUMBER: Tcl directives, script and sources of a kernel; CUDA source of a schedule; strategy.json of a network.")
    private Optional<Path> out = Optional.empty();

    AskCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        if (count < 1) {
            throw new ParameterException(spec().commandLine(), "--count must be at least 1, not " + count + ".");
        }
        RunReference reference = RunReference.parse(run, context().here());
        try (Project project = reference.open();
                AskTellRun told =
                        AskTellRun.open(project, reference.run(project), PATIENCE_SECONDS, Clock.systemUTC())) {
            AskTellRun.Handout handed =
                    pending ? new AskTellRun.Handout(told.pending(), List.of(), Optional.empty()) : told.ask(count);
            out.ifPresent(folder -> handed.fresh()
                    .forEach(
                            p -> write(told, p, context().here().resolve(folder).normalize())));
            if (isJson()) {
                json(handed);
            } else {
                handed.fresh().forEach(p -> out().println(line(p)));
                out().flush();
            }
            if (handed.fresh().isEmpty() && !pending) {
                err().println(handed.over()
                        .map(why -> "Nothing is left to evaluate: " + why + ".")
                        .orElse("No further design until the results of these are told: " + numbers(handed.before())
                                + "."));
                err().flush();
            }
            return 0;
        }
    }

    private static String numbers(List<AskTellRun.Pending> pending) {
        return pending.stream().map(p -> "#" + p.number()).collect(Collectors.joining(", "));
    }

    /// Number, stages, subject and knobs, with tabs between.
    private static String line(AskTellRun.Pending p) {
        return String.join(
                "\t",
                "" + p.number(),
                p.stages().stream().map(Fidelity::name).collect(Collectors.joining(",")),
                p.subject().name(),
                p.proposal().configuration().text());
    }

    private void json(AskTellRun.Handout handed) {
        var root = JsonMapper.builder().build().createObjectNode();
        ArrayNode designs = root.putArray("designs");
        for (AskTellRun.Pending p : handed.fresh()) {
            var node = designs.addObject()
                    .put("design", p.number())
                    .put("id", p.proposal().configuration().id())
                    .put("subject", p.subject().name());
            ArrayNode stages = node.putArray("stages");
            p.stages().forEach(s -> stages.add(s.name()));
            ArrayNode objectives = node.putArray("objectives");
            p.subject().objectives().forEach(m -> objectives.add(m.name()));
            var knobs = node.putObject("knobs");
            p.proposal().configuration().toMap().forEach(knobs::put);
            node.put("reason", p.proposal().reason());
        }
        ArrayNode before = root.putArray("pending");
        handed.before().forEach(p -> before.add(p.number()));
        root.put("done", handed.over().isPresent());
        root.put("reason", handed.over().orElse(""));
        print(root);
    }

    private void write(AskTellRun told, AskTellRun.Pending p, Path all) {
        var configuration = p.proposal().configuration();
        Path folder = all.resolve(Integer.toString(p.number()));
        FileOutput.requireInside(all, folder);
        switch (told.bench()) {
            case HlsWorkbench b ->
                b.kernelWork()
                        .toolWork()
                        .write(
                                configuration,
                                p.stages().getLast(),
                                b.kernelWork().toolWork().options().dialect(),
                                folder);
            case GpuWorkbench b ->
                GpuExporter.write(b.schedule(p.subject().name(), configuration), KernelLanguage.CUDA, folder);
            case FusionWorkbench b ->
                FileGuard.standard()
                        .write(
                                folder,
                                "strategy.json",
                                StrategyFile.text(b.model(), b.strategies().strategy(configuration)));
            default ->
                throw new IllegalStateException("no files of " + told.bench().getClass());
        }
    }
}
