package knobscape.hls.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Pragma;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Domain;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// The directives of a source and of rewritten ones, with a knob that says which of them is built. Knobs that a
/// source does not have rest at their value without directives; values of all sources are taken together.
public final class TransformedSpace implements DirectiveSpace {
    /// Value of the source as it stands.
    public static final String NONE = "none";

    private final List<DirectiveSpace> sources;
    private final KnobSet knobs;
    private final Encoder encoder;
    private final DesignSpace space;
    private final List<PruningStep> steps;

    /// @param own of the source as it stands
    /// @param rewritten by what was done, in words
    /// @param left what was not offered and why, one sentence
    public TransformedSpace(DirectiveSpace own, Map<String, DirectiveSpace> rewritten, String left) {
        sources = Stream.concat(Stream.of(own), rewritten.values().stream()).toList();
        var all = new LinkedHashMap<String, Domain>();
        List<String> names =
                Stream.concat(Stream.of(NONE), rewritten.keySet().stream()).toList();
        String transform = KnobNames.transform(own.kernel().top());
        all.put(transform, new Domain.Categories(names));
        for (DirectiveSpace s : sources) {
            s.space().knobs().list().forEach(k -> all.merge(k.name(), k.domain(), TransformedSpace::both));
        }
        knobs = new KnobSet(all.entrySet().stream()
                .map(e -> new Knob(e.getKey(), e.getValue()))
                .toList());
        encoder = new FeatureEncoder(knobs);
        space = new Union();
        steps = Stream.concat(
                        Stream.of(new PruningStep(
                                "the source as it stands"
                                        + (rewritten.isEmpty() ? "" : ", or " + String.join(", ", rewritten.keySet()))
                                        + left,
                                List.of(transform),
                                own.space().size(),
                                space.size())),
                        own.pruning().stream())
                .toList();
    }

    private static Domain both(Domain a, Domain b) {
        if (a.equals(b)) {
            return a;
        }
        if (a instanceof Domain.Factors(List<Integer> x) && b instanceof Domain.Factors(List<Integer> y)) {
            var values = new TreeSet<>(x);
            values.addAll(y);
            return new Domain.Factors(List.copyOf(values));
        }
        var labels = new LinkedHashSet<>(a.labels());
        labels.addAll(b.labels());
        return new Domain.Categories(List.copyOf(labels));
    }

    @Override
    public Placed at(Configuration configuration) {
        DirectiveSpace s = sources.get(configuration.level(0));
        KnobSet own = s.space().knobs();
        int[] levels = own.list().stream()
                .mapToInt(k -> k.domain().levelOf(configuration.value(k.name())))
                .toArray();
        return new Placed(s, Configuration.of(own, levels));
    }

    /// A design of one of the sources.
    private Configuration of(int source, Configuration design) {
        int[] levels = new int[knobs.size()];
        levels[0] = source;
        KnobSet own = design.knobs();
        for (int i = 1; i < levels.length; i++) {
            Domain domain = knobs.get(i).domain();
            int at = own.indexOf(knobs.get(i).name()).orElse(-1);
            levels[i] = at < 0 ? Board.restLevel(domain) : domain.levelOf(design.value(at));
        }
        return Configuration.of(knobs, levels);
    }

