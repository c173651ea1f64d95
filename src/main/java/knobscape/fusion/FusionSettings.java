package knobscape.fusion;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;
import knobscape.work.Place;
import knobscape.work.WorkSettings;

/// What is optimised: the fusion of one network's layers on one accelerator. Paths are relative to the project
/// folder, or absolute.
///
/// @param source an ONNX, JSON or CSV file, or `zoo:NAME`
/// @param accelerator name of a preset, or a JSON file
/// @param buffer room for activations in bytes, the accelerator's own where empty
/// @param constraint how searchers see strategies that do not fit
/// @param dims extents that an ONNX file leaves open (not the batch), by the name the file gives them or by
/// `INPUT:AXIS`
public record FusionSettings(
        String source,
        String accelerator,
        Optional<Long> buffer,
        int batch,
        Constraint constraint,
        Map<String, Long> dims)
        implements WorkSettings {
    /// Samples where nothing is said: those of the paper.
    public static final int DEFAULT_BATCH = 64;
    /// Most samples: every number of them is a value of every knob, which a run stores and searches.
    public static final int MAX_BATCH = 4096;
    /// Begins the name of a built-in network.
    public static final String ZOO = "zoo:";

    /// Throws [IllegalArgumentException] naming the first impossible value.
    public FusionSettings {
        dims = Collections.unmodifiableMap(new TreeMap<>(dims));
        if (batch < 1 || batch > MAX_BATCH) {
            throw new IllegalArgumentException("the batch must be 1 to " + MAX_BATCH + ", not " + batch);
        }
        if (buffer.isPresent() && buffer.get() < 1) {
            throw new IllegalArgumentException("the buffer must be at least 1 byte, not " + buffer.get());
        }
    }

    /// Everything by default for one network.
    public static FusionSettings of(String source) {
        return new FusionSettings(
                source, Accelerator.calibrated().name(), Optional.empty(), DEFAULT_BATCH, Constraint.LEXI, Map.of());
    }

    @Override
    public List<String> inputs() {
        return List.of(accelerator);
    }

    @Override
    public FusionSettings stored(Place place) {
        return new FusionSettings(
                isBuiltIn() ? source : place.stored(source),
                Accelerator.preset(accelerator).isPresent() ? accelerator : place.stored(accelerator),
                buffer,
                batch,
                constraint,
                dims);
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("network", source);
        facts.put("accelerator", accelerator);
        buffer.ifPresent(b -> facts.put("buffer", ByteSize.text(b)));
        facts.put("batch", Integer.toString(batch));
        facts.put("constraint", constraint.name().toLowerCase(Locale.ROOT));
        return facts;
    }

    @Override
    public List<String> options(WorkSettings project, Place place) {
        var words = new ArrayList<>(List.of(
                "--accelerator",
                Accelerator.preset(accelerator).isPresent()
                        ? accelerator
                        : place.resolve(accelerator).toString()));
        buffer.ifPresent(b -> words.addAll(List.of("--buffer", ByteSize.text(b))));
        dims.forEach((name, extent) -> words.addAll(List.of("--dim", name + "=" + extent)));
        words.addAll(
                List.of("--batch", "" + batch, "--constraint", constraint.name().toLowerCase(Locale.ROOT)));
        return words;
    }

    /// Whether the network is built in.
    public boolean isBuiltIn() {
        return source.startsWith(ZOO);
    }

    /// The same for a network that is named otherwise.
    public FusionSettings withSource(String name) {
        return new FusionSettings(name, accelerator, buffer, batch, constraint, dims);
    }

    /// The same on another accelerator.
    public FusionSettings withAccelerator(String name) {
        return new FusionSettings(source, name, buffer, batch, constraint, dims);
    }

    /// The same with another buffer.
    public FusionSettings withBuffer(long bytes) {
        return new FusionSettings(source, accelerator, Optional.of(bytes), batch, constraint, dims);
    }

    /// The same with another batch.
    public FusionSettings withBatch(int samples) {
        return new FusionSettings(source, accelerator, buffer, samples, constraint, dims);
    }

    /// The same with another view of strategies that do not fit.
    public FusionSettings withConstraint(Constraint value) {
        return new FusionSettings(source, accelerator, buffer, batch, value, dims);
    }

    /// The same with extents that the file leaves open.
    public FusionSettings withDims(Map<String, Long> values) {
        return new FusionSettings(source, accelerator, buffer, batch, constraint, values);
    }
}
