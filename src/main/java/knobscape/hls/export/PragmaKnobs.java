package knobscape.hls.export;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.hls.directive.KnobNames;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Pragma;

/// Which knobs a pragma of the source decides over.
final class PragmaKnobs {
    private PragmaKnobs() {
    }

    /// Names of the knobs, empty for pragmas that are none of ours (`INTERFACE`, `LOOP_TRIPCOUNT`, a pipelined function).
    static List<String> of(Pragma pragma, Kernel kernel) {
        Optional<String> loop = pragma.loop();
        return switch (pragma.directive().toUpperCase(Locale.ROOT)) {
            case "PIPELINE" -> loop.map(KnobNames::pipeline).stream().toList();
            case "UNROLL" -> loop.map(KnobNames::unroll).stream().toList();
            case "LOOP_FLATTEN" -> loop.map(KnobNames::flatten).stream().toList();
            case "DATAFLOW" -> List.of(KnobNames.dataflow(loop.orElse(pragma.function())));
            case "INLINE" -> pragma.function().isEmpty() ? List.of() : List.of(KnobNames.inline(pragma.function()));
            case "ARRAY_PARTITION" -> array(pragma, kernel).map(a -> dimensions(pragma, a).mapToObj(d -> KnobNames.partitionType(a.id(), d)).toList())
                    .orElse(List.of());
            case "ARRAY_RESHAPE" -> array(pragma, kernel).map(a -> dimensions(pragma, a).mapToObj(d -> KnobNames.reshape(a.id(), d)).toList())
                    .orElse(List.of());
            case "BIND_STORAGE" -> array(pragma, kernel).map(a -> KnobNames.storage(a.id())).stream().toList();
            case "BIND_OP" -> pragma.options().getOrDefault("op", "").endsWith("mul") ? List.of(KnobNames.multiplier(pragma.function())) : List.of();
            case "RESOURCE" -> resource(pragma, kernel);
            default -> List.of();
        };
    }

    private static List<String> resource(Pragma pragma, Kernel kernel) {
        String core = pragma.options().getOrDefault("core", "").toLowerCase(Locale.ROOT);
        if (core.startsWith("ram_") || core.startsWith("rom_") || core.startsWith("xpm_memory")) {
            return array(pragma, kernel).map(a -> KnobNames.storage(a.id())).stream().toList();
        }
        boolean multiplier = core.contains("mul") || core.equals("dsp48");
        return multiplier ? List.of(KnobNames.multiplier(pragma.function())) : List.of();
    }

    private static Optional<ArrayVariable> array(Pragma pragma, Kernel kernel) {
        String variable = pragma.options().getOrDefault("variable", "");
        return kernel.array(pragma.function() + "/" + variable).or(() -> kernel.array("/" + variable));
    }

    /// `dim=0` means every dimension; dimension 1 where nothing is said.
    private static IntStream dimensions(Pragma pragma, ArrayVariable array) {
        String text = pragma.options().getOrDefault("dim", "1");
        int dimension = text.chars().allMatch(Character::isDigit) && !text.isEmpty() && text.length() < 6 ? Integer.parseInt(text) : 1;
        return dimension == 0 ? IntStream.rangeClosed(1, array.dims().size()) : IntStream.of(dimension);
    }
}
