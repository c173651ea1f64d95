package knobscape.project.tune;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import knobscape.evaluate.UserError;
import knobscape.gpu.GpuSettings;
import knobscape.project.Project;
import knobscape.work.RunSettings;
import knobscape.hls.Toolchains;

/// How to tune.
///
/// @param network file or `zoo:NAME`; empty for a measured set, which is its own task
/// @param method one of [knobscape.gpu.search.TuningMethod#standard()]
/// @param device `model:NAME`, `replay:FILE`, ...
/// @param trials measurements in all, 0 for [#DEFAULT_TRIALS_PER_TASK] per task
/// @param minutes most time, 0 for no limit
/// @param earlyStop a task ends after so many measurements without a new best, 0 never
/// @param batch networks inputs per run
/// @param allTemplates whether every template of a task is tuned, not only the first
/// @param features what cost models see: `knob`, `itervar` or `curve`
/// @param seed of everything random
/// @param tails whether kernels are measured with what the network fuses behind them, as all are since there is a choice; runs stored before are bare
/// @param dims extents that an ONNX file leaves open (not the batch), by the name the file gives them or by `INPUT:AXIS`; runs stored before have none
public record TuneSettings(String network, String method, String device, int trials, double minutes, int earlyStop, int batch, boolean allTemplates, String features,
        long seed, boolean tails, Map<String, Long> dims) {
    /// What cost models can see.
    public static final List<String> FEATURES = List.of("knob", "itervar", "curve");
    /// Measurements per task where nothing is said.
    public static final int DEFAULT_TRIALS_PER_TASK = 256;
    /// Early stop of the papers.
    public static final int DEFAULT_EARLY_STOP = 400;

    public TuneSettings {
        dims = dims == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(dims));
        require(trials >= 0, "trials", trials);
        require(minutes >= 0 && Double.isFinite(minutes), "minutes", minutes);
        require(earlyStop >= 0, "early stop", earlyStop);
        require(batch >= 1, "batch", batch);
        if (!FEATURES.contains(features)) {
            throw new IllegalArgumentException("features must be one of " + String.join(", ", FEATURES) + ", not '" + features + "'");
        }
    }

    /// Kernels with their tails.
    public TuneSettings(String network, String method, String device, int trials, double minutes, int earlyStop, int batch, boolean allTemplates, String features, long seed) {
        this(network, method, device, trials, minutes, earlyStop, batch, allTemplates, features, seed, true, Map.of());
    }

    /// Everything by default for one network.
    public static TuneSettings defaults(String network) {
        return new TuneSettings(network, "bted+bao", "model:gtx1080ti", 0, 0, DEFAULT_EARLY_STOP, 1, false, "knob", 1);
    }

    /// What a project says; files named relative to its folder stay so where its runs lie in it, so that both can move together. Throws [UserError] for a project of another kind,
    /// or impossible values.
    ///
    /// @param apart whether the runs lie elsewhere
    public static TuneSettings of(Project project, boolean apart) {
        GpuSettings g = project.file().work(GpuSettings.class);
        RunSettings r = project.file().run();
        String network = g.source().isEmpty() || g.source().startsWith("zoo:") || !apart ? g.source() : project.resolve(g.source()).toString();
        String device = Toolchains.measured(r.toolchain()).filter(f -> apart).map(f -> Toolchains.REPLAY + ":" + project.resolve(f)).orElse(r.toolchain());
        try {
            return new TuneSettings(network, r.method(), device, r.steps(), g.minutes(), r.earlyStop(), g.batch(), g.allTemplates(), g.features(), r.seed(), !g.bare(), Map.of());
        } catch (IllegalArgumentException e) {
            throw new UserError("The project '" + project.name() + "' cannot be tuned: " + e.getMessage() + ".", e);
        }
    }

    private static void require(boolean holds, String name, Number value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " cannot be " + value);
        }
    }

    /// The same with another budget.
    public TuneSettings withBudget(int newTrials, double newMinutes, int newEarlyStop) {
        return new TuneSettings(network, method, device, newTrials, newMinutes, newEarlyStop, batch, allTemplates, features, seed, tails, dims);
    }

    /// The same without tails.
    public TuneSettings bare() {
        return new TuneSettings(network, method, device, trials, minutes, earlyStop, batch, allTemplates, features, seed, false, dims);
    }
}
