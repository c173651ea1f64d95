package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.DiagramSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.space.KnobSet;
import knobscape.space.ProductSpace;

/// The space made by [SpaceBuilder]: a product of independent decision diagrams.
final class PrunedDirectiveSpace implements DirectiveSpace {
    private final PruningFacts facts;
    private final ProductSpace space;
    private final Encoder encoder;
    private final List<PruningStep> steps;
    private final Configuration baseline;
    private final List<DiagramSpace> parts;

    PrunedDirectiveSpace(PruningFacts facts, Pruner.Result result) {
        this.facts = facts;
        this.space = new ProductSpace(result.knobs(), result.parts());
        this.encoder = new FeatureEncoder(result.knobs());
        this.steps = result.steps();
        this.parts = result.parts();
        this.baseline = closest(facts.asItStands(space.knobs()));
    }

    @Override
    public Configuration stated(List<Pragma> stated, boolean complete) {
        return closest(facts.asStated(space.knobs(), stated, complete));
    }

    /// The member closest to what is wanted.
    private Configuration closest(Map<String, String> labels) {
        int[] levels = new int[space.knobs().size()];
        for (DiagramSpace part : parts) {
            KnobSet knobs = part.knobs();
            int[] wanted = knobs.list().stream()
                    .map(k -> Map.entry(k.name(), requireNonNull(labels.get(k.name()))))
                    .mapToInt(e -> {
                        var domain = knobs.get(knobs.indexOf(e.getKey()).orElseThrow())
                                .domain();
                        int level = domain.levelOf(e.getValue());
                        return level >= 0 ? level : Board.restLevel(domain);
                    })
                    .toArray();
            Configuration closest = part.nearest(Configuration.of(knobs, wanted));
            for (int i = 0; i < wanted.length; i++) {
                levels[space.knobs().indexOf(knobs.get(i).name()).orElseThrow()] = closest.level(i);
            }
        }
        return Configuration.of(space.knobs(), levels);
    }

    /// Number of parts that do not have the values of their knobs.
    int groupsWithout(Configuration configuration) {
        int count = 0;
        for (DiagramSpace part : parts) {
            int[] levels = part.knobs().list().stream()
                    .mapToInt(k ->
                            configuration.level(space.knobs().indexOf(k.name()).orElseThrow()))
                    .toArray();
            count += part.contains(Configuration.of(part.knobs(), levels)) ? 0 : 1;
        }
        return count;
    }

    /// True if Algorithm 1 was applied.
    boolean isPruned() {
        return facts.algorithm1();
    }

    @Override
    public Kernel kernel() {
        return facts.nests().kernel();
    }

    @Override
    public DesignSpace space() {
        return space;
    }

    @Override
    public Encoder encoder() {
        return encoder;
    }

    @Override
    public Configuration baseline() {
        return baseline;
    }

    @Override
    public List<PruningStep> pruning() {
        return steps;
    }

    @Override
    public List<Directive> directives(Configuration configuration) {
        var directives = new ArrayList<Directive>();
        for (int i = 0; i < configuration.knobs().size(); i++) {
            String name = configuration.knobs().get(i).name();
            int at = name.indexOf('@');
            directive(name.substring(0, at), name.substring(at + 1), configuration.value(i), configuration)
                    .ifPresent(directives::add);
        }
        return Directive.joined(directives);
    }

    private Optional<Directive> directive(String word, String location, String value, Configuration c) {
        return switch (word) {
            case "pipeline" -> pipeline(location, value, c);
            case "unroll" -> unroll(location, Integer.parseInt(value), c);
            case "partition_type" -> partition(location, value, c);
            case "reshape" ->
                dimension(location, value.equals("1") ? Optional.empty() : Optional.of(Integer.valueOf(value)));
            case "flatten" ->
                isCovered(location, c) || isComplete(location, c)
                        ? Optional.empty()
                        : Optional.of(new Directive.Flatten(location, value.equals("on")));
            default -> Directive.of(word, location, value);
        };
    }

    private Optional<Directive> pipeline(String loop, String value, Configuration c) {
        if (isCovered(loop, c) || isComplete(loop, c)) {
            return Optional.empty();
        }
        int interval = value.startsWith("ii=") ? Integer.parseInt(value.substring(3)) : 0;
        return Optional.of(new Directive.Pipeline(loop, !value.equals("off"), interval));
    }

    private Optional<Directive> unroll(String loop, int factor, Configuration c) {
        if (factor == 1 || isCovered(loop, c)) {
            return Optional.empty();
        }
        return Optional.of(new Directive.Unroll(loop, isComplete(loop, c) ? 0 : factor));
    }

    private Optional<Directive> partition(String location, String type, Configuration c) {
        if (type.equals("none")) {
            return Optional.empty();
        }
        int factor = Integer.parseInt(c.value("partition_factor@" + location));
        int hash = location.lastIndexOf('#');
        return Optional.of(new Directive.Partition(
                location.substring(0, hash),
                Integer.parseInt(location.substring(hash + 1)),
                Directive.PartitionType.valueOf(type.toUpperCase(Locale.ROOT)),
                factor));
    }

    private static Optional<Directive> dimension(String location, Optional<Integer> factor) {
        int hash = location.lastIndexOf('#');
        return factor.map(f -> new Directive.Reshape(
                location.substring(0, hash),
                Integer.parseInt(location.substring(hash + 1)),
                Directive.PartitionType.CYCLIC,
                f));
    }

    /// True if a pipelined loop or function around it unrolls the loop completely anyway.
    private boolean isCovered(String loop, Configuration c) {
        String function = KnobNames.functionPipeline(facts.nests().loop(loop).function());
        if (c.knobs().indexOf(function).isPresent() && !c.value(function).equals("off")) {
            return true;
        }
        return facts.coverage()
                .covered(
                        loop,
                        Coverage.Calls.EVERY,
                        l -> !c.value(KnobNames.pipeline(l)).equals("off"),
                        Boolean::logicalOr,
                        Boolean::logicalAnd)
                .orElse(false);
    }

    private boolean isComplete(String id, Configuration c) {
        OptionalInt unroll = c.knobs().indexOf(KnobNames.unroll(id));
        Loop loop = facts.nests().loop(id);
        return unroll.isPresent()
                && loop.trip().isExact()
                && Long.parseLong(c.value(unroll.getAsInt()))
                        >= loop.trip().max().getAsLong();
    }
}
