package knobscape.hls;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import knobscape.evaluate.EvaluatorKind;
import knobscape.explore.Termination;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Calibration;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.ToolDefaults;
import knobscape.hls.evaluate.estimator.ToolProfile;
import knobscape.hls.evaluate.estimator.TripBasis;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.export.ToolVersion;
import knobscape.hls.open.OpenFlow;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.Pruning;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.parameter.CommandOption;
import knobscape.work.parameter.NamedValues;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.TextList;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;
import knobscape.work.tool.ToolSettings;

/// The work of the area: one kernel with one top function on one part. Paths are relative to the project folder, or
/// absolute.
///
/// @param values of [#PARAMETERS]
public record HlsSettings(Values values) implements WorkSettings {
    private static final Predicate<Values> RUNS_TOOLS =
            v -> toolchain(v).isEmpty() || VendorTools.isTool(toolchain(v)) || OpenFlow.OPEN.isOf(toolchain(v));
    private static final Set<String> MATTER_TO_ESTIMATES =
            Set.of(ToolOptions.FLOW.name(), ToolOptions.VERSION.name(), ToolOptions.TESTBENCH.name());
    private static final String NO_TOOL = "the toolchain runs no tool";

    /// Main C or C++ file; or the CSV file of measured designs, of which nothing else is needed.
    public static final Parameter<String> FILE = SOURCE;
    /// Top function, guessed where nothing is said.
    public static final Parameter<String> TOP =
            Parameter.text("top").none("guessed").words("", "Top function").option("--top", "FUNCTION");
    /// Folders searched for headers.
    public static final Parameter<List<String>> INCLUDES = Parameter.texts(
                    "includeDirs", new TextList(ValueType.text().at((text, move) -> move.apply(text)), ",", false))
            .words("", "Folder searched for headers; may be repeated")
            .option(new CommandOption(List.of("-I", "--include"), "DIR", true, List.of()));
    /// Further sources of the kernel.
    public static final Parameter<List<String>> SOURCES = Parameter.texts(
                    "sources", new TextList(ValueType.text().at((text, move) -> move.apply(text)), ",", false))
            .words("", "Further source of the kernel, read where it holds what is called; may be repeated")
            .option(new CommandOption(List.of("--also"), "FILE", true, List.of()));

    private static final Pattern MACRO = Pattern.compile("[A-Za-z_]\\w*(\\([\\w, .]*\\))?");

