package knobscape.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;
import org.jspecify.annotations.Nullable;

/// The directives that a row of measured designs was made with, from its knob columns. They are called as this
/// program calls its knobs (`unroll@function/label`, `partition_type@function/array#2`, `reshape@..`), or as in
/// published sets: without dimension, with `reshape_type@..` and `reshape_factor@..`, with
/// `bind_op@function/label/variable/op` and `bind_storage@function/array`. Columns of places that the source lacks,
/// and knobs without a directive here (balancing of expressions), are left out.
public final class MeasuredDirectives {
    private final Kernel kernel;

    /// For rows of this kernel.
    public MeasuredDirectives(Kernel kernel) {
        this.kernel = kernel;
    }

    /// The directives of a row, as `column -> value`.
    public List<Directive> of(Map<String, String> row) {
        var found = new ArrayList<Directive>();
        row.forEach((column, value) -> {
            int at = column.indexOf('@');
            if (at > 0) {
                Optional.ofNullable(one(column.substring(0, at), column.substring(at + 1), value, row))
                        .ifPresent(found::add);
            }
        });
        return found;
    }

    private @Nullable Directive one(String kind, String location, String value, Map<String, String> row) {
        int hash = location.lastIndexOf('#');
        String place = hash < 0 ? location : location.substring(0, hash);
        int dimension = hash < 0 ? 1 : number(location.substring(hash + 1));
        boolean said = !value.equals("none");
        boolean loop = kernel.loop(place).isPresent() && said;
        boolean array = kernel.array(place).isPresent() && said;
        boolean function = kernel.function(place).isPresent() && said;
        return switch (kind) {
            case "unroll" -> loop && !value.equals("1") ? new Directive.Unroll(place, number(value)) : null;
            case "pipeline" -> loop ? new Directive.Pipeline(place, !value.equals("off"), interval(value)) : null;
            case "flatten" -> loop ? new Directive.Flatten(place, value.equals("on")) : null;
            case "inline" -> function ? new Directive.Inline(place, value.equals("on")) : null;
            case "partition_type" ->
                array
                        ? new Directive.Partition(
                                place, dimension, type(value), factor("partition_factor@" + location, row))
                        : null;
            case "reshape_type" ->
                array
                        ? new Directive.Reshape(
                                place, dimension, type(value), factor("reshape_factor@" + location, row))
                        : null;
            case "reshape" ->
                array && !value.equals("1")
                        ? new Directive.Reshape(place, dimension, PartitionType.CYCLIC, number(value))
                        : null;
            case "bind_op" -> binding(place, value);
            case "bind_storage" ->
                array
                        ? storage(value)
                                .map(s -> new Directive.BindStorage(place, s))
                                .orElse(null)
                        : null;
            case "multiplier", "storage", "dataflow" ->
                function || array || loop ? Directive.of(kind, place, value).orElse(null) : null;
            default -> null;
        };
    }

    private static int interval(String value) {
        return value.startsWith("ii=") ? number(value.substring(3)) : 0;
    }

    /// `function/label/variable/op`.
    private static @Nullable Directive binding(String place, String value) {
        int op = place.lastIndexOf('/');
        int variable = place.lastIndexOf('/', op - 1);
        Core core = switch (value) {
            case "fabric" -> Core.FABRIC;
            case "dsp", "fulldsp", "primitivedsp" -> Core.DSP;
            default -> Core.AUTO;
        };
        return variable < 0
                ? null
                : new Directive.BindOperation(
                        place.substring(0, variable), place.substring(variable + 1, op), place.substring(op + 1), core);
    }

    private static Optional<Storage> storage(String value) {
        return Optional.ofNullable(
                switch (value) {
                    case "ram_1p:bram" -> Storage.BRAM_1P;
                    case "ram_2p:bram", "ram_s2p:bram", "ram_t2p:bram" -> Storage.BRAM_2P;
                    case "ram_1p:lutram", "ram_s2p:lutram", "ram_2p:lutram" -> Storage.LUTRAM;
                    default -> null;
                });
    }

    private static PartitionType type(String value) {
        return PartitionType.valueOf(value.toUpperCase(Locale.ROOT));
    }

    private static int factor(String column, Map<String, String> row) {
        return number(row.getOrDefault(column, "1"));
    }

    private static int number(String value) {
        return value.matches("\\d{1,6}") ? Integer.parseInt(value) : 1;
    }
}
