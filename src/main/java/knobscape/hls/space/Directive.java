package knobscape.hls.space;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// One directive of the vendor's tool, already decided.
public sealed interface Directive {

    /// Pipelines a loop. `enabled` false is an explicit `off`.
    ///
    /// @param loop loop id
    /// @param interval target initiation interval, 0 leaves it to the tool
    record Pipeline(String loop, boolean enabled, int interval) implements Directive {}

    /// Unrolls a loop by `factor`; factor 1 is an explicit "do not", 0 is complete.
    record Unroll(String loop, int factor) implements Directive {}

    /// Partitions one dimension of an array.
    ///
    /// @param array array id
    /// @param dimension 1-based, outermost is 1
    /// @param factor banks; ignored for [PartitionType#COMPLETE]
    record Partition(String array, int dimension, PartitionType type, int factor) implements Directive {}

    /// Reshapes one dimension of an array into wider words.
    record Reshape(String array, int dimension, PartitionType type, int factor) implements Directive {}

    /// Inlines a function, or forbids it.
    record Inline(String function, boolean enabled) implements Directive {}

    /// Task-level pipelining of a function's or loop's body (`scope` is a function name or a loop id).
    record Dataflow(String scope) implements Directive {}

    /// Merges a perfect nest into one loop, or forbids it.
    record Flatten(String loop, boolean enabled) implements Directive {}

    /// Binds every multiplication of a function to DSP blocks or to LUTs.
    record BindMultiplier(String function, Core core) implements Directive {}

    /// Binds the operations behind a variable's value to DSP blocks or to LUTs: all floating-point additions and
    /// multiplications of the expression, or, of integers, the one whose result the variable takes.
    ///
    /// @param scope loop id, or function name for statements outside of loops
    /// @param operation `add`, `sub`, `mul`, `dadd`, `dmul`, `fadd`, ..
    record BindOperation(String scope, String variable, String operation, Core core) implements Directive {}

    /// Binds an array's storage.
    record BindStorage(String array, Storage storage) implements Directive {}

    /// Pipelines a function.
    ///
    /// @param interval target initiation interval, 0 leaves it to the tool
    record PipelineFunction(String function, int interval) implements Directive {}

    /// An argument of the top function behind an AXI master port.
    ///
    /// @param options of its INTERFACE pragma that are decided: `bundle`, lengths of bursts, outstanding requests
    record MasterPort(String array, Map<String, String> options) implements Directive {
        public MasterPort {
            options = Map.copyOf(options);
        }
    }

    /// Makes a queue so deep.
    ///
    /// @param words that it holds
    record Fifo(String array, int words) implements Directive {}

    /// Limits the multipliers of a function, of each kind of multiplication that it has.
    record Allocation(String function, int units) implements Directive {}

    /// The directive of a knob that stands for itself, whatever the other knobs are; empty where its value asks
    /// for nothing, and for knobs that depend on others.
    ///
    /// @param word the knob's name before `@`
    /// @param location what stands after it
    static Optional<Directive> of(String word, String location, String value) {
        boolean on = value.equals("on");
        boolean chosen = !value.equals("auto");
        return Optional.ofNullable(
                switch (word) {
                    case "inline" -> new Inline(location, on);
                    case "dataflow" -> on ? new Dataflow(location) : null;
                    case "multiplier" ->
                        chosen ? new BindMultiplier(location, Core.valueOf(value.toUpperCase(Locale.ROOT))) : null;
                    case "storage" ->
                        chosen ? new BindStorage(location, Storage.valueOf(value.toUpperCase(Locale.ROOT))) : null;
                    case "function_pipeline" ->
                        value.equals("off")
                                ? null
                                : new PipelineFunction(location, on ? 0 : Integer.parseInt(value.substring(3)));
                    case "bundle" -> new MasterPort(location, Map.of("bundle", value));
                    case "burst" ->
                        chosen
                                ? new MasterPort(
                                        location,
                                        Map.of("max_read_burst_length", value, "max_write_burst_length", value))
                                : null;
                    case "outstanding" ->
                        chosen
                                ? new MasterPort(
                                        location, Map.of("num_read_outstanding", value, "num_write_outstanding", value))
                                : null;
                    case "fifo" -> chosen ? new Fifo(location, Integer.parseInt(value)) : null;
                    case "allocation" -> chosen ? new Allocation(location, Integer.parseInt(value)) : null;
                    default -> null;
                });
    }

    /// The same with what is decided about one AXI master port in one directive: the tool takes one INTERFACE for a
    /// port.
    static List<Directive> joined(List<Directive> directives) {
        var all = new ArrayList<Directive>();
        var at = new HashMap<String, Integer>();
        for (Directive d : directives) {
            if (d instanceof MasterPort p) {
                Integer before = at.putIfAbsent(p.array(), all.size());
                if (before != null) {
                    var options = new HashMap<>(((MasterPort) all.get(before)).options());
                    options.putAll(p.options());
                    all.set(before, new MasterPort(p.array(), options));
                    continue;
                }
            }
            all.add(d);
        }
        return List.copyOf(all);
    }

    /// How an array is split.
    enum PartitionType {
        CYCLIC,
        BLOCK,
        COMPLETE
    }

    /// The core that implements a multiplication.
    enum Core {
        AUTO,
        DSP,
        FABRIC
    }

    /// The storage that implements an array.
    enum Storage {
        AUTO,
        BRAM_1P,
        BRAM_2P,
        /// One port to write and as many to read as are asked for.
        BRAM_1WNR,
        LUTRAM,
        URAM
    }
}
