package knobscape.gpu.evaluate.replay;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.Formula;
import knobscape.evaluate.replay.BundledFiles;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// A family of measured sets: what a file does not say of itself. One YAML file among the program's resources
/// (`knobscape/replay/gpu`) each; a file of measurements is of the family whose columns it has, of the one with
/// the most columns where several fit. Its first line, `measured: 1`, says the form.
///
/// @param name name of the family
/// @param description what was measured, in a few words
/// @param recognise columns that a file of the family has
/// @param without columns that it does not have
/// @param exhaustive whether every configuration that satisfies the constraints is in the file
/// @param file regular expression for the file's name without its ending; its named groups are numbers that
/// `flops` can use
/// @param flops formula of the floating-point operations of one call; empty where they are not counted
/// @param splits whether columns `tile_x_0, tile_x_1, ..` together are one knob
/// @param kernel the kernel that the analytical model has of it; empty for none
@JsonIgnoreProperties("measured")
public record SetKind(
        String name,
        String description,
        Set<String> recognise,
        Set<String> without,
        boolean exhaustive,
        String file,
        String flops,
        Boolean splits,
        String kernel) {
    public SetKind {
        recognise = Set.copyOf(recognise);
        without = without == null ? Set.of() : Set.copyOf(without);
        file = Objects.requireNonNullElse(file, ".*");
        flops = Objects.requireNonNullElse(flops, "");
        splits = splits == null || splits;
        kernel = Objects.requireNonNullElse(kernel, "");
    }

    /// All families, by name.
    static List<SetKind> all() {
        var mapper = YAMLMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
        return BundledFiles.texts("/knobscape/replay/gpu", "other").values().stream()
                .map(t -> mapper.readValue(t, SetKind.class))
                .toList();
    }

    /// The family of a file with these columns.
    static Optional<SetKind> of(List<String> header) {
        return all().stream()
                .filter(k ->
                        header.containsAll(k.recognise) && k.without.stream().noneMatch(header::contains))
                .max(Comparator.comparingInt(k -> k.recognise.size()));
    }

    /// A kernel of which a file says no more than its name.
    static SetKind ofKernel(String kernel) {
        return new SetKind(kernel, "kernel " + kernel, Set.of(), Set.of(), false, "", "", false, "");
    }

    /// Floating-point operations of one call, where they are known.
    ///
    /// @param stem name of the file without its ending, which names shapes in some families
    OptionalLong flopsOf(String stem) {
        Matcher m = Pattern.compile(file).matcher(stem);
        if (flops.isEmpty() || !m.matches()) {
            return OptionalLong.empty();
        }
        OptionalDouble value =
                Formula.parse(flops).value(group -> OptionalDouble.of(Double.parseDouble(m.group(group))));
        return value.isPresent() ? OptionalLong.of((long) value.getAsDouble()) : OptionalLong.empty();
    }
}
