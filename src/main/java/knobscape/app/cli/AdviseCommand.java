package knobscape.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import knobscape.hls.Advisor;
import knobscape.hls.Advisor.Advice;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.KernelWork;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.StageFigures;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.TclWriter;
import knobscape.hls.source.Kernel;
import knobscape.project.Project;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape advise`: where a kernel's cycles go and which directives save them.
@Command(
        name = "advise",
        description =
                "Show the loops of a kernel that cost most, what limits each, and the directives that lift it, with"
                        + " the estimate before and after. No tool and no run is needed.")
final class AdviseCommand extends Verb {
    private static final ParameterOptions KERNEL = new ParameterOptions(HlsSettings.KERNEL);

    @Parameters(paramLabel = "PROJECT|SOURCE", description = "A project folder, or a C or C++ source file.")
    private Path source;

    @Option(
            names = "--loops",
            paramLabel = "N",
            description = "Loops to advise on, the dearest first (default: ${DEFAULT-VALUE}).",
            defaultValue = "3")
    private int loops;

    private AdviseCommand(CommandContext context) {
        super(context);
    }

    /// The verb with the options of a kernel's settings.
    static CommandSpec of(CommandContext context) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new AdviseCommand(context));
        KERNEL.addTo(spec, "Kernel");
        return spec;
    }

    @Override
    public Integer call() {
        if (loops < 1 || loops > 100) {
            throw new ParameterException(spec().commandLine(), "--loops is a number from 1 to 100, not " + loops + ".");
        }
        try (Project project = Project.open(context().here().resolve(source).normalize())) {
            HlsWorkbench bench = HlsWorkbench.open(
                    project,
                    SpaceCommand.kernel(this, KERNEL, project),
                    context().tools().get());
            Advisor advisor = bench.kernelWork().advisor();
            List<Advice> advice = advisor.advise(loops);
            Dialect tool = bench.settings().toolOptions().dialect();
            if (isJson()) {
                json(bench.kernel(), tool, advisor, advice);
            } else {
                text(bench, tool, advisor, advice);
            }
            return 0;
        }
    }

    private void text(HlsWorkbench bench, Dialect tool, Advisor advisor, List<Advice> advice) {
        EstimateReport before = advisor.before();
        KernelWork work = bench.kernelWork();
        Kernel kernel = work.kernel();
        out().println(kernel.top() + ": " + words(before) + " (built-in estimate of " + work.stated() + ")");
        out().println();
        out().print(LoopRows.table(before).text());
        var said = new HashSet<Advisor.Remedy>();
        for (Advice a : advice) {
            out().println();
            out().println(a.subject() + place(kernel, a.subject())
                    + (kernel.loop(a.subject()).isPresent()
                            ? String.format(Locale.ROOT, ": %.0f %% of the cycles; ", 100 * a.share())
                            : ": ")
                    + a.why() + ".");
            List<String> commands = commands(kernel, tool, a);
            if (commands.isEmpty()) {
                out().println(advisor.assertion(a)
                        .map(x -> "  " + x.pragma() + "\n  in this loop lifts the recurrence: "
                                + (x.certain()
                                        ? "no iteration reads what an earlier one stored in " + x.array() + "."
                                        : "it is right only if no iteration reads what an earlier one stored in "
                                                + x.array() + ", which was not found out."))
                        .orElse("  No directive tried makes it faster."));
                continue;
            }
            if (!said.add(a.remedy())) {
                out().println("  The directives above help it too.");
                continue;
            }
            commands.forEach(c -> out().println("  " + c));
            out().println("  before " + words(before));
            out().println("  after  " + words(a.after()));
            Advisor.stillLimited(a).ifPresent(l -> out().println("  then   " + l));
        }
        Stream.concat(bench.warnings().stream(), before.notes().stream()).forEach(n -> err().println("Note: " + n));
        work.starts().stream()
                .flatMap(s -> s.noKnobs().stream())
                .forEach(l -> err().println("Note: not modelled: " + l.directive() + ": " + l.why()));
        out().flush();
        err().flush();
    }

    private static String place(Kernel kernel, String subject) {
        return kernel.loop(subject)
                .map(l -> " (line " + l.keyword().line() + ")")
                .orElse("");
    }

    private static List<String> commands(Kernel kernel, Dialect tool, Advice a) {
        var all = new ArrayList<String>(
                new TclWriter(tool).commands(kernel, a.remedy().directives()));
        a.remedy()
                .bundles()
                .forEach((argument, bundle) -> all.add("set_directive_interface -mode m_axi -bundle " + bundle + " \""
                        + kernel.top() + "\" " + argument));
        return all;
    }

    private static String words(EstimateReport r) {
        StageFigures f = r.stages().getFirst();
        return f.misfit().isEmpty()
                ? LoopRows.whole(f.latencyCycles()) + " cycles, interval " + LoopRows.whole(r.interval()) + ", LUT "
                        + LoopRows.whole(f.lut()) + ", FF " + LoopRows.whole(f.ff()) + ", DSP "
                        + LoopRows.whole(f.dsp()) + ", BRAM " + LoopRows.whole(f.bram())
                : f.misfit();
    }

    private void json(Kernel kernel, Dialect tool, Advisor advisor, List<Advice> advice) {
        EstimateReport before = advisor.before();
        ObjectNode root = JsonMapper.builder().build().createObjectNode().put("top", kernel.top());
        figures(before, root.putObject("before"));
        LoopRows.json(before, root.putArray("loops"));
        var advised = root.putArray("advice");
        for (Advice a : advice) {
            ObjectNode node = advised.addObject()
                    .put("subject", a.subject())
                    .put("cycles", a.cycles())
                    .put("share", a.share())
                    .put("why", a.why());
            advisor.assertion(a)
                    .ifPresent(x -> node.putObject("assertion")
                            .put("pragma", x.pragma())
                            .put("certain", x.certain()));
            kernel.loop(a.subject()).ifPresent(l -> node.put("line", l.keyword().line()));
            Advisor.stillLimited(a).ifPresent(l -> node.put("then", l));
            var commands = node.putArray("directives");
            commands(kernel, tool, a).forEach(commands::add);
            figures(a.after(), node.putObject("after"));
        }
        var notes = root.putArray("notes");
        before.notes().forEach(notes::add);
        print(root);
    }

    private static void figures(EstimateReport r, ObjectNode node) {
        StageFigures f = r.stages().getFirst();
        node.put("latency", f.latencyCycles())
                .put("interval", r.interval())
                .put("lut", f.lut())
                .put("ff", f.ff())
                .put("dsp", f.dsp())
                .put("bram", f.bram());
        if (!f.misfit().isEmpty()) {
            node.put("misfit", f.misfit());
        }
    }
}
