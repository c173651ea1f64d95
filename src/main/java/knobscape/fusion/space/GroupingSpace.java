package knobscape.fusion.space;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// The ways to run a network in strips as a design space. The first knob is the part of the buffer that a design may
/// take. Every layer that can end a group has three: whether it does (`group3@conv3`), with how many samples at once,
/// and with how many rows in a strip; those that make images have a fourth, the stripes of columns. All but the first
/// mean nothing where the next layer joins the group.
public final class GroupingSpace {
    /// Pace layers with more rows are only tried with the shortest strip for each number of strips.
    private static final int ALL_STRIPS = 512;

    private static final int JOINED = 0;
    /// Place of a layer's knob of columns behind its first one.
    private static final int COLUMNS = 3;
    /// The first is for the layers of a group but the last, the others are the members of [Grouping.Run].
    private static final List<String> BORDERS = List.of("joined", "ends", "passes", "recomputes", "sums");

    private final RowGraph graph;
    private final List<Long> rooms;
    /// Layers that can end a group.
    private final int[] ends;
    /// Its first knob for each of them.
    private final int[] knobs;
    private final CartesianSpace space;

    /// @param samples independent samples of the whole batch
    /// @param columns most stripes of columns
    /// @param rooms parts of the buffer in bytes, ascending; the last is the whole buffer
    public GroupingSpace(RowGraph graph, long samples, int columns, List<Long> rooms) {
        this.graph = graph;
        this.rooms = List.copyOf(rooms);
        int n = graph.nodes().size();
        ends = IntStream.range(graph.inputs(), n)
                .filter(i -> i == n - 1 || !graph.node(i + 1).glued())
                .toArray();
        Map<Integer, Domain> strips = new HashMap<>();
        Domain blocks = numbers(blocks(samples));
        knobs = new int[ends.length];
        var all = new ArrayList<Knob>();
        all.add(new Knob(
                "buffer",
                new Domain.Categories(rooms.stream().map(ByteSize::text).toList())));
        for (int at = 0; at < ends.length; at++) {
            int i = ends[at];
            knobs[at] = all.size();
            int number = i - graph.inputs() + 1;
            String name = number + "@" + graph.node(i).name().replace(';', '_').replace('=', '_');
            all.add(new Knob(
                    "group" + name, new Domain.Categories(i == n - 1 ? BORDERS.subList(1, BORDERS.size()) : BORDERS)));
            all.add(new Knob("samples" + name, blocks));
            all.add(new Knob(
                    "rows" + name, strips.computeIfAbsent(graph.node(pace(i)).rows(), r -> numbers(strips(r)))));
            int most = Math.min(columns, graph.columns(pace(i)).count());
            if (most > 1) {
                all.add(new Knob(
                        "columns" + name, numbers(IntStream.rangeClosed(1, most).toArray())));
            }
        }
        space = new CartesianSpace(new KnobSet(all));
    }

    private static Domain numbers(int[] ascending) {
        return new Domain.Factors(IntStream.of(ascending).boxed().toList());
    }

    /// The layer that sets the pace of a group that ends here, where it is in the group.
    private int pace(int end) {
        int i = end;
        while (i > graph.inputs() && graph.node(i).rows() == 1) {
            i--;
        }
        return i;
    }

    /// The smallest number of samples for each number of blocks, ascending.
    public static int[] blocks(long samples) {
        var sizes = new ArrayList<Integer>();
        long m = Math.min(samples, Integer.MAX_VALUE);
        while (m > 0) {
            long count = Math.ceilDiv(samples, m);
            m = Math.ceilDiv(samples, count);
            sizes.add((int) m);
            m--;
        }
        return sizes.reversed().stream().mapToInt(Integer::intValue).toArray();
    }

    /// The next shorter strip of a layer of so many rows that is worth a try, 0 after the shortest.
    public static int shorter(int strip, int rows) {
        if (rows <= ALL_STRIPS || strip == 1) {
            return strip - 1;
        }
        return Math.ceilDiv(rows, Math.ceilDiv(rows, strip - 1));
    }

    private static int[] strips(int rows) {
        return IntStream.iterate(rows, t -> t >= 1, t -> shorter(t, rows))
                .sorted()
                .toArray();
    }

    /// Knobs and members.
    public CartesianSpace space() {
        return space;
    }

    /// The parts of the buffer that a design may take, bytes, ascending.
    public List<Long> rooms() {
        return rooms;
    }

    /// A grouping as a configuration. Throws [IllegalArgumentException] where it is none of this space.
    public Configuration configuration(Grouping g) {
        int[] levels = new int[space.knobs().size()];
        levels[0] = rooms.indexOf(g.room());
        int at = 0;
        for (Grouping.Part p : g.parts()) {
            while (ends[at] < p.last()) {
                at++;
            }
            int knob = knobs[at];
            levels[knob] = level(knob, BORDERS.get(1 + p.run().ordinal()));
            levels[knob + 1] = level(knob + 1, Integer.toString(p.samples()));
            levels[knob + 2] = level(knob + 2, Integer.toString(p.rows()));
            if (hasColumns(at)) {
                levels[knob + COLUMNS] = level(knob + COLUMNS, Integer.toString(p.columns()));
            }
        }
        if (IntStream.of(levels).anyMatch(l -> l < 0)) {
            throw new IllegalArgumentException("no grouping of this network: " + g);
        }
        return Configuration.of(space.knobs(), levels);
    }

    private boolean hasColumns(int at) {
        return (at + 1 < knobs.length ? knobs[at + 1] : space.knobs().size()) - knobs[at] > COLUMNS;
    }

    private int level(int knob, String label) {
        return space.knobs().get(knob).domain().levelOf(label);
    }

    /// A configuration of this space, or of one with the same knobs, as a grouping.
    public Grouping grouping(Configuration c) {
        int[] levels = c.levels();
        var parts = new ArrayList<Grouping.Part>();
        int first = graph.inputs();
        for (int at = 0; at < ends.length; at++) {
            int knob = knobs[at];
            boolean last = at == ends.length - 1;
            int border = levels[knob] + (last ? 1 : 0);
            if (border != JOINED) {
                parts.add(new Grouping.Part(
                        first,
                        ends[at],
                        Integer.parseInt(label(knob + 1, levels)),
                        Integer.parseInt(label(knob + 2, levels)),
                        hasColumns(at) ? Integer.parseInt(label(knob + COLUMNS, levels)) : 1,
                        Grouping.Run.values()[border - 1]));
                first = ends[at] + 1;
            }
        }
        return new Grouping(rooms.get(levels[0]), parts);
    }

    private String label(int knob, int[] levels) {
        return space.knobs().get(knob).domain().label(levels[knob]);
    }

    /// The sizes below a buffer, and the buffer.
    ///
    /// @param sizes bytes
    public static List<Long> rooms(LongStream sizes, long buffer) {
        return LongStream.concat(sizes.filter(s -> s < buffer), LongStream.of(buffer))
                .sorted()
                .distinct()
                .boxed()
                .toList();
    }
}
