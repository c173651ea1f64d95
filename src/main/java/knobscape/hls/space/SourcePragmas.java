package knobscape.hls.space;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;

/// The pragmas of the source, in terms of knobs: the starting values, and candidates beyond the
/// default ones.
final class SourcePragmas {
    private final Kernel kernel;
    private final ArrayUses uses;
    private final PragmaKnobs knobs;
    /// Knob name to value; the last pragma wins.
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Set<Integer>> unroll = new HashMap<>();
    private final Map<String, Set<Integer>> intervals = new HashMap<>();
    private final Map<ArrayDimension, Set<Integer>> factors = new HashMap<>();

    SourcePragmas(Kernel kernel, ArrayUses uses) {
        this(kernel, uses, kernel.pragmas());
        kernel.functions().stream()
                .filter(Function::explicitInline)
                .forEach(f -> values.putIfAbsent(KnobNames.inline(f.name()), "on"));
    }

    /// The statements of other directives than those of the source.
    SourcePragmas(Kernel kernel, ArrayUses uses, List<Pragma> stated) {
        this.kernel = kernel;
        this.uses = uses;
        this.knobs = new PragmaKnobs(kernel, uses);
        stated.forEach(this::read);
    }

    /// Knob name to the value the source asks for. Names and values need not exist in a given space.
    Map<String, String> values() {
        return Map.copyOf(values);
    }

    /// Unroll factors asked for.
    Set<Integer> unrollFactors(String loop) {
        return unroll.getOrDefault(loop, Set.of());
    }

    /// Initiation intervals asked for.
    Set<Integer> intervals(String loop) {
        return intervals.getOrDefault(loop, Set.of());
    }

    /// Partition factors asked for.
    Set<Integer> partitionFactors(ArrayDimension at) {
        return factors.getOrDefault(at, Set.of());
    }

    private void read(Pragma p) {
        boolean off = p.options().containsKey("off");
        switch (p.directive()) {
            case "PIPELINE" ->
                p.loop()
                        .ifPresentOrElse(
                                loop -> readPipeline(loop, off, number(p, "ii")),
                                () -> values.put(
                                        KnobNames.functionPipeline(p.function()), pipelined(off, number(p, "ii"))));
            case "INTERFACE" ->
                PragmaKnobs.port(p)
                        .ifPresent(said -> knobs.of(p)
                                .forEach(name -> said.forEach((kind, value) -> {
                                    if (name.startsWith(kind.word() + "@")) {
                                        values.put(name, value);
                                    }
                                })));
            case "STREAM" ->
                PragmaKnobs.depth(p).ifPresent(depth -> knobs.of(p).forEach(name -> values.put(name, depth)));
            case "ALLOCATION" ->
                PragmaKnobs.units(p).ifPresent(units -> knobs.of(p).forEach(name -> values.put(name, units)));
            case "UNROLL" -> p.loop().flatMap(kernel::loop).ifPresent(loop -> readUnroll(loop, number(p, "factor")));
            case "ARRAY_PARTITION" -> readPartition(p);
            case "ARRAY_RESHAPE" -> readReshape(p);
            case "BIND_STORAGE" -> readStorage(p);
            case "BIND_OP" -> {
                if (option(p, "op").endsWith("mul")) {
                    values.put(
                            KnobNames.multiplier(p.function()),
                            option(p, "impl").equals("fabric") ? "fabric" : "dsp");
                }
            }
            case "RESOURCE" -> readResource(p);
            default -> knobs.of(p).forEach(name -> values.put(name, off ? "off" : "on"));
        }
    }

    private void readPipeline(String loop, boolean off, Optional<Integer> interval) {
        interval.ifPresent(
                ii -> intervals.computeIfAbsent(loop, k -> new TreeSet<>()).add(ii));
        values.put(KnobNames.pipeline(loop), pipelined(off, interval));
    }

    private static String pipelined(boolean off, Optional<Integer> interval) {
        return off ? "off" : interval.filter(ii -> ii > 1).map(ii -> "ii=" + ii).orElse("on");
    }

    /// The AXI master port that an INTERFACE pragma names, the tool's own name where it names none.
    static String bundle(Pragma p) {
        return p.options().getOrDefault("bundle", "gmem");
    }

    /// The source's value of a knob; empty where it asks for none.
    Optional<String> value(String knob) {
        return Optional.ofNullable(values.get(knob));
    }

