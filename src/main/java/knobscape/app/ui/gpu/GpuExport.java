package knobscape.app.ui.gpu;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import knobscape.app.ui.FileChoices;
import knobscape.app.ui.FileChoices.Kind;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.plot.PlotExport;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.gpu.codegen.Dialect;
import knobscape.gpu.export.GpuExporter;
import knobscape.gpu.template.Schedule;

/// Kernels, schedules, logs and figures as files. Asks where first; writes away from the screen; says what was written.
final class GpuExport {
    private static final Kind JSON = new Kind("Schedule", List.of("json"));
    private static final Kind LOG = new Kind("JSON lines", List.of("jsonl"));
    private static final Kind CSV = new Kind("Comma-separated values", List.of("csv"));
    private static final Kind PNG = new Kind("PNG picture", List.of("png"));
    private static final Kind SVG = new Kind("SVG picture", List.of("svg"));
    private final Background background;
    private final FileChoices choices;
    private final Messages messages;
    private final GpuViewModel model;

    GpuExport(Background background, FileChoices choices, Messages messages, GpuViewModel model) {
        this.background = background;
        this.choices = choices;
        this.messages = messages;
        this.model = model;
    }

    /// The best kernel of the task looked at, with a launch header, a reference and a host example, into a folder asked for.
    void source(Dialect dialect) {
        Optional<Schedule> best = model.best(model.selected().get());
        if (best.isEmpty()) {
            messages.show(Message.warning("No kernel of this task has run yet; tune it first."));
            return;
        }
        choices.openFolder("Choose a folder for the kernel").ifPresent(folder -> run("The kernel", () -> {
            List<Path> files = GpuExporter.write(best.get(), dialect, folder);
            return "The kernel was written to " + folder + " (" + files.size() + " files).";
        }));
    }

    /// The best kernels of all tasks, a folder each.
    void allSources(Dialect dialect) {
        GpuNetwork n = model.network().get().orElseThrow();
        var named = new ArrayList<java.util.Map.Entry<String, Schedule>>();
        for (int k = 0; k < n.kernels().size(); k++) {
            String name = n.kernels().get(k).task().name();
            model.best(k).ifPresent(s -> named.add(java.util.Map.entry(name, s)));
        }
        if (named.isEmpty()) {
            messages.show(Message.warning("No kernel has run yet; tune first."));
            return;
        }
        choices.openFolder("Choose a folder for the kernels").ifPresent(folder -> run("The kernels", () -> {
            named.forEach(e -> GpuExporter.write(e.getValue(), dialect, folder.resolve(e.getKey())));
            return named.size() + (named.size() == 1 ? " kernel was" : " kernels were") + " written to " + folder + ", a folder each.";
        }));
    }

    /// The best schedule of the task looked at.
    void json() {
        int k = model.selected().get();
        model.best(k).ifPresentOrElse(s -> save("Save the schedule", name(k) + ".json", JSON, "The schedule", () -> GpuExporter.json(s)),
                () -> messages.show(Message.warning("No kernel of this task has run yet; tune it first.")));
    }

    private String name(int k) {
        GpuNetwork n = model.network().get().orElseThrow();
        return n.name() + "-" + n.kernels().get(k).task().name();
    }

    /// Every measurement of the newest run, as it was stored when the run ended.
    void log() {
        Path from = model.folder().resolve("log.jsonl");
        choices.saveFile("Save the log", model.network().get().orElseThrow().name() + "-log.jsonl", LOG).ifPresent(file -> run("The log", () -> {
            if (!Files.isRegularFile(from)) {
                throw new UserError("There is no log yet: it is written when a run ends.");
            }
            FileOutput.write(file, Files.readAllBytes(from));
            return "The log was written to " + file + ".";
        }));
    }

    /// The table of tasks.
    void csv() {
        GpuNetwork n = model.network().get().orElseThrow();
        List<KernelState> states = model.states().get();
        save("Save the table of tasks", n.name() + "-tasks.csv", CSV, "The table", () -> {
            var b = new StringBuilder("task,work,template,places,flop,space,measurements,best_gflops,best_ms,knobs\r\n");
            for (int k = 0; k < n.kernels().size(); k++) {
                GpuNetwork.Kernel kernel = n.kernels().get(k);
                KernelState s = states.get(k);
                b.append(kernel.task().name()).append(",\"").append(kernel.task().workload().id()).append("\",").append(kernel.template().name()).append(',').append(kernel.task().count()).append(',')
                        .append(kernel.task().workload().flops()).append(',').append(kernel.template().space().count()).append(',').append(s.trials()).append(',')
                        .append(s.bestGflops() > 0 ? String.format(Locale.ROOT, "%.6g,%.6g", s.bestGflops(), s.bestMilliseconds()) : ",").append(",\"")
                        .append(s.best().map(c -> c.text().replace("\"", "\"\"")).orElse("")).append("\"\r\n");
            }
            return b.toString();
        });
    }

    /// A figure.
    void figure(String name, FigureView.Content content, boolean svg) {
        content.figure().ifPresentOrElse(f -> choices.saveFile("Save the figure", name + (svg ? ".svg" : ".png"), svg ? SVG : PNG).ifPresent(file -> run("The figure", () -> {
            Figure figure = f.call();
            FileOutput.write(file, svg ? PlotExport.svg(PlotExport.figure(figure)) : PlotExport.png(PlotExport.figure(figure)));
            return "The figure was written to " + file + ".";
        })), () -> messages.show(Message.warning("There is no figure to export yet: " + content.reason() + ".")));
    }

    private void save(String title, String name, Kind kind, String what, Callable<String> text) {
        choices.saveFile(title, name, kind).ifPresent(file -> run(what, () -> {
            FileOutput.write(file, text.call());
            return what + " was written to " + file + ".";
        }));
    }

    private void run(String what, Callable<String> work) {
        background.compute(work, done -> messages.show(Message.done(done)), e -> messages.fail(what + " cannot be written", e));
    }
}
