package knobscape.gpu;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.TunableNetwork.Ways;
import knobscape.network.source.NetworkNames;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.history.HistoryUse;
import knobscape.work.parameter.CommandOption;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;

/// The tuned work: the kernels of one network, or a set of kernels measured earlier. Paths are relative to the
/// project folder, or absolute.
///
/// @param values of [#PARAMETERS]
public record GpuSettings(Values values) implements WorkSettings {
    private static final int MAX_BATCH = 65_536;
    private static final String MEASURED = "a measured set is tuned as it was measured";
    private static final Predicate<Values> OF_NETWORK =
            v -> !EvaluatorKind.REPLAY.hasArgument(v.find(SOURCE).orElse(""));

    /// `zoo:NAME`, a file of a network, or `replay:FILE` for kernels measured earlier.
    public static final Parameter<String> NETWORK = SOURCE.type(ValueType.text().at(GpuSettings::located));
    /// Inputs per run of the network.
    public static final Parameter<Integer> BATCH = Parameter.count("batch", 1, 1, MAX_BATCH)
            .words("Batch", "Inputs per run of the network")
            .option("--batch", "N")
            .when(OF_NETWORK, MEASURED);
    /// Extents that the file leaves open.
    public static final Parameter<Map<String, Long>> EXTENTS = DIMS.when(OF_NETWORK, MEASURED);
    /// Which ways of computing a kernel are tuned.
    public static final Parameter<Ways> TEMPLATES = Parameter.choice(
                    "templates",
                    Ways.FIRST,
                    "The first",
                    "All (direct, Winograd)",
                    "Sketches instead of templates",
                    "Tensor cores (16-bit inputs, CUDA)")
            .words("Templates", "Which ways of computing a task are tuned")
            .option(new CommandOption(
                    List.of(),
                    "",
                    false,
                    List.of(
                            new CommandOption.Shorthand(
                                    "--all-templates",
                                    "all",
                                    "Tune every template of a kernel (direct and Winograd), not only the" + " first"),
                            new CommandOption.Shorthand(
                                    "--sketches",
                                    "sketches",
                                    "Tune sketches (schedules without templates) by any method; ansor and"
                                            + " gtuner always do"),
                            new CommandOption.Shorthand(
                                    "--tensor-cores",
                                    "tensor_cores",
                                    "Tune convolutions and products of 16-bit floats, summed in 32-bit ones, on tensor"
                                            + " cores (CUDA, compute capability 7.0 or newer)"))))
            .when(OF_NETWORK, MEASURED)
            .when(v -> !TuningMethod.has(method(v), TuningMethod::needsSketches), "this method tunes sketches only");
    /// True if kernels are measured with what the network fuses with them.
    public static final Parameter<Boolean> FUSED = Parameter.of(
                    "fused",
                    new ValueType.Flag("no", "yes", List.of("Nothing", "Bias, ReLU and residual, as in the network")),
                    Optional.of(true))
            .words("Fused operators", "What is measured together with a kernel")
            .option(new CommandOption(
                    List.of(),
                    "",
                    false,
                    List.of(new CommandOption.Shorthand(
                            "--bare",
                            "no",
                            "Measure kernels without what the network fuses with them (bias, ReLU, residual)"))))
            .when(OF_NETWORK, MEASURED);
    /// The features that cost models see: `knob`, `itervar` or `curve`.
    public static final Parameter<String> FEATURES = Parameter.of(
                    "features",
                    new ValueType.Choice<>(List.of(
                            new ValueType.Item<>("knob", "knob", "The knobs"),
                            new ValueType.Item<>("itervar", "itervar", "Loop by loop"),
                            new ValueType.Item<>("curve", "curve", "Relations between loops"))),
                    Optional.of("knob"))
            .at("run.features")
            .further()
            .words("Model sees", "What cost models see of a schedule")
            .option("--features", "NAME")
            .when(OF_NETWORK, "a measured set has no loop nest")
            .when(
                    v -> v.get(TEMPLATES) != Ways.SKETCHES && !TuningMethod.has(method(v), TuningMethod::needsSketches),
                    "sketches have features of their own");
    /// Most time of a start.
    public static final Parameter<Double> MINUTES = Parameter.real("minutes", 0, ValueType.from(0, 10_000_000))
            .at("run.minutes")
            .none("no limit")
            .unit("min")
            .words("Time limit", "Time limit per session")
            .option("--minutes", "N");
    /// An AutoTVM log whose records are known before the search begins, and not counted.
    public static final Parameter<String> LOG = Parameter.file("log")
            .at("import")
            .none("none")
            .further()
            .words(
                    "Known log",
                    "An AutoTVM log of the same device: what it has of the network's kernels is known before the"
                            + " search begins, and not counted")
            .option("--import", "FILE")
            .when(OF_NETWORK, MEASURED);
    /// A graph model that GTuner begins with; it begins with nothing where nothing is said.
    public static final Parameter<String> WEIGHTS = Parameter.file("weights.file")
            .at("")
            .none("none")
            .further()
            .words(
                    "Weights",
                    "A graph model of gtuner-train that gtuner begins with, else it learns from the run alone")
            .option("--weights", "FILE")
            .when(OF_NETWORK, MEASURED)
            .when(
                    v -> TuningMethod.has(method(v), TuningMethod::learnsGraph),
                    "only gtuner and its variants begin with weights");
    private static final Parameter<Long> WEIGHTS_CHECK = Parameter.of(
                    "weights.check", ValueType.whole(Long.MIN_VALUE, Long.MAX_VALUE), Optional.<Long>empty())
            .hidden();

