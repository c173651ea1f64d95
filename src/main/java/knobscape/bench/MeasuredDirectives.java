package knobscape.bench;

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

/// The directives that a row of measured designs was made with, from its knob columns: `unroll@function/label`,
/// `pipeline@..`, `flatten@..`, `partition_type@function/array` with `partition_factor@..`, `reshape_type@..`,
/// `bind_op@function/label/variable/op`, `bind_storage@function/array`, `inline@function`. Columns of places
/// that the source lacks, and knobs without a directive here (balancing of expressions), are left out.
final class MeasuredDirectives {
    private final Kernel kernel;

    MeasuredDirectives(Kernel kernel) {
        this.kernel = kernel;
    }

    /// The directives of a row, as `column -> value`.
    List<Directive> of(Map<String, String> row) {
        var found = new ArrayList<Directive>();
        row.forEach((column, value) -> {
            int at = column.indexOf('@');
            if (at > 0) {
                one(column.substring(0, at), column.substring(at + 1), value, row)
                        .ifPresent(found::add);
            }
        });
        return found;
    }

    private Optional<Directive> one(String kind, String place, String value, Map<String, String> row) {
        boolean none = value.equals("none");
        boolean loop = kernel.loop(place).isPresent();
        boolean array = kernel.array(place).isPresent();
        return Optional.ofNullable(
                switch (kind) {
                    case "unroll" -> loop && !value.equals("1") ? new Directive.Unroll(place, number(value)) : null;
                    case "pipeline" -> loop && !none ? new Directive.Pipeline(place, !value.equals("off"), 0) : null;
                    case "flatten" -> loop && !none ? new Directive.Flatten(place, value.equals("on")) : null;
                    case "inline" ->
                        kernel.function(place).isPresent() && !none
                                ? new Directive.Inline(place, value.equals("on"))
                                : null;
                    case "partition_type" ->
                        array && !none
                                ? new Directive.Partition(
                                        place, 1, type(value), factor("partition_factor@", place, row))
                                : null;
                    case "reshape_type" ->
                        array && !none
                                ? new Directive.Reshape(place, 1, type(value), factor("reshape_factor@", place, row))
                                : null;
                    case "bind_op" -> binding(place, value);
                    case "bind_storage" ->
                        array
                                ? storage(value)
                                        .map(s -> new Directive.BindStorage(place, s))
                                        .orElse(null)
                                : null;
                    default -> null;
                });
    }

    /// `function/label/variable/op`.
    private static Directive binding(String place, String value) {
        int op = place.lastIndexOf('/');
        int variable = place.lastIndexOf('/', op - 1);
        Core core = switch (value) {
            case "fabric" -> Core.FABRIC;
            case "dsp", "fulldsp", "primitivedsp" -> Core.DSP;
            default -> Core.AUTO;
        };
        return new Directive.BindOperation(
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

    private static int factor(String column, String place, Map<String, String> row) {
        return number(row.getOrDefault(column + place, "1"));
    }

    private static int number(String value) {
        return value.matches("\\d{1,6}") ? Integer.parseInt(value) : 1;
    }
}
