package knobscape.hls.evaluate.vendor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.ResultRule;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.space.Configuration;
import knobscape.work.tool.ToolDescription;
import knobscape.work.tool.ToolEvaluator;
import knobscape.work.tool.ToolFlow;
import knobscape.work.tool.ToolProcess;
import knobscape.work.tool.ToolProcess.Job;
import knobscape.work.tool.ToolProcess.ProcessExit;
import knobscape.work.tool.ToolResult;

/// One's own tool: a program that is started as `PROGRAM STAGE FOLDER` and writes `result.json` or a vendor's report
/// into the folder. Once at the start it is asked `PROGRAM describe FOLDER` and may write `describe.json` with the
/// stages, metrics and objectives it has; without it, the three stages and the metrics of the vendor's tools are
/// taken. The contract with examples is in the manual (`src/docs/hls-tools.md`).
final class CommandFlow implements ToolFlow {
    private static final String RESULT = "result.json";
    private static final Duration DESCRIBE_LIMIT = Duration.ofSeconds(60);
    private static final double[] TYPICAL_SECONDS = {60, 300, 600};

    private final Path program;
    private final ToolWork work;
    private final Path folder;
    private volatile EvaluatorInfo info;
    private volatile String version = "1";
    private boolean opened;

    /// @param program absolute
    /// @param folder for what it writes
    CommandFlow(Path program, ToolWork work, Path folder) {
        this.program = program;
        this.work = work;
        this.folder = folder;
        this.info = work.info(name(), description(), TYPICAL_SECONDS);
    }

    @Override
    public synchronized void open() {
        if (opened) {
            return;
        }
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            throw new UserError(
                    "'" + program
                            + "' is no program that may be run; name an executable file (chmod +x) as --toolchain command:FILE.");
        }
        Optional<JsonFields> described = describe();
        described.map(d -> ToolDescription.info(info, d)).ifPresent(i -> info = i);
        described.flatMap(d -> d.text("version")).ifPresent(t -> version = t);
        opened = true;
    }

    private Optional<JsonFields> describe() {
        try {
            FileOutput.requireInside(ToolEvaluator.runs(folder), folder);
            Files.createDirectories(folder);
            Path file = folder.resolve("describe.json");
            Files.deleteIfExists(file);
            FileOutput.requireInside(folder, folder.resolve("describe.log"));
            var job = new Job(
                    folder + "#describe",
                    List.of(program.toString(), "describe", folder.toString()),
                    folder,
                    Map.of(),
                    folder.resolve("describe.log"),
                    DESCRIBE_LIMIT);
            ToolProcess.run(job, new CancellationSignal());
            return Files.exists(file) ? Optional.of(JsonFields.read(file, ToolResult.MOST_BYTES)) : Optional.empty();
        } catch (IOException e) {
            throw new UserError("The folder " + folder + " cannot be used: " + e.getMessage() + ".", e);
        }
    }

    private String name() {
        return EvaluatorKind.COMMAND.with(program.getFileName().toString());
    }

    private String description() {
        return "Evaluated by " + program + ", " + work.part().name() + " at " + work.clockNs() + " ns";
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    @Override
    public boolean mayLoseResults() {
        return false;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String inputs(Configuration configuration, Fidelity stage) {
        return work.inputs(configuration, work.options().dialect()) + "\n" + program + " " + version;
    }

    @Override
    public ToolFlow.Command prepare(
            Configuration configuration, Fidelity stage, Path folder, CancellationSignal cancel) {
        try {
            Files.deleteIfExists(folder.resolve(RESULT));
        } catch (IOException e) {
            throw new UserError("An earlier result in " + folder + " cannot be removed: " + e.getMessage() + ".", e);
        }
        work.write(configuration, stage, work.options().dialect(), folder);
        return new ToolFlow.Command(List.of(List.of(program.toString(), stage.name(), folder.toString())), Map.of());
    }

    @Override
    public Result read(Configuration configuration, Fidelity stage, Path folder, String log, ProcessExit ended) {
        Path file = folder.resolve(RESULT);
        if (Files.exists(file)) {
            return ToolResult.read(file, info, stage, CommandFlow::withDelay);
        }
        Optional<Map<String, Double>> reports = VendorFigures.find(folder, stage.name());
        if (reports.isPresent() && ended.status().orElse(0) == 0) {
            Optional<String> doubt = ResultRule.of(info.metrics()).objection(reports.get());
            if (doubt.isPresent()) {
                return crashed("the report of " + program.getFileName() + " is no result: " + doubt.get());
            }
            return new Result(new Outcome.Measured(reports.get()), OptionalDouble.empty());
        }
        return new Result(
                new Outcome.Failure(
                        FailureKind.CRASHED,
                        program.getFileName() + " wrote neither " + RESULT + " nor a report"
                                + (ended.status().isPresent()
                                        ? " (exit status " + ended.status().getAsInt() + ")"
                                        : "")
                                + ToolResult.tellingLine(log)),
                OptionalDouble.empty());
    }

    private static void withDelay(Map<String, Double> values) {
        if (values.containsKey("latency") && values.containsKey("clock")) {
            values.putIfAbsent("delay", values.get("latency") * values.get("clock"));
        }
    }

    private static Result crashed(String why) {
        return new Result(new Outcome.Failure(FailureKind.CRASHED, why), OptionalDouble.empty());
    }

    /// Files that one's own program leaves are its own affair.
    @Override
    public void clean(Path folder) {}
}
