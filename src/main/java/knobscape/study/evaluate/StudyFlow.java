package knobscape.study.evaluate;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.space.Configuration;
import knobscape.study.source.OwnKernel;
import knobscape.study.source.Study;
import knobscape.study.source.Study.Stage;
import knobscape.study.text.BoundedText;
import knobscape.study.text.Numerals;
import knobscape.study.text.Placeholders;
import knobscape.work.tool.FileHashes;
import knobscape.work.tool.ToolFlow;
import knobscape.work.tool.ToolProcess.ProcessExit;
import knobscape.work.tool.ToolResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A study's own program: started once per configuration and stage, in a folder of its own that holds
/// `configuration.json`; or a kernel, for which that is this program. Its result is `result.json` there, what the
/// study's expressions find in what it prints, or
/// the last line that is a JSON object (of one objective: a number). A program that ends with another status than
/// 0 refuses the configuration; after it, the check may.
final class StudyFlow implements ToolFlow {
    private static final String RESULT = "result.json";
    private static final String CONFIGURATION = "configuration.json";
    private static final long MOST_HASHED = 64L << 20;
    private static final int MOST_REASON = 300;
    /// Endings that a system lets one leave out of a program's name.
    private static final List<String> ENDINGS = List.of("", ".exe", ".bat", ".cmd");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Study study;
    private final Path here;
    private volatile EvaluatorInfo info;
    /// By stage the shortest time of a kernel, in seconds.
    private final Map<Integer, Double> bestSeconds = new ConcurrentHashMap<>();
    /// True if nothing but speed is searched for, so that a slow kernel is of no interest.
    private final boolean isSpeedAll;
    private final FileHashes hashes = new FileHashes(MOST_HASHED);

    /// @param here the study's folder
    /// @param objectives that are searched for
    StudyFlow(Study study, Path here, List<String> objectives) {
        this.study = study;
        this.here = here;
        this.info = StudyTools.info(study, "");
        this.isSpeedAll = OwnKernel.SPEEDS.containsAll(objectives);
    }

    @Override
    public void open() {
        for (Stage s : study.stages()) {
            Optional<KernelStage> kernel = kernel(s);
            if (kernel.isPresent()) {
                kernel.get().requireFiles();
                // Asked once: the answer takes a process.
                if (StudyTools.hardware(info).isEmpty()) {
                    info = StudyTools.info(study, kernel.get().hardware());
                }
                continue;
            }
            String program = s.steps().getFirst().getFirst().replace("{here}", here.toString());
            if (program.contains("/") ? !Files.isExecutable(here.resolve(program)) : !isOnPath(program)) {
                throw YamlNode.error(
                        study.file(),
                        s.line(),
                        "'" + program
                                + "' is no program that may be run; name an executable file (chmod +x), or one on the"
                                + " search path");
            }
        }
    }

    private static boolean isOnPath(String program) {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
                .flatMap(folder -> ENDINGS.stream().map(e -> new File(folder, program + e)))
                .anyMatch(File::canExecute);
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
        return "1";
    }

    /// A person's program finds its own files and packages where it always does.
    @Override
    public boolean hasOwnHome() {
        return false;
    }

    private Optional<KernelStage> kernel(Stage s) {
        return s.kernel()
                .map(_ -> new KernelStage(
                        study,
                        s,
                        here,
                        this::hash,
                        info.metrics().stream().anyMatch(m -> m.name().equals(OwnKernel.ENERGY))));
    }

    private Stage stage(Fidelity stage) {
        return study.stages().get(stage.rank());
    }

    @Override
    public double limitSeconds(Fidelity stage) {
        return stage(stage).limitSeconds();
    }

    @Override
    public String inputs(Configuration configuration, Fidelity stage) {
        Stage s = stage(stage);
        var text = new StringBuilder(configuration.toString());
        for (List<String> command : List.of(s.build(), s.command(), s.check())) {
            text.append('\n').append(command);
            for (String word : command) {
                Path file = beside(word);
                if (file != null) {
                    text.append('\n').append(word).append(' ').append(hash(file));
                }
            }
        }
        new TreeMap<>(s.environment())
                .forEach((k, v) -> text.append('\n').append(k).append('=').append(v));
        text.append('\n').append(new TreeMap<>(s.patterns()));
        kernel(s).ifPresent(k -> text.append('\n').append(k.inputs()));
        return text.toString();
    }

    private String hash(Path file) {
        long bytes = file.toFile().length();
        return bytes > MOST_HASHED ? bytes + " bytes" : hashes.of("the file", file);
    }