    /// Macros given from outside.
    public static final Parameter<Map<String, String>> DEFINES = Parameter.of(
                    "defines", NamedValues.texts(), Optional.of(Map.<String, String>of()))
            .words("", "Macro given from outside; may be repeated")
            .option(new CommandOption(List.of("-D", "--define"), "NAME[=VALUE]", true, List.of()));
    /// YAML file that says what the knobs are; the default knobs where nothing is said.
    public static final Parameter<String> DIRECTIVES = Parameter.file("directives")
            .words("", "YAML file that names knobs and factors")
            .option("--directives", "FILE");
    /// Name of the FPGA part, the default part where nothing is said.
    public static final Parameter<String> PART = Parameter.of(
                    "part",
                    ValueType.text()
                            .that(HlsSettings::isPart, "the name of a part, a device or a board")
                            .suggesting(
                                    () -> Part.all().stream().map(Part::name).toList()),
                    Optional.<String>empty())
            .none(Part.DEFAULT)
            .words("Part", "FPGA part")
            .option("--part", "NAME");
    /// Target clock period in nanoseconds.
    public static final Parameter<Double> CLOCK = Parameter.real("clockNs", 10, ValueType.above(0, 1_000_000_000))
            .unit("ns")
            .words("Clock", "Target clock period")
            .option("--clock", "NS");
    /// Which number of iterations counts where it depends on data.
    public static final Parameter<TripBasis> TRIPS = Parameter.choice("trips", TripBasis.USUAL)
            .further()
            .words(
                    "Iterations",
                    "Which number counts for loops whose number of iterations depends on data (LOOP_TRIPCOUNT, a"
                            + " testbench): usual is the mean where one is known, else the largest; worst, mean and best"
                            + " are as in the tool's reports")
            .option("--trips", "WORD");
    /// Files of directives (Tcl, configuration, source with pragmas), whose designs are evaluated first.
    public static final Parameter<List<String>> STARTS = Parameter.texts(
                    "starts", new TextList(ValueType.text().at((text, move) -> move.apply(text)), ",", false))
            .at("start")
            .words(
                    "",
                    "A design to evaluate first: a Tcl directive file, a configuration file (.cfg) or the source with"
                            + " pragmas; may be repeated. 'space --import FILE' shows how it is read")
            .option("--start", "FILE");
    /// The treatment of configurations that the rules dislike.
    public static final Parameter<Pruning> PRUNING = Parameter.choice("search.pruning", Pruning.HARD)
            .further()
            .words(
                    "Pruning",
                    "What becomes of configurations that the pruning rules rate as poor: hard leaves them out, soft"
                            + " keeps them in the space and lets cgp expect less of them")
            .option("--pruning", "WORD");
    /// True if the built-in (calibrated) estimate is the prior mean of the surrogate.
    public static final Parameter<Boolean> PRIOR = Parameter.of(
                    "search.estimatePrior",
                    new ValueType.Flag("none", "estimate", List.of("none", "estimate")),
                    Optional.of(false))
            .further()
            .words(
                    "Prior mean",
                    "What cgp expects of a design before anything is measured: estimate for what the built-in"
                            + " estimator says (calibrated, where the project is), or none")
            .option("--prior", "WORD")
            .when(
                    v -> !toolchain(v).equals(EstimatorEvaluator.NAME),
                    "the prior mean says nothing new where the estimator evaluates");

    /// True if rewritten sources are explored beside the one that is there.
    public static final Parameter<Boolean> TRANSFORM = Parameter.of(
                    "search.transform", new ValueType.Flag("off", "on", List.of("off", "on")), Optional.of(false))
            .further()
            .words(
                    "Rewritten sources",
                    "Whether the source may be rewritten too: loops of a nest interchanged or tiled, sums split into"
                            + " partial sums, arrays behind AXI ports copied to local ones, where dependences allow it and"
                            + " a run shows that the same is computed")
            .option("--transform", "WORD");

    /// Clock periods (ns) that designs may be built for, as a knob.
    public static final Parameter<List<String>> CLOCKS = Parameter.texts(
                    "search.clocks",
                    new TextList(
                            ValueType.text().that(HlsSettings::isPeriod, "periods from 1 to 1000 ns, such as 7,10,14"),
                            ",",
                            true))
            .further()
            .none("the target clock alone")
            .unit("ns")
            .words(
                    "Clocks",
                    "Clock periods that each design may be built for, a knob of the space: operators get the stages"
                            + " that the period asks for, so that cycles and MHz are traded")
            .option("--clocks", "NS,...");

    /// Everything that is declared of the work.
    public static final Parameters PARAMETERS = Parameters.of(
                    FILE,
                    TOP,
                    DIRECTIVES,
                    PART,
                    CLOCK,
                    CLOCKS,
                    TRIPS,
                    PRUNING,
                    PRIOR,
                    TRANSFORM,
                    INCLUDES,
                    SOURCES,
                    DEFINES,
                    STARTS)
            .and(ToolSettings.PARAMETERS
                    .and(ToolOptions.PARAMETERS)
                    .when(p -> !MATTER_TO_ESTIMATES.contains(p.name()), RUNS_TOOLS, NO_TOOL))
            .rule(
                    DEFINES,
                    v -> v.get(DEFINES).keySet().stream().allMatch(MACRO.asMatchPredicate()),
                    "names of macros (letters, digits, _), with = and a value where they have one");

