package knobscape.hls.space;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Pragma;

/// Which knobs a pragma of the source decides over.
public final class PragmaKnobs {
    private final Kernel kernel;
    private final ArrayUses uses;

    /// @param kernel the source the pragmas stand in
    public PragmaKnobs(Kernel kernel) {
        this(kernel, new ArrayUses(new Nests(kernel)));
    }

    PragmaKnobs(Kernel kernel, ArrayUses uses) {
        this.kernel = kernel;
        this.uses = uses;
    }

    /// Names of the knobs ([KnobNames]), whether or not a space has them; empty for pragmas that are none of
    /// ours (`LOOP_TRIPCOUNT`, an `INTERFACE` without a bundle). A partition is named by its type, which
    /// decides whether the factor counts. A pragma about an array parameter decides over the arrays passed to
    /// it.
    public List<String> of(Pragma pragma) {
        Optional<String> loop = pragma.loop();
        return switch (pragma.directive().toUpperCase(Locale.ROOT)) {
            case "PIPELINE" ->
                loop
                        .map(KnobNames::pipeline)
                        .or(() -> Optional.of(pragma.function())
                                .filter(f -> !f.isEmpty())
                                .map(KnobNames::functionPipeline))
                        .stream()
                        .toList();
            case "INTERFACE" ->
                arrays(pragma)
                        .flatMap(a -> port(pragma)
                                .map(p -> p.entrySet().stream()
                                        .map(e -> e.getKey().at(a.id())))
                                .orElseGet(Stream::of))
                        .toList();
            case "STREAM" ->
                depth(pragma).isPresent()
                        ? arrays(pragma).map(a -> KnobNames.fifo(a.id())).toList()
                        : List.of();
            case "ALLOCATION" ->
                loop.isEmpty() && units(pragma).isPresent()
                        ? List.of(KnobNames.allocation(pragma.function()))
                        : List.of();
            case "UNROLL" -> loop.map(KnobNames::unroll).stream().toList();
            case "LOOP_FLATTEN" -> loop.map(KnobNames::flatten).stream().toList();
            case "INLINE" -> pragma.function().isEmpty() ? List.of() : List.of(KnobNames.inline(pragma.function()));
            case "ARRAY_PARTITION" ->
                dimensions(pragma)
                        .map(d -> KnobNames.partitionType(d.array(), d.dimension()))
                        .toList();
            case "ARRAY_RESHAPE" ->
                dimensions(pragma)
                        .map(d -> KnobNames.reshape(d.array(), d.dimension()))
                        .toList();
            case "BIND_STORAGE" ->
                arrays(pragma).map(a -> KnobNames.storage(a.id())).toList();
            case "BIND_OP" ->
                pragma.options().getOrDefault("op", "").toLowerCase(Locale.ROOT).endsWith("mul")
                        ? List.of(KnobNames.multiplier(pragma.function()))
                        : List.of();
            case "RESOURCE" -> resource(pragma);
            default ->
                KnobKind.ofPragma(pragma.directive().toUpperCase(Locale.ROOT)).stream()
                        .map(k -> k.at(loop.orElse(pragma.function())))
                        .toList();
        };
    }

    /// The pragmas of the source that give way where knobs decide, by place, with the dimensions that no knob decides
    /// over: those are still the pragma's. What a macro makes stays. Instances of a template are one text.
    public Map<Location, Set<Integer>> givingWay(Predicate<String> controlled) {
        var names = new LinkedHashMap<Location, Set<String>>();
        kernel.pragmas().stream()
                .filter(Pragma::editable)
                .forEach(p -> names.computeIfAbsent(p.location(), _ -> new LinkedHashSet<>())
                        .addAll(deciding(p)));
        var all = new LinkedHashMap<Location, Set<Integer>>();
        names.forEach((at, of) -> {
            if (of.stream().anyMatch(controlled)) {
                all.put(at, undecided(of, controlled));
            }
        });
        return all;
    }