    /// The file beside the study that a word of a command names.
    private @org.jspecify.annotations.Nullable Path beside(String word) {
        String path = word.replace("{here}", here.toString());
        if (path.contains("{") || path.startsWith("-") || path.isBlank()) {
            return null;
        }
        try {
            Path file = here.resolve(path).normalize();
            return Files.isRegularFile(file) ? file : null;
        } catch (java.nio.file.InvalidPathException e) {
            return null;
        }
    }

    @Override
    public ToolFlow.Command prepare(
            Configuration configuration, Fidelity stage, Path folder, CancellationSignal cancel) {
        Stage s = stage(stage);
        try {
            Files.deleteIfExists(folder.resolve(RESULT));
        } catch (IOException e) {
            throw new UserError(
                    "An earlier result in " + folder + " cannot be removed: " + UserError.reason(e) + ".", e);
        }
        FileOutput.write(
                folder.resolve(CONFIGURATION),
                JSON.writerWithDefaultPrettyPrinter()
                        .writeValueAsString(document(configuration))
                        .getBytes(StandardCharsets.UTF_8));
        Optional<KernelStage> kernel = kernel(s);
        if (kernel.isPresent()) {
            return kernel.get().prepare(configuration, folder, bestSeconds.getOrDefault(stage.rank(), 0.0));
        }
        UnaryOperator<String> placed =
                text -> Placeholders.fill(text, configuration, here.toString(), folder.toString());
        var environment = new LinkedHashMap<String, String>();
        s.environment().forEach((k, v) -> environment.put(k, placed.apply(v)));
        environment.put("KNOBSCAPE_STUDY", here.toString());
        environment.put("KNOBSCAPE_STAGE", s.name());
        return new ToolFlow.Command(
                s.steps().stream().map(step -> words(step, placed)).toList(), environment);
    }

    private List<String> words(List<String> command, UnaryOperator<String> placed) {
        return command.stream()
                .map(w -> {
                    Path file = beside(w);
                    return file == null ? placed.apply(w) : file.toString();
                })
                .toList();
    }

    /// A configuration as the program reads it: numbers as numbers, switches as true and false.
    private static ObjectNode document(Configuration c) {
        ObjectNode n = JSON.createObjectNode();
        for (int i = 0; i < c.knobs().size(); i++) {
            String name = c.knobs().get(i).name();
            switch (c.knobs().get(i).domain()) {
                case knobscape.space.Domain.Toggle _ -> n.put(name, c.level(i) == 1);
                case knobscape.space.Domain.Factors f -> n.put(name, f.values().get(c.level(i)));
                case knobscape.space.Domain.Numbers x -> n.put(name, x.values().get(c.level(i)));
                case knobscape.space.Domain.Categories _ -> n.put(name, c.value(i));
            }
        }
        return n;
    }

    @Override
    public Result read(Configuration configuration, Fidelity stage, Path folder, String log, ProcessExit ended) {
        KernelStage.clean(folder);
        Result r = result(stage, folder, log, ended);
        // Where to mend it; a kernel names its own line.
        boolean namesItself =
                stage(stage).kernel().isPresent() && ended.status().orElse(0) == 0;
        return r.outcome() instanceof Outcome.Failure f && !namesItself
                ? new Result(new Outcome.Failure(f.kind(), place(stage) + f.reason(), f.values()), r.seconds())
                : r;
    }

    @Override
    public boolean carriesValues() {
        return true;
    }

    @Override
    public String place(Fidelity stage) {
        return Path.of(study.file()).getFileName() + ":" + stage(stage).line() + ": ";
    }

    private Result result(Fidelity stage, Path folder, String log, ProcessExit ended) {
        Result found = found(stage, folder, log);
        int status = ended.status().orElse(0);
        if (status == 0 || !(found.outcome() instanceof Outcome.Measured || isSilent(found))) {
            return found;
        }
        boolean isCheck = found.outcome() instanceof Outcome.Measured
                && !stage(stage).check().isEmpty();
        if (stage(stage).kernel().isPresent()) {
            return ToolResult.crashed("the process of the kernel ended with status " + status
                    + "; a kernel that writes far outside of its buffers ends like this");
        }
        return new Result(
                new Outcome.Failure(
                        isCheck ? FailureKind.WRONG_RESULT : FailureKind.REJECTED,
                        (isCheck ? "the check ended" : "the program ended") + " with status " + status
                                + tellingLine(log)),
                found.seconds());
    }

    private static final String SILENT = "gave no result";

    private static boolean isSilent(Result r) {
        return r.outcome() instanceof Outcome.Failure f && f.reason().contains(SILENT);
    }

