package knobscape.hls.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.export.SourceRewrites.Rewrite;
import knobscape.hls.source.Loop;

/// Nests of two loops tiled by a factor: one of the two goes on in tiles, which a new loop around both counts, and
/// inside a tile it is the inner one. Legal wherever the two may change places: no dependence then runs forwards along
/// the one and backwards along the other, and the order along either stays.
final class LoopTiles {
    private static final int[] SIZES = {4, 8, 16, 32};
    private static final Pattern START = Pattern.compile(
            "((?:(?:unsigned|signed|long|short|int|size_t|u?int\\d+_t)\\s+)*)" + "([A-Za-z_]\\w*)\\s*=\\s*(\\S.*)");
    private static final Pattern CONDITION = Pattern.compile("([A-Za-z_]\\w*)\\s*(<=?|!=)\\s*(\\S.*)");

    private final WrittenLoops loops;
    private final String text;

    private LoopTiles(WrittenLoops loops) {
        this.loops = loops;
        this.text = loops.text();
    }

    /// Of nests whose loops may change places.
    static List<Rewrite> of(WrittenLoops loops, List<WrittenLoops.Nest> nests) {
        var tiles = new LoopTiles(loops);
        return nests.stream().flatMap(n -> tiles.of(n).stream()).toList();
    }

    private List<Rewrite> of(WrittenLoops.Nest nest) {
        var found = new ArrayList<Rewrite>();
        for (Loop l : List.of(nest.inner(), nest.outer())) {
            boolean inner = l.id().equals(nest.inner().id());
            loops.counting(l, inner ? nest.innerEnd() : nest.outerEnd())
                    .flatMap(h -> bounds(l, h))
                    .ifPresent(b -> {
                        long trip = l.trip().max().orElse(0);
                        for (int size : SIZES) {
                            if (trip % size == 0 && trip >= 2L * size) {
                                found.add(new Rewrite(
                                        l.label() + " in tiles of " + size
                                                + (inner
                                                        ? ""
                                                        : " inside "
                                                                + nest.inner().label()),
                                        tiled(nest, l, b, size)));
                            }
                        }
                    });
        }
        return found;
    }

    /// How a loop counts.
    ///
    /// @param type with a blank behind it where the loop declares its variable, else empty
    /// @param start first value
    /// @param relation to the end
    private record Bounds(String type, String start, String relation, String end) {}

    private Optional<Bounds> bounds(Loop l, WrittenLoops.Head head) {
        Matcher start = START.matcher(head.start());
        Matcher condition = CONDITION.matcher(head.condition());
        boolean isPlain = start.matches()
                && condition.matches()
                && start.group(2).equals(l.variable())
                && condition.group(1).equals(l.variable())
                && start.group(3).indexOf(',') < 0
                && Pattern.compile("[,?|]|&&")
                        .matcher(condition.group(3))
                        .results()
                        .findAny()
                        .isEmpty()
                && !WrittenLoops.hasWord(condition.group(3), l.variable())
                && !WrittenLoops.hasWord(loops.code(), tile(l))
                && !WrittenLoops.hasWord(loops.code(), tiles(l));
        return isPlain
                ? Optional.of(new Bounds(start.group(1), start.group(3), condition.group(2), condition.group(3)))
                : Optional.empty();
    }

    /// First value of the variable in a tile.
    private static String tile(Loop l) {
        return l.variable() + "_tile";
    }

    /// Label of the loop of the tiles.
    private static String tiles(Loop l) {
        return l.label() + "_tiles";
    }

    private String tiled(WrittenLoops.Nest nest, Loop l, Bounds b, int size) {
        Loop outer = nest.outer();
        String newline = loops.source().newline(outer.keyword().offset());
        String indent = loops.source().indentation(outer.keyword().offset());
        boolean inner = l.id().equals(nest.inner().id());
        Loop first = inner ? outer : nest.inner();
        int end = outer.bodyEnd().offset() + (outer.braced() ? 1 : 0);
        return loops.labelled(0, outer.statementStart().offset())
                + tiles(l) + ": for (" + (b.type().isEmpty() ? "int " : b.type()) + tile(l) + " = " + b.start() + "; "
                + tile(l) + " " + b.relation() + " " + b.end() + "; " + tile(l) + " += " + size + ") {" + newline
                + indent + loops.head(first, inner ? nest.outerEnd() : nest.innerEnd())
                + nest.between()
                + l.label() + ": for (" + b.type() + l.variable() + " = " + tile(l) + "; " + l.variable() + " < "
                + tile(l) + " + " + size + "; " + l.variable() + "++)"
                + loops.labelled(nest.innerEnd(), end) + newline
                + indent + "}"
                + loops.labelled(end, text.length());
    }
}
