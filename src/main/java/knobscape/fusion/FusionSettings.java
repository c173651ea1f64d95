package knobscape.fusion;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.source.ByteSize;
import knobscape.network.ImportedNetwork;
import knobscape.network.source.NetworkSource;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.parameter.CommandOption;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;

/// The optimised work: the fusion of one network's layers on one accelerator. Paths are relative to the project
/// folder, or absolute.
///
/// @param values of [#PARAMETERS]
public record FusionSettings(Values values) implements WorkSettings {
    /// Most samples: every number of them is a value of every knob, which a run stores and searches.
    public static final int MAX_BATCH = 4096;
    /// Begins the name of a built-in network.
    public static final String ZOO = "zoo:";

    /// An ONNX, JSON or CSV file, or `zoo:NAME`.
    public static final Parameter<String> NETWORK =
            SOURCE.type(ValueType.text().at((text, move) -> text.startsWith(ZOO) ? text : move.apply(text)));
    /// Name of a preset, or a JSON file.
    public static final Parameter<String> ACCELERATOR = Parameter.of(
                    "accelerator",
                    ValueType.text().at(FusionSettings::accelerator),
                    Optional.of(Accelerator.calibrated().name()))
            .words("Accelerator", "A built-in one (list prints them) or a JSON file")
            .option("--accelerator", "NAME|FILE");
    /// Room for activations in bytes, the accelerator's own where nothing is said.
    public static final Parameter<Long> BUFFER = Parameter.of(
                    "buffer",
                    new ValueType.TextForm<>(
                            text -> bytes(ByteSize.parse(text)),
                            FusionSettings::bytes,
                            ByteSize::text,
                            "a size from 1 byte such as 20MB, 512KiB or 4096B"),
                    Optional.<Long>empty())
            .none("the accelerator's")
            .words("Buffer", "On-chip room for activations, for example 20MB")
            .option("--buffer", "SIZE");
    /// Samples of the paper, for networks that name none.
    public static final int USUAL_BATCH = 64;
    /// Samples; where nothing is said those of the file, else [#USUAL_BATCH]. The paper's model takes no file's.
    public static final Parameter<Integer> BATCH = Parameter.of(
                    "batch", ValueType.count(1, MAX_BATCH), Optional.<Integer>empty())
            .none("the file's, else 64")
            .words("Batch", "Samples")
            .option("--batch", "N");
    /// How searchers see strategies that do not fit.
    public static final Parameter<Constraint> CONSTRAINT = Parameter.choice(
                    "constraint",
                    Constraint.LEXI,
                    "Equally bad",
                    "Behind what fits, by memory",
                    "Time times memory above the buffer")
            .at("run.constraint")
            .further()
            .words("Too large", "How a search sees strategies that do not fit the buffer")
            .option("--constraint", "NAME");

    /// Cost models.
    public enum CostModelKind {
        /// That of the DNNFuser paper: micro-batches, a memory of its own for weights.
        PAPER,
        /// Strips of rows on one buffer.
        STRIPS
    }

    /// The cost model of a strategy. Files that say nothing were made when there was the paper's model only.
    public static final Parameter<CostModelKind> COST_MODEL = Parameter.of(
                    "costModel",
                    ValueType.choice(CostModelKind.class, "The paper's", "Strips on one buffer"),
                    Optional.<CostModelKind>empty())
            .none("as the method needs")
            .words(
                    "Cost model",
                    "strips: strips of rows on one buffer, exact for every network; paper: micro-batches as in the DNNFuser paper")
            .option("--cost-model", "NAME");

    /// The objective of the answer in strips.
    public static final Parameter<Objective> OBJECTIVE = Parameter.choice(
                    "objective", Objective.TIME, "Time", "Off-chip traffic", "Energy", "Room on chip")
            .at("strips.objective")
            .words("Least", "What the answer in strips makes least: time, traffic, energy or room")
            .option("--objective", "NAME");
    /// True if the exact front belongs to the answer in strips.
    public static final Parameter<Boolean> PARETO = Parameter.flag("pareto", false)
            .at("strips.pareto")
            .words(
                    "Pareto front",
                    "Beside the answer in strips the exact front of time and off-chip traffic, and the best answers of smaller buffers")
            .option(
                    new CommandOption(
                            List.of(),
                            "",
                            false,
                            List.of(
                                    new CommandOption.Shorthand(
                                            "--pareto",
                                            "yes",
                                            "Beside the answer in strips the exact front of time and off-chip traffic, and the best answers of smaller buffers"))));

    /// A trained model, which becomes part of the method's name.
    public static final Parameter<String> MODEL = Parameter.file("model")
            .at("")
            .none("the one that ships")
            .words("", "A trained model for the methods dnnfuser and seq2seq, as fusion-train writes it")
            .option("--model", "FILE");

