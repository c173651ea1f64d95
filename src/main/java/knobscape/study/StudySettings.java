package knobscape.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.study.source.StudyReader;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.history.HistoryUse;
import knobscape.work.parameter.CommandOption;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.TextList;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;
import knobscape.work.tool.ToolSettings;

/// Which study, and how its program is run; or which table of results, of which nothing is run.
///
/// @param values of [#PARAMETERS]
public record StudySettings(Values values) implements WorkSettings {
    private static final String TABLE = "a table of results runs no program";
    private static final Predicate<Values> IS_TABLE =
            v -> isTable(v.find(SOURCE).orElse(""));

    /// Further attempts after a crash: a program of one's own says the same again more often than a vendor's tool.
    private static final Parameter<Integer> RETRIES = ToolSettings.CRASH_RETRIES.usually(0);

    /// Configurations that somebody proposes, each as `NAME=VALUE;NAME=VALUE`.
    public static final Parameter<List<String>> SUGGESTIONS = Parameter.texts(
                    "suggestions", new TextList(ValueType.text(), ",", false))
            .words(
                    "Suggestions",
                    "Configurations to measure first, each 'NAME=VALUE;NAME=VALUE', the other parameters at their defaults; the search learns from them")
            .option("--suggest", "VALUES");

    /// YAML file that explains the columns of a table.
    public static final Parameter<String> MAPPING = Parameter.file("mapping")
            .words("", "YAML file that says which columns of a table are parameters, stages and objectives")
            .option("--mapping", "FILE")
            .when(IS_TABLE, "it explains the columns of a table of results");

    /// Everything that is declared of the work.
    public static final Parameters PARAMETERS = Parameters.of(
                    SOURCE, MAPPING, SUGGESTIONS, HistoryUse.FILE, HistoryUse.ROWS)
            .and(new Parameters(
                            ToolSettings.PARAMETERS.list().stream()
                                    .<Parameter<?>>map(p -> p.name().equals(RETRIES.name()) ? RETRIES : p)
                                    .toList(),
                            List.of())
                    .when(_ -> true, IS_TABLE.negate(), TABLE));

    /// Everything that is declared of its runs.
    public static final Parameters RUN = RunSettings.parameters(
            RunSettings.METHOD.usually("auto"),
            RunSettings.TOOLCHAIN
                    .type(ValueType.text().at(StudySettings::located))
                    .usually(EvaluatorKind.COMMAND.word())
                    .words(
                            "Measured by",
                            "command for the study's own program, told for results that you tell (knobscape ask); a table of results answers by itself (replay)"),
            RunSettings.SEED,
            RunSettings.INITIAL.words("Initial ones", "Random configurations before the first choice"),
            RunSettings.GOAL,
            RunSettings.STEPS
                    .usually(100)
                    .words("Measurements", "Most measurements after the initial ones (0: these alone)")
                    .option(new CommandOption(List.of("--steps", "--trials"), "N", false, List.of())),
            RunSettings.PARALLEL,
            RunSettings.OBJECTIVES,
            RunSettings.EARLY_STOP
                    .usually(0)
                    .unit("measurements")
                    .words("Early stop", "Ends the run after so many measurements without gain"),
            RunSettings.HOURS.words("Time limit", "Ends the run once so much measuring time is spent"));

    /// Keys of a study's `run` block with the settings they stand for.
    static final Map<String, Parameter<?>> RUN_KEYS = Map.copyOf(runKeys());

    private static Map<String, Parameter<?>> runKeys() {
        var keys = new LinkedHashMap<String, Parameter<?>>();
        keys.put("method", RunSettings.METHOD);
        keys.put("trials", RunSettings.STEPS);
        keys.put("initial", RunSettings.INITIAL);
        keys.put("parallel", RunSettings.PARALLEL);
        keys.put("hours", RunSettings.HOURS);
        keys.put("seed", RunSettings.SEED);
        keys.put("goal", RunSettings.GOAL);
        return keys;
    }

    /// An evaluator with the table that it names moved.
    private static String located(String toolchain, UnaryOperator<String> move) {
        return EvaluatorKind.REPLAY
                .argument(toolchain)
                .map(f -> EvaluatorKind.REPLAY.with(move.apply(f)))
                .orElse(toolchain);
    }

    /// True if a file is a table of results by its name: whatever such a table is called but a study. A YAML file is
    /// known by its content only ([StudyReader#isStudy]).
    public static boolean isTable(String name) {
        return ReplaySet.isNamed(name)
                && !name.toLowerCase(Locale.ROOT).matches(".*\\.ya?ml")
                && !StudyReader.isNamed(name);
    }

    /// A study file with everything else by default.
    public static StudySettings of(String source) {
        return new StudySettings(PARAMETERS.usual().with(SOURCE, source));
    }

    @Override
    public StudySettings of(Values other) {
        return new StudySettings(other);
    }

    /// The file that explains the columns of a table.
    Optional<String> mapping() {
        return values.find(MAPPING);
    }

    @Override
    public List<String> inputs() {
        return mapping().stream().toList();
    }

    /// The history for methods that learn from earlier runs; empty for none.
    Optional<HistoryUse> history() {
        return HistoryUse.in(values);
    }

    /// Configurations that somebody proposes, as written.
    List<String> suggestions() {
        return values.get(SUGGESTIONS);
    }

    /// How the program is run.
    public ToolSettings tool() {
        return new ToolSettings(values);
    }

    @Override
    public Map<String, String> facts() {
        return Map.of(isTable(source()) ? "Table" : "Study", source());
    }
}
