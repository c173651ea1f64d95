package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import knobscape.app.ui.export.DesignsExport;
import knobscape.app.ui.export.FileExport;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.FigureSet;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.export.StrategyFile;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;

/// Strategies, accelerators and figures of layer fusion to and from files. Asks where first; reads and writes
/// away from the screen; says what was done.
final class FusionExport {
    private static final Kind JSON = new Kind("Fusion strategy", List.of("json"));
    private static final Kind ANSWER = new Kind("Fusion in strips", List.of("json"));
    private static final Kind REPORT = new Kind("Report", List.of("md"));
    private static final Kind TRACE = new Kind("Timeline", List.of("json"));
    private static final Kind ACCELERATOR = new Kind("Accelerator", List.of("json"));
    private final FileExport files;
    private final FusionViewModel model;

    FusionExport(Background background, FileChoices choices, Messages messages, FusionViewModel model) {
        this.files = new FileExport(background, choices, messages, model::guard);
        this.model = model;
    }

    /// Adds the commands of exports and imports.
    ///
    /// @param figures whose shown one is exported
    void addTo(Commands commands, BooleanExpression open, Supplier<FigureSet> figures) {
        BooleanExpression answered = Bindings.createBooleanBinding(
                () -> model.strips().answer().get().isPresent(), model.strips().answer());
        commands.add(FusionCommands.ANSWER, this::answer, answered);
        commands.add(FusionCommands.ANSWER_CSV, this::answerLayers, answered);
        commands.add(FusionCommands.REPORT, this::report, answered);
        commands.add(FusionCommands.TIMELINE, this::timeline, answered);
        commands.add(FusionCommands.JSON, this::json, open);
        commands.add(FusionCommands.CSV, this::csv, open);
        commands.add(FusionCommands.TABLE, this::table, open);
        commands.add(FusionCommands.PNG, () -> figure(figures.get(), false), open);
        commands.add(FusionCommands.SVG, () -> figure(figures.get(), true), open);
        commands.add(FusionCommands.IMPORT, this::open, open);
        commands.add(FusionCommands.ACCELERATOR, this::openAccelerator, open);
    }

    private interface Form {
        String of(FusionCostModel model, Strategy strategy);
    }

    /// The exact answer with everything that explains it.
    void answer() {
        answer("Save the exact answer", "strips.json", ANSWER, StripReport::text);
    }

    /// A row a layer of the exact answer.
    void answerLayers() {
        answer("Save the layers", "strips.csv", FileExport.CSV, StripReport::csv);
    }

    /// The exact answer as a page.
    void report() {
        answer("Save the report", "report.md", REPORT, StripReport::markdown);
    }

    /// When groups, array and memory work.
    void timeline() {
        answer("Save the timeline", "trace.json", TRACE, StripReport::trace);
    }

    private void answer(String title, String ending, Kind kind, Function<StripReport, String> form) {
        model.strips()
                .answer()
                .get()
                .ifPresent(r -> files.save(
                        title, r.model().graph().name() + "-" + ending, kind, "The exact answer", () -> form.apply(r)));
    }

    /// The strategy with everything that explains it; [#open] reads it back exactly.
    void json() {
        strategy("Save the strategy", "json", JSON, StrategyFile::text);
    }

    /// A row a layer.
    void csv() {
        strategy("Save the layers", "csv", FileExport.CSV, StrategyFile::csv);
    }

    private void strategy(String title, String extension, Kind kind, Form form) {
        Optional<FusionCostModel> m = model.model().get();
        Optional<Setup> s = model.setup().get();
        if (m.isPresent() && s.isPresent()) {
            files.save(
                    title,
                    m.get().network().name() + "-fusion." + extension,
                    kind,
                    "The strategy",
                    () -> form.of(m.get(), s.get().strategy()));
        }
    }

    /// The table of strategies.
    void table() {
        List<Candidate> all = model.candidates();
        model.model()
                .get()
                .ifPresent(now -> new DesignsExport(files, model.models().results())
                        .save(
                                true,
                                now.network().name() + "-strategies",
                                now.network().name(),
                                Map.of(
                                        "accelerator",
                                        now.accelerator().name(),
                                        "batch",
                                        Integer.toString(now.batch()),
                                        "buffer",
                                        ByteSize.shown(now.budget())),
                                IntStream.range(0, all.size())
                                        .boxed()
                                        .collect(Collectors.toMap(
                                                i -> i + 1, i -> all.get(i).origin()))));
    }

    private void figure(FigureSet figures, boolean svg) {
        figures.shown(
                model.network().get().map(FusionNetwork::name).orElse("network"),
                (name, content) -> files.figure(name, content, svg));
    }

    /// Reads a strategy back and looks at it, with the accelerator and batch it was made for.
    void open() {
        files.choices().openFile("Open a strategy", List.of(JSON)).ifPresent(this::open);
    }

    void open(Path file) {
        files.background()
                .compute(
                        () -> {
                            StrategyFile f = StrategyFile.read(file);
                            FusionNetwork n = model.network()
                                    .get()
                                    .orElseThrow(() -> new UserError("Open the network of the strategy first."));
                            if (f.strategy().layers() != n.layers()) {
                                throw new UserError(file + ": the strategy is for "
                                        + f.strategy().layers() + " layers, and '" + n.name() + "' has " + n.layers()
                                        + ".");
                            }
                            return f;
                        },
                        f -> model.take(f.accelerator(), f.batch(), f.strategy(), String.valueOf(file.getFileName())),
                        e -> files.messages().fail("The strategy cannot be opened", e));
    }

    /// Reads an accelerator; the buffer goes with it.
    void openAccelerator() {
        files.choices()
                .openFile("Open an accelerator", List.of(ACCELERATOR))
                .ifPresent(file -> files.background()
                        .compute(
                                () -> AcceleratorFile.read(file),
                                model::setAccelerator,
                                e -> files.messages().fail("The accelerator cannot be opened", e)));
    }
}