    /// The settings that say which kernel is opened, for every verb that opens one.
    public static final Parameters KERNEL = new Parameters(
            PARAMETERS.list().stream()
                    .filter(p -> Set.of(
                                    TOP,
                                    DIRECTIVES,
                                    PART,
                                    CLOCK,
                                    CLOCKS,
                                    TRIPS,
                                    PRUNING,
                                    TRANSFORM,
                                    INCLUDES,
                                    SOURCES,
                                    DEFINES,
                                    ToolOptions.FLOW,
                                    ToolOptions.VERSION,
                                    ToolOptions.TESTBENCH)
                            .stream()
                            .anyMatch(k -> k.name().equals(p.name())))
                    .toList(),
            List.of());

    /// The toolchain that evaluates designs.
    public static final Parameter<String> TOOLCHAIN = RunSettings.TOOLCHAIN
            .type(ValueType.text().at(HlsSettings::located))
            .usually(EstimatorEvaluator.NAME)
            .words(
                    "Toolchain",
                    "Evaluator: estimator; open[:xc7|:FOLDER] for true hardware by open tools; vitis[:FOLDER] for"
                            + " AMD's tools; command:FILE for a program of your own; told[:FILE] for results that you tell"
                            + " (knobscape ask)");

    /// Everything that is declared of its runs. Initial designs are those of Sun et al.; a run ends where the
    /// method expects too little of another design, and neither after 40 steps nor after five without gain, as
    /// theirs do: that leaves most of what `cgp` finds unfound.
    public static final Parameters RUN = RunSettings.parameters(
            RunSettings.METHOD.usually("cgp"),
            TOOLCHAIN,
            RunSettings.SEED,
            RunSettings.INITIAL,
            RunSettings.GOAL,
            RunSettings.STEPS
                    .type(ValueType.limit(0, RunSettings.MOST_STEPS))
                    .usually(RunSettings.MOST_STEPS)
                    .none("no limit")
                    .words(
                            "Steps",
                            "Most optimisation steps after the initial designs (0: these alone): questions to the"
                                    + " method, one for every design that comes back; a method that does not say what it"
                                    + " expects of another hour takes "
                                    + RunPlan.PUBLISHED_STEPS + " where nothing else ends its run"),
            RunSettings.PARALLEL,
            RunSettings.EARLY_STOP.usually(0),
            RunSettings.LEAST_GAIN.usually(Termination.LEAST_PROMISE),
            RunSettings.HOURS,
            RunSettings.DESIGNS,
            RunSettings.OBJECTIVES,
            RunSettings.WAIT);

    private static String toolchain(Values values) {
        return values.find(RunSettings.TOOLCHAIN).orElse("");
    }

    /// A toolchain with the file or folder that it names moved.
    private static String located(String toolchain, UnaryOperator<String> move) {
        EvaluatorKind kind = EvaluatorKind.of(toolchain);
        return kind.argument(toolchain)
                .filter(_ -> VendorTools.isTool(toolchain))
                .map(f -> kind.with(move.apply(f)))
                .orElse(toolchain);
    }

    /// Everything by default for one source file.
    public static HlsSettings of(String source) {
        return new HlsSettings(PARAMETERS.usual().with(FILE, source));
    }

    @Override
    public HlsSettings of(Values other) {
        return new HlsSettings(other);
    }

    /// The same with another value of one setting. Throws [IllegalArgumentException] where it cannot be.
    public <T> HlsSettings with(Parameter<T> parameter, T value) {
        return new HlsSettings(values.with(parameter, value));
    }

    /// Top function, guessed where empty.
    public Optional<String> top() {
        return values.find(TOP);
    }

    /// Folders searched for headers.
    public List<String> includeDirs() {
        return values.get(INCLUDES);
    }

    /// Macros given from outside.
    public Map<String, String> defines() {
        return values.get(DEFINES);
    }

    /// The directive file.
    public Optional<String> directives() {
        return values.find(DIRECTIVES);
    }

    /// Name of the FPGA part, the default part where empty.
    public Optional<String> part() {
        return values.find(PART);
    }

    /// Target clock period in nanoseconds.
    public double clockNs() {
        return values.get(CLOCK);
    }

    /// Clock periods that are a knob; empty where [#clockNs] is that of all designs.
    public List<Double> clocks() {
        return values.get(CLOCKS).stream().map(Double::valueOf).toList();
    }