    /// Everything that is declared of the work.
    public static final Parameters PARAMETERS = Parameters.of(
            NETWORK, ACCELERATOR, BUFFER, BATCH, WorkSettings.DIMS, CONSTRAINT, COST_MODEL, OBJECTIVE, PARETO, MODEL);

    /// Strategies that a search evaluates.
    public static final Parameter<Integer> EVALUATIONS = RunSettings.STEPS
            .type(ValueType.count(1, FusionWorkbench.MOST_EVALUATIONS))
            .usually(Mapping.EVALUATIONS)
            .at("run.evaluations")
            .words("Evaluations", "Most strategies that a search evaluates")
            .option("--evaluations", "N");

    /// Everything that is declared of its runs.
    public static final Parameters RUN = RunSettings.parameters(
            RunSettings.METHOD.usually(FusionMethods.AUTO),
            RunSettings.TOOLCHAIN
                    .usually(FusionEvaluator.NAME)
                    .at("")
                    .words("Evaluator", "cost-model, or told for results that you tell (knobscape ask)"),
            RunSettings.SEED,
            EVALUATIONS,
            RunSettings.INITIAL.usually(1).hidden(),
            RunSettings.EARLY_STOP.usually(0).hidden());

    private static String accelerator(String name, UnaryOperator<String> move) {
        return Accelerator.preset(name).isPresent() ? name : move.apply(name);
    }

    private static Long bytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
        }
        return bytes;
    }

    /// Everything by default for one network.
    public static FusionSettings of(String source) {
        return new FusionSettings(PARAMETERS.usual().with(NETWORK, source));
    }

    @Override
    public FusionSettings of(Values other) {
        return new FusionSettings(other);
    }

    /// The same with another value of one setting. Throws [IllegalArgumentException] where it cannot be.
    public <T> FusionSettings with(Parameter<T> parameter, T value) {
        return new FusionSettings(values.with(parameter, value));
    }

    /// Name of the accelerator's preset, or a JSON file.
    public String accelerator() {
        return values.get(ACCELERATOR);
    }

    /// Room for activations in bytes, the accelerator's own where empty.
    public Optional<Long> buffer() {
        return values.find(BUFFER);
    }

    /// Samples.
    public int batch() {
        return values.find(BATCH).orElse(USUAL_BATCH);
    }

    /// The objective of the answer in strips.
    public Objective objective() {
        return values.get(OBJECTIVE);
    }

    /// True if the exact front belongs to the answer in strips.
    public boolean isFrontAsked() {
        return values.get(PARETO);
    }

    /// True if strategies run in strips on one buffer.
    public boolean isStrips() {
        return costModel() == CostModelKind.STRIPS;
    }

    /// How searchers see strategies that do not fit.
    public Constraint constraint() {
        return values.get(CONSTRAINT);
    }

    /// The cost model of a strategy.
    public CostModelKind costModel() {
        return values.find(COST_MODEL).orElse(CostModelKind.PAPER);
    }

    /// The same for a method: in strips where it answers in them and nothing else is said. Throws [UserError] for one
    /// that
    /// works in the paper's model where strips are named.
    public FusionSettings forMethod(String method) {
        boolean named = values.find(COST_MODEL).isPresent();
        boolean strips = FusionMethods.isOfStrips(method);
        if (named && isStrips() && !strips) {
            throw new UserError("The method " + method
                    + " works in the paper's model; choose that as the cost model, or the method Automatic.");
        }
        return named ? this : with(COST_MODEL, strips ? CostModelKind.STRIPS : CostModelKind.PAPER);
    }

    /// Extents that an ONNX file leaves open (not the batch), by the name the file gives them or by `INPUT:AXIS`.
    public Map<String, Long> dims() {
        return values.get(DIMS);
    }

    @Override
    public List<String> inputs() {
        return List.of(accelerator());
    }

    @Override
    public Map<String, String> facts() {
        return values.facts(
                NETWORK.words("Network", ""),
                ACCELERATOR,
                BUFFER,
                BATCH,
                isStrips() ? OBJECTIVE : CONSTRAINT,
                COST_MODEL);
    }

    /// True if the network is built in.
    public boolean isBuiltIn() {
        return source().startsWith(ZOO);
    }

    /// The source as [NetworkSource] takes it; a relative path starts at `place`.
    String source(WorkLocation place) {
        return isBuiltIn() ? source() : place.resolve(source()).toString();
    }

    /// Reads the network for one sample. Throws [UserError] for whatever is wrong with it.
    ImportedNetwork network(WorkLocation place) {
        return NetworkSource.read(source(place), 1, dims());
    }

    /// The accelerator with the buffer of these settings. Throws [UserError] where there is none.
    Accelerator accelerator(WorkLocation place) {
        Accelerator named = AcceleratorFile.named(accelerator(), place.folder());
        return buffer().map(named::withBuffer).orElse(named);
    }
}
