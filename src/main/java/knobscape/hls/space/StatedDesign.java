package knobscape.hls.space;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;

/// Directives that were decided elsewhere, as a design of a space.
///
/// @param configuration the closest member
/// @param left what the space does not hold, in the order stated
/// @param candidates entries of a directive file with which the space would hold it
/// @param directives as they were stated, whatever the space holds
public record StatedDesign(
        Configuration configuration, List<SkippedDirective> left, List<String> candidates, List<Directive> directives) {
    public StatedDesign {
        directives = List.copyOf(directives);
        left = List.copyOf(left);
        candidates = List.copyOf(candidates);
    }

    private static final String NO_KNOB = "is no knob here; put it into the source";

    /// A directive that is not in the design.
    ///
    /// @param directive as it was written
    /// @param why in words
    public record SkippedDirective(String directive, String why) {}

    /// Reads directives.
    ///
    /// @param complete whether they say all ([DirectiveSpace#stated])
    public static StatedDesign of(DirectiveSpace space, List<Pragma> stated, boolean complete) {
        var uses = new ArrayUses(new Nests(space.kernel()));
        var knobNames = new PragmaKnobs(space.kernel(), uses);
        Map<String, String> wanted = new SourcePragmas(space.kernel(), uses, stated).values();
        Configuration found = space.stated(stated, complete);
        KnobSet knobs = space.space().knobs();
        var values = new LinkedHashMap<String, List<String>>();
        wanted.forEach((k, v) -> values.put(k, List.of(v)));
        var left = new ArrayList<SkippedDirective>();
        var candidates = new LinkedHashMap<String, String>();
        // What the kernel's own source says too is there already.
        Set<List<Object>> own =
                space.kernel().pragmas().stream().map(StatedDesign::words).collect(Collectors.toSet());
        for (Pragma p : stated) {
            List<String> names = knobNames.of(p);
            if (names.isEmpty() && !own.contains(words(p))) {
                left.add(new SkippedDirective(p.raw(), NO_KNOB));
            }
            for (String type : names) {
                String factor = type.replaceFirst("^partition_type@", "partition_factor@");
                for (String name : type.equals(factor) ? List.of(type) : List.of(type, factor)) {
                    String value = wanted.get(name);
                    if (value == null) {
                        continue;
                    }
                    if (knobs.indexOf(name).isEmpty() && own.contains(words(p))) {
                        break;
                    }
                    if (knobs.indexOf(name).isEmpty()) {
                        left.add(new SkippedDirective(p.raw(), "the space has no knob " + name));
                        candidates.put(type.toLowerCase(Locale.ROOT), Widening.entry(type, values, knobs));
                        break;
                    }
                    String asked = interval(knobs, p, name, value);
                    if (knobs.get(knobs.indexOf(name).getAsInt()).domain().levelOf(asked) < 0) {
                        left.add(new SkippedDirective(p.raw(), name + " has no value " + asked));
                        candidates.put(type.toLowerCase(Locale.ROOT), Widening.entry(type, values, knobs));
                        break;
                    }
                    if (!found.value(name).equals(asked)) {
                        left.add(new SkippedDirective(
                                p.raw(),
                                name + " is " + found.value(name)
                                        + " instead: the space excludes it together with others"));
                        break;
                    }
                }
            }
        }
        return new StatedDesign(found, left, List.copyOf(candidates.values()), directives(space.kernel(), wanted));
    }

    /// Directives that are no knob at all, whatever the space.
    public List<SkippedDirective> noKnobs() {
        return left.stream().filter(l -> l.why().equals(NO_KNOB)).toList();
    }

    private static List<Directive> directives(Kernel kernel, Map<String, String> wanted) {
        var all = new ArrayList<Directive>();
        wanted.forEach((name, value) -> {
            int at = name.indexOf('@');
            String place = name.substring(at + 1);
            switch (name.substring(0, at)) {
                case "pipeline" ->
                    all.add(new Directive.Pipeline(
                            place,
                            !value.equals("off"),
                            value.startsWith("ii=") ? Integer.parseInt(value.substring(3)) : 0));
                case "unroll" -> {
                    int factor = Integer.parseInt(value);
                    boolean whole = kernel.loop(place)
                            .map(Loop::trip)
                            .filter(t -> t.isExact() && t.max().orElse(Long.MAX_VALUE) <= factor)
                            .isPresent();
                    all.add(new Directive.Unroll(place, whole ? 0 : factor));
                }
                case "partition_type" -> {
                    int hash = place.lastIndexOf('#');
                    all.add(new Directive.Partition(
                            place.substring(0, hash),
                            Integer.parseInt(place.substring(hash + 1)),
                            Directive.PartitionType.valueOf(value.toUpperCase(Locale.ROOT)),
                            Integer.parseInt(wanted.getOrDefault("partition_factor@" + place, "1"))));
                }
                case "reshape" -> {
                    int hash = place.lastIndexOf('#');
                    all.add(new Directive.Reshape(
                            place.substring(0, hash),
                            Integer.parseInt(place.substring(hash + 1)),
                            Directive.PartitionType.CYCLIC,
                            Integer.parseInt(value)));
                }
                case "flatten" -> all.add(new Directive.Flatten(place, value.equals("on")));
                default -> Directive.of(name.substring(0, at), place, value).ifPresent(all::add);
            }
        });
        return Directive.joined(all);
    }

    /// An interval of 1 is said as such where the space tells it from the tool's choice.
    private static String interval(KnobSet knobs, Pragma p, String name, String value) {
        String exact = "ii=" + p.options().getOrDefault("ii", "");
        return value.equals("on")
                        && knobs.get(knobs.indexOf(name).orElseThrow()).domain().levelOf(exact) >= 0
                ? exact
                : value;
    }

    /// The meaning and the place of a pragma, without how it is written.
    private static List<Object> words(Pragma p) {
        return List.of(p.directive(), p.options(), p.function());
    }

    /// The widening that the space would need.
    public Widening widening() {
        return new Widening(candidates);
    }
}