    /// Throws [knobscape.evaluate.UserError] naming the closest ones where it is none.
    private static boolean isPart(String name) {
        return Part.nearest(name).part().lut() > 0;
    }

    private static boolean isPeriod(String text) {
        return text.matches("\\d{1,4}(\\.\\d{1,6})?")
                && Double.parseDouble(text) >= 1
                && Double.parseDouble(text) <= 1000;
    }

    /// How tools are run.
    public ToolSettings tool() {
        return new ToolSettings(values);
    }

    /// The options of a tool besides the design.
    public ToolOptions toolOptions() {
        return new ToolOptions(values);
    }

    /// Files of directives, whose designs are evaluated first.
    public List<String> starts() {
        return values.get(STARTS);
    }

    /// The treatment of configurations that the rules dislike.
    public Pruning pruning() {
        return values.get(PRUNING);
    }

    /// True if rewritten sources are explored too.
    public boolean isTransforming() {
        return values.get(TRANSFORM);
    }

    /// True if the built-in estimate is the prior mean of the surrogate.
    public boolean isEstimatePrior() {
        return values.get(PRIOR);
    }

    /// How the source is read.
    KernelReader.Options reading(WorkLocation place) {
        return new KernelReader.Options(
                top(),
                includeDirs().stream().map(place::resolve).toList(),
                defines(),
                values.get(SOURCES).stream().map(place::resolve).toList(),
                toolOptions().testbench().stream().map(place::resolve).toList());
    }

    /// Defaults of a version of the tool, as the estimator takes them.
    public static ToolDefaults unasked(ToolVersion v) {
        return new ToolDefaults(v.pipelineLoops(), v.partitions(), v.assertsDependence(), v.year());
    }

    /// How the built-in estimator works for this part and clock.
    ///
    /// @param runs folder of the runs, where a calibration may be
    public EstimatorSettings estimator(long seed, Path runs) {
        Optional<ToolVersion> version = toolOptions().version();
        boolean older = version.filter(v -> v.dialect() == Dialect.VIVADO_HLS).isPresent();
        ToolProfile profile = older
                ? ToolProfile.VIVADO_HLS_2018
                : flow() == Flow.VITIS ? ToolProfile.VITIS_KERNEL_2022 : ToolProfile.VITIS_HLS_2022;
        return EstimatorSettings.defaults()
                .withPart(Part.named(part()))
                .withClockNs(clockNs())
                .withProfile(profile)
                .withUnasked(version.map(HlsSettings::unasked).orElse(ToolDefaults.NOTHING))
                .withUncertainty(toolOptions()
                        .uncertainty()
                        .map(percent -> percent / 100)
                        .orElse(profile.uncertainty()))
                .withTripBasis(values.get(TRIPS))
                .withSeed(seed)
                .withCalibration(Calibration.in(runs));
    }

    /// The tool's flow for the kernel.
    public Flow flow() {
        return toolOptions().flow();
    }

    /// The same with the top function, part and clock that a directive file names, as far as it does.
    public HlsSettings refinedBy(DirectiveFile file) {
        return new HlsSettings(values.with(TOP, file.top().or(this::top))
                .with(PART, file.part().or(this::part))
                .with(CLOCK, file.clockNs().orElse(clockNs())));
    }

    /// CGP on the estimator until it expects too little of another hour, 8 initial designs, seed 1.
    public static RunSettings defaultRun() {
        return new RunSettings(RUN.usual());
    }

    /// The explored work: with the top function, part and clock that the directive file names. Throws
    /// [knobscape.evaluate.UserError] for a directive file that is not there or malformed.
    public HlsSettings effective(WorkLocation place) {
        return directives()
                .map(d -> refinedBy(DirectiveFile.read(place.resolve(d))))
                .orElse(this);
    }

    @Override
    public List<String> inputs() {
        return directives().stream().toList();
    }

    @Override
    public Map<String, String> facts() {
        return values.facts(PART, CLOCK);
    }
}
