package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// A natural loop.
final class CodeLoop {
    final CodeBlock header;
    final List<CodeBlock> latches = new ArrayList<>();
    final BitSet blocks = new BitSet();
    OptionalLong interval = OptionalLong.empty();

    private CodeLoop(CodeBlock header) {
        this.header = header;
        blocks.set(header.number);
    }

    boolean contains(CodeBlock b) {
        return blocks.get(b.number);
    }

    /// Finds the loops and puts every block into its innermost one.
    ///
    /// @param blocks reachable ones, the entry first
    static List<CodeLoop> find(List<CodeBlock> blocks) {
        Map<CodeBlock, BitSet> dominators = dominators(blocks);
        var byHeader = new HashMap<CodeBlock, CodeLoop>();
        for (CodeBlock b : blocks) {
            for (CodeBlock s : b.next) {
                BitSet of = dominators.get(b);
                if (of != null && of.get(s.number)) {
                    CodeLoop l = byHeader.computeIfAbsent(s, CodeLoop::new);
                    l.latches.add(b);
                    if (b.interval.isPresent()) {
                        l.interval = b.interval;
                    }
                    l.collect(b);
                }
            }
        }
        List<CodeLoop> all = byHeader.values().stream()
                .sorted(java.util.Comparator.comparingInt((CodeLoop l) -> l.blocks.cardinality())
                        .reversed()
                        .thenComparingInt(l -> l.header.number))
                .toList();
        // The largest first, so that the innermost one stays.
        for (CodeLoop l : all) {
            blocks.stream().filter(l::contains).forEach(b -> b.loop = l);
        }
        return all;
    }

    private void collect(CodeBlock b) {
        if (!blocks.get(b.number)) {
            blocks.set(b.number);
            b.before.forEach(this::collect);
        }
    }

    private static Map<CodeBlock, BitSet> dominators(List<CodeBlock> blocks) {
        var all = new HashMap<CodeBlock, BitSet>();
        var full = new BitSet();
        blocks.forEach(b -> full.set(b.number));
        blocks.forEach(b -> all.put(b, (BitSet) full.clone()));
        CodeBlock entry = blocks.getFirst();
        var first = new BitSet();
        first.set(entry.number);
        all.put(entry, first);
        boolean changed = true;
        while (changed) {
            changed = false;
            for (CodeBlock b : blocks.subList(1, blocks.size())) {
                var now = (BitSet) full.clone();
                for (CodeBlock p : b.before) {
                    now.and(java.util.Objects.requireNonNull(all.get(p)));
                }
                now.set(b.number);
                if (!now.equals(all.put(b, now))) {
                    changed = true;
                }
            }
        }
        return all;
    }
}
