package knobscape.hls.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.TripCount;
import knobscape.space.Domain;
import knobscape.space.KnobSet;

/// Writes the knobs of a space as a directive file with comments. Every knob stands there with all its values,
/// so that the file reads back to the same space under the same limits.
final class DirectiveFileWriter {
    private final Kernel kernel;
    private final KnobSet knobs;
    private final Nests nests;
    private final StringBuilder out = new StringBuilder();

    DirectiveFileWriter(DirectiveSpace space) {
        this.kernel = space.kernel();
        this.knobs = space.space().knobs();
        this.nests = new Nests(kernel);
    }

    String write(Optional<String> part, OptionalDouble clockNs, boolean prune) {
        line("# Directives to explore in " + oneLine(kernel.file())
                + ". A knob may be removed, or given other values; what is not named here");
        line(
                "# stays as the source has it. A single value fixes a knob. Factors of a partition are those of cyclic and block.");
        line("version: 1");
        part.ifPresent(p -> line("part: " + word(p)));
        clockNs.ifPresent(c -> line("clock: " + number(c) + "   # ns"));
        line("top: " + word(kernel.top()));
        line("defaults: false   # true, or a list of kinds: their default knobs are added wherever they apply");
        line("prune: " + prune
                + "   # false: partitions and unroll factors need not fit each other (Algorithm 1 left out)");
        line("");
        line(knobs.size() == 0 ? "knobs: []   # nothing to choose was found" : "knobs:");
        for (Function f : kernel.functions().reversed()) {
            line("");
            line("  # function " + oneLine(f.name()) + " (line " + f.location().line() + ")");
            toggles(f.name());
            f.allLoops().forEach(this::loop);
            f.arrays().forEach(this::array);
        }
        if (!kernel.globals().isEmpty()) {
            line("");
            line("  # globals");
            kernel.globals().forEach(this::array);
        }
        more();
        return out.toString();
    }

    private void loop(Loop loop) {
        line("  # " + "  ".repeat(loop.depth()) + "loop " + oneLine(loop.label()) + " (line "
                + loop.keyword().line() + "): " + trip(loop.trip()));
        List<String> factors = labels(KnobNames.unroll(loop.id()));
        if (!factors.isEmpty()) {
            entry(KnobKind.UNROLL, loop.id(), ", factors: " + list(factors));
        }
        toggles(loop.id());
    }

    private static String trip(TripCount trip) {
        if (trip.isExact()) {
            return trip.max().getAsLong() + " iterations";
        }
        String stated = switch (trip.certainty()) {
            case STATED -> " as stated in the source";
            case MEASURED -> " as measured in a run";
            case EXACT, BOUNDED, UNKNOWN -> "";
        };
        return trip.max().isPresent()
                ? "at most " + trip.max().getAsLong() + " iterations" + stated
                : "unknown number of iterations";
    }

    private void array(ArrayVariable array) {
        var lines = new ArrayList<Runnable>();
        for (int d = 1; d <= array.dims().size(); d++) {
            int dimension = d;
            List<String> types = labels(KnobNames.partitionType(array.id(), d));
            if (!types.isEmpty()) {
                long size = array.dims().get(d - 1);
                List<String> factors = labels(KnobNames.partitionFactor(array.id(), d)).stream()
                        .filter(f -> !f.equals("1") && Long.parseLong(f) != size)
                        .toList();
                lines.add(() -> entry(
                        KnobKind.PARTITION,
                        array.id(),
                        ", dim: " + dimension + ", types: " + list(types)
                                + (factors.isEmpty() ? "" : ", factors: " + list(factors))));
            }
            List<String> reshape = labels(KnobNames.reshape(array.id(), d));
            if (!reshape.isEmpty()) {
                lines.add(() ->
                        entry(KnobKind.RESHAPE, array.id(), ", dim: " + dimension + ", factors: " + list(reshape)));
            }
        }
        for (KnobKind kind :
                List.of(KnobKind.STORAGE, KnobKind.BUNDLE, KnobKind.BURST, KnobKind.OUTSTANDING, KnobKind.FIFO)) {
            if (!labels(kind.at(array.id())).isEmpty()) {
                lines.add(() -> toggle(kind, array.id()));
            }
        }
        if (!lines.isEmpty()) {
            line("  # array " + oneLine(array.name()) + " (line "
                    + array.location().line() + "): " + oneLine(array.element().spelling()) + " "
                    + array.dims().stream()
                            .map(n -> n == 0 ? "[]" : "[" + n + "]")
                            .collect(Collectors.joining()));
            lines.forEach(Runnable::run);
        }
    }

    /// Writes the knobs of a loop or function; an unroll factor has an entry of its own.
    private void toggles(String location) {
        Arrays.stream(KnobKind.values()).filter(k -> k != KnobKind.UNROLL).forEach(k -> toggle(k, location));
    }

    /// Writes a knob with values, if the space has it.
    private void toggle(KnobKind kind, String location) {
        List<String> values = labels(kind.at(location));
        if (!values.isEmpty()) {
            entry(
                    kind,
                    location,
                    values.equals(KnobPlan.OFF_ON) && kind != KnobKind.PIPELINE ? "" : ", values: " + list(values));
        }
    }

    /// Kinds that the space does not have but could.
    private void more() {
        var uses = new ArrayUses(nests);
        var lines = new ArrayList<String>();
        for (KnobKind kind : KnobKind.values()) {
            boolean has = knobs.list().stream().anyMatch(k -> k.name().startsWith(kind.word()));
            if (!kind.byDefault() && !has) {
                for (String location : KnobPlan.locations(kind, nests, uses)) {
                    boolean sized = kind != KnobKind.RESHAPE
                            || kernel.array(location).orElseThrow().dims().stream()
                                    .allMatch(n -> n > 1);
                    if (sized) {
                        lines.add("  # - {kind: " + kind.word() + ", at: " + word(location) + "}");
                    }
                }
            }
        }
        if (!lines.isEmpty()) {
            line("");
            line("  # More kinds that apply here; each multiplies the space. Take the first '#' away to add one.");
            lines.forEach(this::line);
        }
    }

    private List<String> labels(String knob) {
        return knobs.indexOf(knob).stream()
                .mapToObj(i -> knobs.get(i).domain())
                .map(Domain::labels)
                .findFirst()
                .orElse(List.of());
    }

    private void entry(KnobKind kind, String location, String rest) {
        line("  - {kind: " + kind.word() + ", at: " + word(location) + rest + "}");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private static String list(List<String> values) {
        return "[" + String.join(", ", values) + "]";
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /// A comment must not break its line.
    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }

    /// A YAML scalar, quoted unless it is plainly a name.
    private static String word(String text) {
        return text.matches("/?[A-Za-z_][A-Za-z0-9_./-]*") && !text.matches("(?i)true|false|null|yes|no|on|off")
                ? text
                : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