    /// The knobs that an INTERFACE pragma sets for an AXI master port; empty where it is none. A length or
    /// number
    /// that holds for one direction only is no knob's.
    static Optional<Map<KnobKind, String>> port(Pragma pragma) {
        Map<String, String> o = pragma.options();
        if (!pragma.directive().equalsIgnoreCase("INTERFACE")
                || !o.getOrDefault("mode", "").equals("m_axi")) {
            return Optional.empty();
        }
        var said = new EnumMap<KnobKind, String>(KnobKind.class);
        Optional.ofNullable(o.get("bundle")).ifPresent(b -> said.put(KnobKind.BUNDLE, b));
        both(o, "max_read_burst_length", "max_write_burst_length").ifPresent(v -> said.put(KnobKind.BURST, v));
        both(o, "num_read_outstanding", "num_write_outstanding").ifPresent(v -> said.put(KnobKind.OUTSTANDING, v));
        return Optional.of(said);
    }

    private static Optional<String> both(Map<String, String> options, String reading, String writing) {
        String value = options.getOrDefault(reading, "");
        return value.matches("[1-9]\\d{0,5}") && value.equals(options.getOrDefault(writing, ""))
                ? Optional.of(value)
                : Optional.empty();
    }

    /// Words of the queue that a STREAM pragma makes; empty where it makes none.
    static Optional<String> depth(Pragma pragma) {
        String depth = pragma.options().getOrDefault("depth", "");
        boolean queue = pragma.options().getOrDefault("type", "fifo").equalsIgnoreCase("fifo")
                && !pragma.options().containsKey("off");
        return queue && depth.matches("[1-9]\\d{0,8}") ? Optional.of(depth) : Optional.empty();
    }

    /// Multipliers that an ALLOCATION pragma leaves; empty where it is about something else.
    static Optional<String> units(Pragma pragma) {
        Map<String, String> o = pragma.options();
        String what = o.getOrDefault("instances", o.getOrDefault("variable", ""));
        boolean product = what.toLowerCase(Locale.ROOT).matches("[dfh]?mul");
        String limit = o.getOrDefault("limit", "");
        return product && limit.matches("[1-9]\\d{0,5}") ? Optional.of(limit) : Optional.empty();
    }

    /// The knobs whose directive takes a pragma's place: one about an AXI master port says all of it.
    private List<String> deciding(Pragma p) {
        return port(p).isEmpty()
                ? of(p)
                : arrays(p)
                        .flatMap(a -> Stream.of(KnobKind.BUNDLE, KnobKind.BURST, KnobKind.OUTSTANDING)
                                .map(k -> k.at(a.id())))
                        .toList();
    }

    private static Set<Integer> undecided(Set<String> knobs, Predicate<String> controlled) {
        return knobs.stream()
                .filter(controlled.negate())
                .filter(k -> k.contains("#"))
                .map(k -> Integer.valueOf(k.substring(k.lastIndexOf('#') + 1)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /// Vivado HLS names memories and operators alike by their cores (UG902 v2018.2, table of functional units
    /// and storage elements).
    private List<String> resource(Pragma pragma) {
        String core = pragma.options().getOrDefault("core", "").toLowerCase(Locale.ROOT);
        if (core.startsWith("ram_") || core.startsWith("rom_") || core.startsWith("xpm_memory")) {
            return arrays(pragma).map(a -> KnobNames.storage(a.id())).toList();
        }
        boolean multiplier = core.contains("mul") || core.equals("dsp48");
        return multiplier && !pragma.function().isEmpty()
                ? List.of(KnobNames.multiplier(pragma.function()))
                : List.of();
    }

    private Stream<ArrayVariable> arrays(Pragma pragma) {
        String variable =
                pragma.options().getOrDefault("variable", pragma.options().getOrDefault("port", ""));
        return kernel.array(pragma.function() + "/" + variable).or(() -> kernel.array("/" + variable)).stream()
                .flatMap(a -> uses.behind(a.id()).stream())
                .flatMap(id -> kernel.array(id).stream());
    }

    /// `dim=0` means every dimension; dimension 1 where nothing is said.
    private Stream<ArrayDimension> dimensions(Pragma pragma) {
        String text = pragma.options().getOrDefault("dim", "1");
        int dimension = text.matches("\\d{1,6}") ? Integer.parseInt(text) : 1;
        return arrays(pragma)
                .flatMap(
                        a -> (dimension == 0 ? IntStream.rangeClosed(1, a.dims().size()) : IntStream.of(dimension))
                                .mapToObj(d -> new ArrayDimension(a.id(), d)));
    }
}