    /// Everything that is declared of the work.
    public static final Parameters PARAMETERS = Parameters.of(
            NETWORK,
            BATCH,
            EXTENTS,
            TEMPLATES,
            FUSED,
            FEATURES,
            MINUTES,
            LOG,
            HistoryUse.FILE,
            HistoryUse.ROWS,
            WEIGHTS,
            WEIGHTS_CHECK);

    /// The device or model that times kernels.
    public static final Parameter<String> DEVICE = RunSettings.TOOLCHAIN
            .type(ValueType.text()
                    .at((text, move) -> EvaluatorKind.REPLAY.hasArgument(text) ? located(text, move) : text))
            .usually("model:gtx1080ti")
            .at("device")
            .words(
                    "Device",
                    "model:NAME (model:gtx1080ti and others), replay:FILE, opencl or cuda (opencl:N, cuda:N for the"
                            + " Nth, counted from 0), told[:NAME] for times that you tell (knobscape ask) of a device with"
                            + " the limits of NAME")
            .option("--device", "NAME");
    /// Measurements in all.
    public static final Parameter<Integer> TRIALS = RunSettings.STEPS
            .usually(0)
            .at("run.trials")
            .none("256 per kernel")
            .words("Trials", "Schedules measured or estimated in all")
            .option("--trials", "N");

    /// Everything that is declared of its runs.
    public static final Parameters RUN = RunSettings.parameters(
            RunSettings.METHOD.usually("transfer"),
            DEVICE,
            RunSettings.SEED,
            TRIALS,
            RunSettings.EARLY_STOP
                    .usually(400)
                    .unit("trials")
                    .words("Early stop", "A kernel is done after so many trials without a new best"),
            RunSettings.INITIAL.usually(1).hidden());

    private static String method(Values values) {
        return values.find(RunSettings.METHOD).orElse("");
    }

    /// The file of a source with another folder before it; a built-in network stays.
    private static String located(String text, UnaryOperator<String> path) {
        return EvaluatorKind.REPLAY
                .argument(text)
                .map(file -> EvaluatorKind.REPLAY.with(path.apply(file)))
                .orElseGet(() -> text.startsWith(NetworkNames.ZOO) ? text : path.apply(text));
    }

    /// A source with everything else by default.
    public static GpuSettings of(String source) {
        return new GpuSettings(PARAMETERS.usual().with(NETWORK, source));
    }

    /// Transfer (without a history the search by model) on the model of a GTX 1080 Ti, 256 measurements per
    /// kernel, early stop 400.
    public static RunSettings defaultRun() {
        return new RunSettings(RUN.usual());
    }

    @Override
    public GpuSettings of(Values other) {
        return new GpuSettings(other);
    }

    /// The same with another value of one setting. Throws [IllegalArgumentException] where it cannot be.
    public <T> GpuSettings with(Parameter<T> parameter, T value) {
        return new GpuSettings(values.with(parameter, value));
    }

    /// True if a measured set is tuned.
    public boolean isMeasured() {
        return EvaluatorKind.REPLAY.hasArgument(source());
    }

    /// Inputs per run of the network.
    public int batch() {
        return values.get(BATCH);
    }

    /// Extents that the file leaves open.
    public Map<String, Long> dims() {
        return values.get(DIMS);
    }

    /// Which ways of computing a kernel are tuned.
    public Ways templates() {
        return values.get(TEMPLATES);
    }

    /// True if kernels are measured without what the network fuses with them.
    public boolean isBare() {
        return !values.get(FUSED);
    }

    /// The features that cost models see.
    public String features() {
        return values.get(FEATURES);
    }

    /// Most time of a start in minutes, 0 for no limit.
    public double minutes() {
        return values.get(MINUTES);
    }

    /// An AutoTVM log that is known before.
    public Optional<String> log() {
        return values.find(LOG);
    }

    /// The history for methods that learn from earlier runs; empty for none.
    public Optional<HistoryUse> history() {
        return HistoryUse.in(values);
    }

    /// A graph model that GTuner begins with; empty to begin with nothing.
    public Optional<WeightsUse> weights() {
        return values.find(WEIGHTS).flatMap(f -> values.find(WEIGHTS_CHECK).map(c -> new WeightsUse(f, c)));
    }

    /// The same with what is learnt from.
    public GpuSettings history(Optional<HistoryUse> use) {
        return new GpuSettings(HistoryUse.put(values, use));
    }

    /// The same with a model to begin with.
    public GpuSettings weights(Optional<WeightsUse> use) {
        return new GpuSettings(
                values.with(WEIGHTS, use.map(WeightsUse::file)).with(WEIGHTS_CHECK, use.map(WeightsUse::check)));
    }

    @Override
    public List<String> inputs() {
        return log().stream().toList();
    }

    @Override
    public Map<String, String> facts() {
        return values.facts(NETWORK.words("Network", ""), BATCH);
    }
}