    private static String tellingLine(String log) {
        String line = ToolResult.tellingLine(log);
        return line.length() > MOST_REASON ? line.substring(0, MOST_REASON) + "..." : line;
    }

    private Result found(Fidelity stage, Path folder, String log) {
        Path file = folder.resolve(RESULT);
        Stage s = stage(stage);
        if (Files.isRegularFile(file)) {
            try {
                return document(
                        file.toString(),
                        JsonFields.read(file, ToolResult.MOST_BYTES).node(),
                        stage);
            } catch (UserError e) {
                return ToolResult.crashed(
                        "the result is not whole or no JSON: " + e.getMessage().replaceFirst("\\.$", ""));
            }
        }
        if (!s.patterns().isEmpty()) {
            return matched(s, stage, log);
        }
        Optional<String> last = log.lines()
                .filter(l -> !l.isBlank())
                .map(String::strip)
                .filter(l -> l.startsWith("{")
                        || (info.objectives().size() == 1 && Numerals.number(l).isPresent()))
                .reduce((_, b) -> b);
        if (last.isEmpty()) {
            return ToolResult.crashed("the program " + SILENT + ": it wrote no " + RESULT
                    + " and printed no line with a JSON object" + tellingLine(log));
        }
        if (!last.get().startsWith("{")) {
            return checked(
                    "what the program printed",
                    Map.of(info.objectives().getFirst(), Double.valueOf(last.get())),
                    stage);
        }
        try {
            return document(
                    "what the program printed",
                    JsonFields.parse("what the program printed", last.get()).node(),
                    stage);
        } catch (UserError e) {
            return ToolResult.crashed(e.getMessage().replaceFirst("\\.$", ""));
        }
    }

    private Result document(String name, JsonNode n, Fidelity stage) {
        if (stage(stage).kernel().isPresent() && n.path("values") instanceof ObjectNode v) {
            if (isSpeedAll && v.path("time").isNumber()) {
                bestSeconds.merge(stage.rank(), v.path("time").asDouble(), Math::min);
            }
            // Seconds become the study's unit; what it does not name is left.
            if (v.has("time")) {
                v.put("time", v.path("time").asDouble() * KernelStage.scale(study));
            }
            v.retain(info.metrics().stream().map(Metric::name).toList());
            Optional<String> untold =
                    info.objectives().stream().filter(o -> !v.has(o)).findFirst();
            if (untold.isPresent()) {
                return ToolResult.crashed("the device does not tell '" + untold.get()
                        + "' of a kernel; take another objective, or measure it by a program of your own (command)");
            }
        }
        if (n.path("values").isObject()) {
            return positive(name, ToolResult.of(name, n, n.path("values"), info, stage, _ -> {}));
        }
        ObjectNode told = JSON.createObjectNode();
        for (Metric m : info.metrics()) {
            if (n.has(m.name())) {
                told.set(m.name(), n.get(m.name()));
            }
        }
        return positive(name, ToolResult.of(name, n, told, info, stage, _ -> {}));
    }

    private Result matched(Stage s, Fidelity stage, String log) {
        var values = new LinkedHashMap<String, Double>();
        for (var p : s.patterns().entrySet()) {
            String last = null;
            try {
                Matcher m = p.getValue().matcher(new BoundedText(log));
                while (m.find()) {
                    last = m.group(1);
                }
            } catch (BoundedText.TooLongException | StackOverflowError e) {
                return ToolResult.crashed("the expression of '" + p.getKey()
                        + "' tries too much in what the program printed; write it without a repetition within another");
            }
            if (last == null) {
                continue;
            }
            Optional<Double> value = Numerals.number(last.strip());
            if (value.isEmpty()) {
                return ToolResult.crashed("'" + last + "', found for " + p.getKey() + ", is no number");
            }
            values.put(p.getKey(), value.get());
        }
        if (values.isEmpty()) {
            return ToolResult.crashed("the program " + SILENT
                    + ": no expression of 'result' is found in what it printed" + tellingLine(log));
        }
        return checked("what the program printed", values, stage);
    }

    private Result checked(String name, Map<String, Double> values, Fidelity stage) {
        return positive(name, ToolResult.of(name, values, OptionalDouble.empty(), info, stage));
    }

    private Result positive(String name, Result r) {
        if (r.outcome() instanceof Outcome.Measured m) {
            for (String p : study.positive()) {
                if (m.value(p).orElse(1) <= 0) {
                    return ToolResult.crashed(
                            name + " is no result: " + p + " is " + m.value(p).orElseThrow() + " and must be above 0");
                }
            }
        }
        return r;
    }

    /// Files that one's own program leaves are its own affair.
    @Override
    public void clean(Path folder) {}
}