    private void readUnroll(Loop loop, Optional<Integer> factor) {
        Optional<Integer> trip = loop.trip().isExact() && loop.trip().max().getAsLong() <= Integer.MAX_VALUE
                ? Optional.of((int) loop.trip().max().getAsLong())
                : Optional.empty();
        Optional<Integer> meant =
                factor.map(f -> trip.map(t -> Math.min(t, f)).orElse(f)).or(() -> trip);
        meant.filter(f -> f >= 1).ifPresent(f -> {
            unroll.computeIfAbsent(loop.id(), k -> new TreeSet<>()).add(f);
            values.put(KnobNames.unroll(loop.id()), f.toString());
        });
    }

    private void readPartition(Pragma p) {
        String type = p.options().getOrDefault("type", "complete");
        for (ArrayVariable array : arrays(p)) {
            int wanted = number(p, "dim").orElse(1);
            for (int d = 1; d <= array.dims().size(); d++) {
                long size = array.dims().get(d - 1);
                Optional<Integer> factor = type.equals("complete") && size <= Integer.MAX_VALUE
                        ? Optional.of((int) size)
                        : number(p, "factor");
                if ((wanted == 0 || wanted == d) && factor.filter(f -> f > 1).isPresent()) {
                    factors.computeIfAbsent(new ArrayDimension(array.id(), d), k -> new TreeSet<>())
                            .add(factor.get());
                    values.put(KnobNames.partitionType(array.id(), d), type);
                    values.put(
                            KnobNames.partitionFactor(array.id(), d),
                            factor.get().toString());
                }
            }
        }
    }

    private void readReshape(Pragma p) {
        for (ArrayVariable array : arrays(p)) {
            number(p, "factor")
                    .ifPresent(f -> values.put(
                            KnobNames.reshape(array.id(), number(p, "dim").orElse(1)), f.toString()));
        }
    }

    private void readStorage(Pragma p) {
        String impl = option(p, "impl");
        String type = option(p, "type");
        String value = switch (impl) {
            case "lutram", "uram" -> impl;
            case "bram" -> type.equals("ram_1p") || type.equals("rom_1p") ? "bram_1p" : "bram_2p";
            default -> "auto";
        };
        arrays(p).forEach(a -> values.put(KnobNames.storage(a.id()), value));
    }

    /// The older tool's word for both bindings (UG902 v2018.2): a core that is a memory, or an operator.
    private void readResource(Pragma p) {
        String core = option(p, "core");
        Optional<String> storage = switch (core) {
            case "ram_1p_bram", "rom_1p_bram" -> Optional.of("bram_1p");
            case "ram_2p_bram", "ram_s2p_bram", "ram_t2p_bram", "rom_2p_bram" -> Optional.of("bram_2p");
            case "ram_1p_lutram", "ram_2p_lutram", "ram_s2p_lutram", "rom_1p_lutram", "rom_2p_lutram" ->
                Optional.of("lutram");
            case "ram_1p_uram", "ram_2p_uram", "ram_s2p_uram", "ram_t2p_uram" -> Optional.of("uram");
            case "xpm_memory" -> p.options().containsKey("uram") ? Optional.of("uram") : Optional.empty();
            default -> Optional.empty();
        };
        storage.ifPresent(v -> arrays(p).forEach(a -> values.put(KnobNames.storage(a.id()), v)));
        if (core.contains("mul") || core.equals("dsp48")) {
            values.put(
                    KnobNames.multiplier(p.function()),
                    core.endsWith("_lut") || core.endsWith("_nodsp") ? "fabric" : "dsp");
        }
    }

    private static String option(Pragma p, String key) {
        return p.options().getOrDefault(key, "").toLowerCase(java.util.Locale.ROOT);
    }

    /// The physical arrays behind the pragma's variable.
    private List<ArrayVariable> arrays(Pragma p) {
        String name = p.options().getOrDefault("variable", "");
        return kernel.array(p.function() + "/" + name).or(() -> kernel.array("/" + name)).stream()
                .flatMap(a -> uses.behind(a.id()).stream())
                .flatMap(id -> kernel.array(id).stream())
                .toList();
    }

    private static Optional<Integer> number(Pragma p, String option) {
        String text = p.options().getOrDefault(option, "");
        return text.matches("\\d{1,9}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }
}