    @Override
    public Kernel kernel() {
        return sources.getFirst().kernel();
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
    public List<Directive> directives(Configuration configuration) {
        return at(configuration).directives();
    }

    @Override
    public Configuration baseline() {
        return of(0, sources.getFirst().baseline());
    }

    @Override
    public Configuration stated(List<Pragma> stated, boolean complete) {
        return of(0, sources.getFirst().stated(stated, complete));
    }

    @Override
    public int disliked(Configuration configuration) {
        Placed p = at(configuration);
        return p.space().disliked(p.configuration());
    }

    @Override
    public List<PruningStep> pruning() {
        return steps;
    }

    /// The designs of all sources, one after another.
    private final class Union implements DesignSpace {
        @Override
        public KnobSet knobs() {
            return knobs;
        }

        @Override
        public BigInteger size() {
            return sources.stream().map(s -> s.space().size()).reduce(BigInteger.ZERO, BigInteger::add);
        }

        @Override
        public Configuration at(BigInteger rank) {
            BigInteger left = rank;
            for (int i = 0; i < sources.size(); i++) {
                BigInteger size = sources.get(i).space().size();
                if (left.signum() >= 0 && left.compareTo(size) < 0) {
                    return of(i, sources.get(i).space().at(left));
                }
                left = left.subtract(size);
            }
            throw new IndexOutOfBoundsException("rank " + rank + " is outside 0 .. " + size() + " - 1");
        }

        @Override
        public boolean contains(Configuration configuration) {
            DirectiveSpace s = sources.get(configuration.level(0));
            boolean known = s.space().knobs().list().stream()
                    .allMatch(k -> k.domain().levelOf(configuration.value(k.name())) >= 0);
            if (!known) {
                return false;
            }
            Placed p = TransformedSpace.this.at(configuration);
            return s.space().contains(p.configuration())
                    && of(configuration.level(0), p.configuration()).equals(configuration);
        }

        /// Every source as likely as any other, however many designs it has.
        @Override
        public Configuration draw(RandomGenerator random) {
            int source = random.nextInt(sources.size());
            return of(source, sources.get(source).space().draw(random));
        }

        /// As [#draw], every source that has such a member as likely as any other; within it all are.
        @Override
        public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
            int[] open = allowed.getFirst().stream().toArray();
            int first = (int) (uniform[0] * open.length);
            for (int i = 0; i < open.length; i++) {
                int source = open[(first + i) % open.length];
                if (restsWithin(source, allowed)) {
                    KnobSet own = sources.get(source).space().knobs();
                    int[] places = own.list().stream()
                            .mapToInt(k -> knobs.indexOf(k.name()).orElseThrow())
                            .toArray();
                    var levels = new ArrayList<BitSet>();
                    for (int k = 0; k < places.length; k++) {
                        var mine = new BitSet();
                        Domain domain = own.get(k).domain();
                        for (int level = 0; level < domain.size(); level++) {
                            mine.set(
                                    level,
                                    allowed.get(places[k])
                                            .get(knobs.get(places[k]).domain().levelOf(domain.label(level))));
                        }
                        levels.add(mine);
                    }
                    try {
                        return of(
                                source,
                                sources.get(source)
                                        .space()
                                        .drawWithin(
                                                levels,
                                                Arrays.stream(places)
                                                        .mapToDouble(p -> uniform[p])
                                                        .toArray()));
                    } catch (IllegalArgumentException e) {
                        // None of this source; perhaps of the next.
                    }
                }
            }
            throw new IllegalArgumentException("no member has only the allowed levels");
        }

        /// True if the knobs that a source does not have may rest.
        private boolean restsWithin(int source, List<BitSet> allowed) {
            KnobSet own = sources.get(source).space().knobs();
            for (int i = 1; i < knobs.size(); i++) {
                if (own.indexOf(knobs.get(i).name()).isEmpty()
                        && !allowed.get(i).get(Board.restLevel(knobs.get(i).domain()))) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public BitSet possibleLevels(int knob) {
            var levels = new BitSet();
            String name = knobs.get(knob).name();
            Domain domain = knobs.get(knob).domain();
            for (int i = 0; i < sources.size(); i++) {
                DesignSpace s = sources.get(i).space();
                int at = s.knobs().indexOf(name).orElse(-1);
                if (knob == 0) {
                    levels.set(i);
                } else if (at < 0) {
                    levels.set(Board.restLevel(domain));
                } else {
                    s.possibleLevels(at).stream()
                            .forEach(l -> levels.set(
                                    domain.levelOf(s.knobs().get(at).domain().label(l))));
                }
            }
            return levels;
        }

        @Override
        public Stream<Configuration> enumerate() {
            Stream<Configuration> all = Stream.empty();
            for (int i = 0; i < sources.size(); i++) {
                int source = i;
                all = Stream.concat(all, sources.get(i).space().enumerate().map(c -> of(source, c)));
            }
            return all;
        }

        /// Within the same source, and the same knobs of every other one that has such a design.
        @Override
        public List<Configuration> neighbours(Configuration configuration) {
            Placed p = TransformedSpace.this.at(configuration);
            var near = new ArrayList<Configuration>();
            for (int i = 0; i < sources.size(); i++) {
                Configuration same = configuration.with(0, i);
                if (i != configuration.level(0) && contains(same)) {
                    near.add(same);
                }
            }
            p.space().space().neighbours(p.configuration()).forEach(c -> near.add(of(configuration.level(0), c)));
            return List.copyOf(near);
        }
    }
}
