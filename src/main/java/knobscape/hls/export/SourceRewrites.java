package knobscape.hls.export;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;

/// Rewrites of a kernel's main file that its dependences allow: two loops of a perfect nest interchanged
/// ([WrittenLoops#turnable]), a nest tiled ([LoopTiles]), an accumulation split into partial sums ([SplitSums]), and an
/// array in external memory copied to a local one ([LocalCopies]). Loops keep their names, as labels. What is proven
/// here is that no dependence is turned around; sums of floating-point numbers come out in another order. Whether a
/// text computes the same is for a run to show.
public final class SourceRewrites {
    private final WrittenLoops loops;
    private final String text;

    /// Another text for the main file.
    ///
    /// @param name what was done, in words without `;` and `=`
    /// @param text the whole file
    public record Rewrite(String name, String text) {}

    private SourceRewrites(WrittenLoops loops) {
        this.loops = loops;
        this.text = loops.text();
    }

    /// All of a kernel by kind: interchanges, local copies, sums, tiles; each in the order of its loops or arrays.
    public static List<Rewrite> of(Kernel kernel) {
        var written = new WrittenLoops(kernel);
        var rewrites = new SourceRewrites(written);
        var sums = new SplitSums(written);
        List<Loop> all = kernel.loops().stream().filter(written::isWritten).toList();
        List<WrittenLoops.Nest> nests =
                all.stream().flatMap(l -> written.turnable(l).stream()).toList();
        return Stream.of(
                        nests.stream().map(rewrites::interchanged),
                        LocalCopies.of(written).stream(),
                        all.stream().flatMap(l -> sums.of(l).stream()),
                        LoopTiles.of(written, nests).stream())
                .flatMap(s -> s)
                .toList();
    }

    private Rewrite interchanged(WrittenLoops.Nest nest) {
        Loop outer = nest.outer();
        return new Rewrite(
                outer.label() + " inside " + nest.inner().label(),
                loops.labelled(0, outer.statementStart().offset())
                        + loops.head(nest.inner(), nest.innerEnd())
                        + nest.between()
                        + loops.head(outer, nest.outerEnd())
                        + loops.labelled(nest.innerEnd(), text.length()));
    }

    /// How a rewritten file differs, as a unified diff of one hunk with three lines around it.
    public static String diff(Path file, String before, String after) {
        List<String> a = before.lines().toList();
        List<String> b = after.lines().toList();
        int same = 0;
        while (same < Math.min(a.size(), b.size()) && a.get(same).equals(b.get(same))) {
            same++;
        }
        int tail = 0;
        while (tail < Math.min(a.size(), b.size()) - same
                && a.get(a.size() - 1 - tail).equals(b.get(b.size() - 1 - tail))) {
            tail++;
        }
        int from = Math.max(0, same - 3);
        int more = Math.min(3, tail);
        var out = new StringBuilder();
        out.append("--- a/").append(file.getFileName()).append("\n+++ b/").append(file.getFileName());
        out.append(String.format(
                        "%n@@ -%d,%d +%d,%d @@%n",
                        from + 1, a.size() - tail + more - from, from + 1, b.size() - tail + more - from)
                .replace("\r", ""));
        a.subList(from, same).forEach(s -> out.append(' ').append(s).append('\n'));
        a.subList(same, a.size() - tail).forEach(s -> out.append('-').append(s).append('\n'));
        b.subList(same, b.size() - tail).forEach(s -> out.append('+').append(s).append('\n'));
        a.subList(a.size() - tail, a.size() - tail + more)
                .forEach(s -> out.append(' ').append(s).append('\n'));
        return out.toString();
    }
}
