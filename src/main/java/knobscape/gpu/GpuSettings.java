package knobscape.gpu;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import knobscape.gpu.source.TunableNetwork;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// What is tuned: the kernels of one network, or a measured set. The device is the run's toolchain, the
/// measurements its steps. Paths are relative to the project folder, or absolute.
///
/// @param source an ONNX, JSON or CSV file, `zoo:NAME`, or `replay:` and the file of a measured set, which is
/// its own task
/// @param batch inputs per run of the network
/// @param dims extents that an ONNX file leaves open (not the batch), by the name the file gives them or by
/// `INPUT:AXIS`
/// @param allTemplates whether every template of a task is tuned, not only the first
/// @param bare whether kernels are measured without what the network fuses behind them
/// @param features what cost models see: `knob`, `itervar` or `curve`
/// @param minutes most time of a start, 0 for no limit
/// @param log an AutoTVM log whose records are known before the search begins, and not counted
/// @param history what methods that learn from earlier runs see; empty for nothing
/// @param sketches whether kernels are computed by sketches instead of templates
/// @param weights a graph model that GTuner begins with; empty to begin with nothing
public record GpuSettings(
        String source,
        int batch,
        Map<String, Long> dims,
        boolean allTemplates,
        boolean bare,
        String features,
        double minutes,
        Optional<String> log,
        Optional<HistoryUse> history,
        boolean sketches,
        Optional<WeightsUse> weights)
        implements WorkSettings {
    /// What cost models can see.
    public static final List<String> FEATURES = List.of("knob", "itervar", "curve");
    /// Measurements per kernel where nothing is said.
    public static final int DEFAULT_TRIALS_PER_KERNEL = 256;

    /// Throws [IllegalArgumentException] naming the first impossible value.
    public GpuSettings {
        dims = dims == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(dims));
        log = log == null ? Optional.empty() : log;
        history = history == null ? Optional.empty() : history;
        weights = weights == null ? Optional.empty() : weights;
        if (batch < 1) {
            throw new IllegalArgumentException("the batch must be 1 or more, not " + batch);
        }
        if (!(minutes >= 0) || Double.isInfinite(minutes)) {
            throw new IllegalArgumentException("minutes must be 0 or more, not " + minutes);
        }
        if (!FEATURES.contains(features)) {
            throw new IllegalArgumentException(
                    "features must be one of " + String.join(", ", FEATURES) + ", not '" + features + "'");
        }
        if (source.startsWith(TunableNetwork.REPLAY) && !features.equals("knob")) {
            throw new IllegalArgumentException(
                    "a measured set has no loop nest: only the features knob can be used with it");
        }
        if (sketches && (allTemplates || !features.equals("knob"))) {
            throw new IllegalArgumentException(
                    "all templates and the features itervar and curve are for templates, not for sketches");
        }
    }

    /// Settings of templates, without a history.
    public GpuSettings(
            String source,
            int batch,
            Map<String, Long> dims,
            boolean allTemplates,
            boolean bare,
            String features,
            double minutes,
            Optional<String> log) {
        this(
                source,
                batch,
                dims,
                allTemplates,
                bare,
                features,
                minutes,
                log,
                Optional.empty(),
                false,
                Optional.empty());
    }

    /// A source with everything else by default.
    public static GpuSettings of(String source) {
        return new GpuSettings(source, 1, Map.of(), false, false, "knob", 0, Optional.empty());
    }

    /// Transfer (without a history the search by model) on the model of a GTX 1080 Ti, 256 measurements per
    /// kernel, early stop 400.
    public static RunSettings defaultRun() {
        return RunSettings.of("transfer", "model:gtx1080ti", 0, 1, 400);
    }

    /// Whether a measured set is tuned.
    public boolean isMeasured() {
        return source.startsWith(TunableNetwork.REPLAY);
    }

    /// The file of the source with another folder before it; a built-in network stays.
    private String located(UnaryOperator<String> path) {
        if (source.startsWith("zoo:")) {
            return source;
        }
        return isMeasured()
                ? TunableNetwork.REPLAY + path.apply(source.substring(TunableNetwork.REPLAY.length()))
                : path.apply(source);
    }

    @Override
    public List<String> inputs() {
        return log.stream().toList();
    }

    @Override
    public GpuSettings stored(Place place) {
        return withPaths(place::stored);
    }

    /// The same with absolute paths.
    public GpuSettings absolute(Place place) {
        return withPaths(p -> place.resolve(p).toString());
    }

    private GpuSettings withPaths(UnaryOperator<String> path) {
        return new GpuSettings(
                located(path),
                batch,
                dims,
                allTemplates,
                bare,
                features,
                minutes,
                log.map(path),
                history,
                sketches,
                weights);
    }

    /// The same with another limit of time.
    public GpuSettings withMinutes(double value) {
        return new GpuSettings(
                source, batch, dims, allTemplates, bare, features, value, log, history, sketches, weights);
    }

    /// The same with extents that the file leaves open.
    public GpuSettings withDims(Map<String, Long> values) {
        return new GpuSettings(
                source, batch, values, allTemplates, bare, features, minutes, log, history, sketches, weights);
    }

    /// The same with what is learnt from.
    public GpuSettings withHistory(Optional<HistoryUse> use) {
        return new GpuSettings(source, batch, dims, allTemplates, bare, features, minutes, log, use, sketches, weights);
    }

    /// The same by sketches or by templates.
    public GpuSettings withSketches(boolean use) {
        return new GpuSettings(source, batch, dims, allTemplates, bare, features, minutes, log, history, use, weights);
    }

    /// The same with a model to begin with.
    public GpuSettings withWeights(Optional<WeightsUse> use) {
        return new GpuSettings(source, batch, dims, allTemplates, bare, features, minutes, log, history, sketches, use);
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("network", source);
        facts.put("batch", Integer.toString(batch));
        return facts;
    }

    @Override
    public List<String> options(WorkSettings project, Place place) {
        var words = new ArrayList<String>();
        if (isMeasured()) {
            words.addAll(List.of("--device", absolute(place).source));
        } else {
            words.addAll(List.of("--batch", "" + batch, "--features", features));
        }
        dims.forEach((name, extent) -> words.addAll(List.of("--dim", name + "=" + extent)));
        if (allTemplates) {
            words.add("--all-templates");
        }
        if (sketches) {
            words.add("--sketches");
        }
        if (bare) {
            words.add("--bare");
        }
        if (minutes > 0) {
            words.addAll(List.of("--minutes", "" + minutes));
        }
        history.ifPresent(h -> words.addAll(List.of("--history", h.file())));
        weights.ifPresent(w -> words.addAll(List.of("--weights", w.file())));
        log.ifPresent(l -> words.addAll(List.of("--import", place.resolve(l).toString())));
        return words;
    }
}
