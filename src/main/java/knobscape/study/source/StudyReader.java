package knobscape.study.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import knobscape.evaluate.Formula;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.Metric;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.ResultRule;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.study.source.Study.Constraint;
import knobscape.study.source.Study.Stage;
import knobscape.study.source.Study.StudyParameter;
import knobscape.study.text.Numerals;
import knobscape.study.text.Placeholders;

/// Reads study files: YAML, of which JSON is a part. The form is described in the manual (`src/docs/studies.md`).
/// Every error is one [UserError] that names file and line.
public final class StudyReader {
    private static final long MAX_BYTES = 1 << 20;
    private static final int MAX_PARAMETERS = 500;
    private static final int MAX_METRICS = 64;
    private static final int MAX_STAGES = 8;
    private static final int MAX_FORMULA = 4000;
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_.-]{0,99}");
    private static final Pattern STUDY = Pattern.compile("(?i)\\.study\\.(yaml|yml|json)$");
    private static final Pattern ENDINGS = Pattern.compile("(?i)(\\.study)?\\.(yaml|yml|json|cl|cu)$");
    private static final Pattern STAGE = Pattern.compile("[a-z][a-z0-9_]{0,31}");
    private static final List<String> KEYS =
            List.of("study", "name", "parameters", "constraints", "objectives", "metrics", "measure", "run");
    private static final List<String> RUN = List.of("method", "trials", "initial", "parallel", "hours", "seed", "goal");

    /// Seconds after which a kernel is stopped where the file says nothing: compiling, checking and timing.
    private static final double KERNEL_SECONDS = 60;
    private final String name;

    private StudyReader(String name) {
        this.name = name;
    }

    /// True if a file is a study by its name.
    public static boolean isNamed(String name) {
        return STUDY.matcher(name).find();
    }

    /// The name of a study file without its endings.
    public static String stem(Path file) {
        return ENDINGS.matcher(String.valueOf(file.getFileName())).replaceFirst("");
    }

    /// True if a file is a study by its name, or by its first key where its name only says YAML.
    public static boolean isStudy(Path file) {
        String n = String.valueOf(file.getFileName()).toLowerCase(java.util.Locale.ROOT);
        if (isNamed(n)) {
            return true;
        }
        if (!n.matches(".*\\.(yaml|yml)") || !Files.isRegularFile(file)) {
            return false;
        }
        try {
            return InputFile.text(file, MAX_BYTES)
                    .lines()
                    .filter(l -> !l.isBlank() && !l.startsWith("#"))
                    .findFirst()
                    .filter(l -> l.startsWith("study:"))
                    .isPresent();
        } catch (IOException | UserError e) {
            return false;
        }
    }

    /// Reads a file.
    public static Study read(Path file) {
        return parse(file.toString(), text(file));
    }

    /// The text of a file.
    public static String text(Path file) {
        return InputFile.required(file, MAX_BYTES);
    }

    /// Reads a text.
    ///
    /// @param name of the file, for messages
    public static Study parse(String name, String text) {
        return new StudyReader(name).study(YamlNode.parse(name, text, "study file"));
    }

    private Study study(YamlNode node) {
        if (!(node instanceof YamlNode.Keys root)) {
            throw error(1, "a study file starts with keys such as 'study: 1' and 'parameters:'");
        }
        onlyKnown(root, KEYS, "");
        YamlNode version = root.values().get("study");
        if (version == null || !text(version, "study").equals("1")) {
            throw error(version == null ? root.line() : version.line(), "write 'study: 1', the version of this form");
        }
        List<StudyParameter> parameters = parameters(root);
        Set<String> names = new HashSet<>();
        parameters.forEach(p -> names.add(p.name()));
        var positive = new ArrayList<String>();
        List<Metric> objectives = metrics(root, "objectives", positive);
        if (objectives.isEmpty()) {
            throw error(
                    root.line(),
                    "'objectives' is missing: name what is measured and which way is better,"
                            + " such as 'time: minimise'");
        }
        var metrics = new ArrayList<>(objectives);
        metrics.addAll(metrics(root, "metrics", positive));
        if (metrics.stream().map(Metric::name).distinct().count() < metrics.size()) {
            throw error(root.line(), "a metric is named twice");
        }
        return new Study(
                name,
                optional(root, "name").orElse(""),
                parameters,
                constraints(root, names),
                metrics,
                objectives.stream().map(Metric::name).toList(),
                positive,
                root.values().containsKey("measure") ? stages(root.values().get("measure"), names, metrics) : List.of(),
                run(root));
    }

    private List<StudyParameter> parameters(YamlNode.Keys root) {
        if (!(root.values().get("parameters") instanceof YamlNode.Keys all)
                || all.values().isEmpty()) {
            throw error(
                    root.values().containsKey("parameters")
                            ? root.values().get("parameters").line()
                            : root.line(),
                    "'parameters' is missing: name at least one with its values, such as 'tile: [8, 16, 32]'");
        }
        if (all.values().size() > MAX_PARAMETERS) {
            throw error(all.line(), "more than " + MAX_PARAMETERS + " parameters");
        }
        var found = new ArrayList<StudyParameter>();
        all.values().forEach((key, value) -> {
            int line = all.keyLines().getOrDefault(key, value.line());
            if (!NAME.matcher(key).matches() || Placeholders.PLACES.contains(key)) {
                throw error(
                        line,
                        "'" + key + "' cannot be the name of a parameter; use letters, digits, '_', '.' and '-'"
                                + " (and not " + String.join(" or ", Placeholders.PLACES) + ")");
            }
            found.add(new ParameterReader(name, key, line).read(value));
        });
        return found;
    }

    private List<Constraint> constraints(YamlNode.Keys root, Set<String> names) {
        YamlNode node = root.values().get("constraints");
        var found = new ArrayList<Constraint>();
        for (YamlNode item : node == null ? List.<YamlNode>of() : items(node, "constraints")) {
            String text = text(item, "constraints");
            if (text.length() > MAX_FORMULA) {
                throw error(item.line(), "a constraint of more than " + MAX_FORMULA + " characters");
            }
            try {
                for (Formula part : Formula.parse(text).parts()) {
                    part.columns().stream()
                            .filter(c -> !names.contains(c))
                            .findFirst()
                            .ifPresent(c -> {
                                throw error(
                                        item.line(),
                                        "the constraint names '" + c + "', which is no parameter"
                                                + NameSuggestions.didYouMean(c, List.copyOf(names)));
                            });
                    found.add(new Constraint(part, item.line()));
                }
            } catch (IllegalArgumentException e) {
                throw error(item.line(), "this is no constraint: " + e.getMessage());
            }
        }
        return found;
    }

    private List<Metric> metrics(YamlNode.Keys root, String key, List<String> positive) {
        YamlNode node = root.values().get(key);
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof YamlNode.Keys all)) {
            throw error(node.line(), "'" + key + "' holds names with what is better, such as 'time: minimise'");
        }
        if (all.values().size() > MAX_METRICS) {
            throw error(all.line(), "more than " + MAX_METRICS + " metrics");
        }
        var found = new ArrayList<Metric>();
        all.values().forEach((metric, value) -> {
            if (!NAME.matcher(metric).matches()) {
                throw error(value.line(), "'" + metric + "' cannot be the name of a metric; use letters, digits, '_'");
            }
            Metric m = metric(metric, value, key.equals("objectives"), positive);
            found.add(m);
            // Times and the like are above 0 by what they are.
            if (!positive.contains(metric)
                    && ResultRule.of(List.of(m)).objection(metric, -1).isPresent()) {
                positive.add(metric);
            }
        });
        return found;
    }

    private Metric metric(String metric, YamlNode value, boolean isObjective, List<String> positive) {
        if (value instanceof YamlNode.Text t) {
            return new Metric(
                    metric,
                    metric,
                    "",
                    t.text().isEmpty() && !isObjective ? Metric.Direction.NEUTRAL : direction(t, isObjective),
                    Double.NaN);
        }
        YamlNode.Keys keys = keys(value, "'" + metric + "' is minimise or maximise, or keys");
        onlyKnown(keys, List.of("goal", "unit", "label", "positive"), metric);
        YamlNode goal = keys.values().get("goal");
        if (goal == null && isObjective) {
            throw error(keys.line(), "'" + metric + "' needs 'goal: minimise' or 'goal: maximise'");
        }
        if (optional(keys, "positive").filter(StudyReader::isYes).isPresent()) {
            positive.add(metric);
        }
        return new Metric(
                metric,
                optional(keys, "label").orElse(metric),
                optional(keys, "unit").orElse(""),
                goal == null ? Metric.Direction.NEUTRAL : direction(goal, isObjective),
                Double.NaN);
    }

    private Metric.Direction direction(YamlNode node, boolean isObjective) {
        String word = text(node, "goal");
        return switch (word) {
            case "minimise", "minimize", "min", "smaller", "lower" -> Metric.Direction.MINIMISE;
            case "maximise", "maximize", "max", "larger", "higher" -> Metric.Direction.MAXIMISE;
            default -> {
                if (word.equals("none") && !isObjective) {
                    yield Metric.Direction.NEUTRAL;
                }
                throw error(node.line(), "write minimise or maximise, not '" + word + "'");
            }
        };
    }

    private List<Stage> stages(YamlNode node, Set<String> names, List<Metric> metrics) {
        YamlNode.Keys measure = keys(node, "'measure' holds 'command' or 'stages'");
        YamlNode all = measure.values().get("stages");
        if (all == null) {
            return List.of(stage(measure, "run", names, metrics));
        }
        onlyKnown(measure, List.of("stages"), "measure");
        List<YamlNode> items = items(all, "stages");
        if (items.isEmpty() || items.size() > MAX_STAGES) {
            throw error(all.line(), "'stages' has 1 to " + MAX_STAGES + " entries, the cheapest first");
        }
        var found = new ArrayList<Stage>();
        for (YamlNode item : items) {
            YamlNode.Keys keys = keys(item, "a stage holds 'name' and 'command'");
            String stage = optional(keys, "name").orElse("");
            if (!STAGE.matcher(stage).matches()
                    || found.stream().anyMatch(s -> s.name().equals(stage))) {
                throw error(
                        item.line(),
                        "a stage needs a name of its own of lower-case letters and digits, not '" + stage + "'");
            }
            found.add(stage(keys, stage, names, metrics));
        }
        return found;
    }

    private Stage stage(YamlNode.Keys keys, String stage, Set<String> names, List<Metric> metrics) {
        onlyKnown(
                keys,
                List.of("name", "build", "command", "check", "environment", "result", "limit", "kernel"),
                "measure");
        YamlNode kernel = keys.values().get("kernel");
        if (kernel != null) {
            return kernelStage(keys, stage, kernel, names, metrics);
        }
        YamlNode command = keys.values().get("command");
        if (command == null) {
            throw error(
                    keys.line(),
                    "'command' is missing: the program that measures, such as" + " [python3, run.py, --tile={tile}]");
        }
        var environment = new LinkedHashMap<String, String>();
        YamlNode variables = keys.values().get("environment");
        if (variables != null) {
            keys(variables, "'environment' holds names with values").values().forEach((k, v) -> {
                if (!k.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                    throw error(v.line(), "'" + k + "' cannot be the name of a variable");
                }
                environment.put(k, placed(v, text(v, k), names));
            });
        }
        YamlNode check = keys.values().get("check");
        YamlNode build = keys.values().get("build");
        return new Stage(
                stage,
                build == null ? List.of() : words(build, names),
                words(command, names),
                check == null ? List.of() : words(check, names),
                environment,
                patterns(keys.values().get("result"), metrics),
                limit(keys, Double.POSITIVE_INFINITY),
                Optional.empty(),
                command.line());
    }

    private double limit(YamlNode.Keys keys, double usual) {
        YamlNode time = keys.values().get("limit");
        return time == null
                ? usual
                : Numerals.number(text(time, "limit"))
                        .filter(s -> s > 0)
                        .orElseThrow(() -> error(time.line(), "'limit' is a number of seconds above 0"));
    }

    private Stage kernelStage(
            YamlNode.Keys keys, String stage, YamlNode node, Set<String> names, List<Metric> metrics) {
        onlyKnown(keys, List.of("name", "kernel", "limit"), "measure");
        OwnKernel kernel = new OwnKernelReader(name, names).read(node);
        for (Metric m : metrics) {
            if (!OwnKernel.METRICS.contains(m.name())) {
                throw error(
                        node.line(),
                        "a kernel reports " + String.join(", ", OwnKernel.METRICS) + ", not '" + m.name() + "'"
                                + NameSuggestions.didYouMean(m.name(), OwnKernel.METRICS));
            }
            if (m.name().equals("time") && !m.unit().isEmpty() && !OwnKernel.SECONDS_OF_UNIT.containsKey(m.unit())) {
                throw error(node.line(), "the unit of 'time' is s, ms, us or ns, not '" + m.unit() + "'");
            }
            if ((m.name().equals("gflops") && kernel.operations().isEmpty())
                    || (m.name().equals("gbs") && kernel.bytes().isEmpty())) {
                String wanted = m.name().equals("gbs") ? "bytes" : "operations";
                throw error(
                        node.line(),
                        "'" + m.name() + "' needs '" + wanted + "' of a run in 'kernel', such as '" + wanted
                                + ": 2 * M * N * K'");
            }
        }
        return new Stage(
                stage,
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                limit(keys, KERNEL_SECONDS),
                Optional.of(kernel),
                node.line());
    }

    /// Program and arguments: a list, or one line with quotes, of which no shell sees anything.
    private List<String> words(YamlNode node, Set<String> names) {
        var words = new ArrayList<String>();
        if (node instanceof YamlNode.Items items) {
            items.items().forEach(i -> words.add(placed(i, text(i, "command"), names)));
        } else {
            Matcher m = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)").matcher(text(node, "command"));
            while (m.find()) {
                String word = m.group(1) != null ? m.group(1) : m.group(2) != null ? m.group(2) : m.group(3);
                words.add(placed(node, word, names));
            }
        }
        if (words.isEmpty() || words.getFirst().isBlank()) {
            throw error(node.line(), "'command' names no program");
        }
        if (words.getFirst().contains("{") && !words.getFirst().matches("\\{(here|folder)}/.*")) {
            throw error(node.line(), "the program itself cannot be a parameter; put the choice into an argument");
        }
        if (node instanceof YamlNode.Text && words.stream().anyMatch(w -> w.matches("[|&;<>]+|[0-9]?>&?[0-9]?"))) {
            throw error(
                    node.line(),
                    "no shell runs the command, so that '|', '>' and '&&' mean nothing;"
                            + " write them into a script and name that");
        }
        return words;
    }

    private String placed(YamlNode node, String text, Set<String> names) {
        for (String p : Placeholders.in(text)) {
            if (!names.contains(p) && !Placeholders.PLACES.contains(p)) {
                throw error(
                        node.line(),
                        "'{" + p + "}' is no parameter" + NameSuggestions.didYouMean(p, List.copyOf(names)));
            }
        }
        return text;
    }

    private Map<String, Pattern> patterns(@org.jspecify.annotations.Nullable YamlNode node, List<Metric> metrics) {
        if (node == null || (node instanceof YamlNode.Text t && t.text().equals("json"))) {
            return Map.of();
        }
        YamlNode.Keys keys = keys(node, "'result' is json, or a regular expression for each metric");
        List<String> known = metrics.stream().map(Metric::name).toList();
        onlyKnown(keys, known, "result");
        var found = new LinkedHashMap<String, Pattern>();
        keys.values().forEach((metric, value) -> {
            try {
                Pattern p = Pattern.compile(text(value, metric), Pattern.MULTILINE);
                if (p.matcher("").groupCount() < 1) {
                    throw error(
                            value.line(), "the expression of '" + metric + "' needs a group in parentheses: the value");
                }
                found.put(metric, p);
            } catch (PatternSyntaxException e) {
                throw error(value.line(), "the expression of '" + metric + "' is not valid: " + e.getDescription());
            }
        });
        return found;
    }

    private Map<String, String> run(YamlNode.Keys root) {
        YamlNode node = root.values().get("run");
        if (node == null) {
            return Map.of();
        }
        YamlNode.Keys keys = keys(node, "'run' holds settings of a run, such as 'trials: 200'");
        onlyKnown(keys, RUN, "run");
        var found = new LinkedHashMap<String, String>();
        keys.values().forEach((k, v) -> found.put(k, text(v, k)));
        return found;
    }

    static boolean isYes(String word) {
        return Set.of("true", "yes", "on").contains(word);
    }

    private Optional<String> optional(YamlNode.Keys keys, String key) {
        return Optional.ofNullable(keys.values().get(key)).map(n -> text(n, key));
    }

    private String text(YamlNode node, String key) {
        if (node instanceof YamlNode.Text t) {
            return t.text();
        }
        throw error(node.line(), "'" + key + "' holds one value, not " + node.what());
    }

    private List<YamlNode> items(YamlNode node, String key) {
        if (node instanceof YamlNode.Items i) {
            return i.items();
        }
        throw error(node.line(), "'" + key + "' is a list, not " + node.what());
    }

    private YamlNode.Keys keys(YamlNode node, String wanted) {
        if (node instanceof YamlNode.Keys k) {
            return k;
        }
        throw error(node.line(), wanted + ", not " + node.what());
    }

    private void onlyKnown(YamlNode.Keys keys, Collection<String> known, String where) {
        onlyKnown(name, keys, known, where);
    }

    static void onlyKnown(String file, YamlNode.Keys keys, Collection<String> known, String where) {
        keys.keyLines().forEach((key, line) -> {
            if (!known.contains(key)) {
                throw YamlNode.error(
                        file,
                        line,
                        "'" + key + "' is not known" + (where.isEmpty() ? " here" : " in '" + where + "'")
                                + NameSuggestions.didYouMean(key, List.copyOf(known)) + "; known are "
                                + String.join(", ", new TreeSet<>(known)));
            }
        });
    }

    private UserError error(int line, String message) {
        return YamlNode.error(name, line, message);
    }
}
