package knobscape.compile.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrFunction;

/// Control flow of a function: its blocks by number, the entry being block 0. Blocks that cannot be reached have no
/// place in it.
public final class FlowGraph {
    private final int[][] next;
    private final int[][] before;
    private final int[] order;
    private final int[] position;
    private final int[] dominator;
    private final BitSet[] forward;

    /// The graph of these successors, by block.
    public FlowGraph(int[][] successors) {
        next = successors;
        position = new int[next.length];
        order = reversePostorder();
        before = predecessors();
        dominator = new int[next.length];
        forward = new BitSet[next.length];
        findDominators();
    }

    /// The graph of a function with a body.
    public static FlowGraph of(IrFunction function) {
        int[][] next = new int[function.blocks().size()][];
        for (IrBlock b : function.blocks()) {
            next[b.index()] = switch (b.terminator().opcode()) {
                case BR, SWITCH, INDIRECT_BR, INVOKE, CALL_BR ->
                    b.successors().stream()
                            .mapToInt(Integer::intValue)
                            .distinct()
                            .toArray();
                default -> new int[0];
            };
        }
        return new FlowGraph(next);
    }

    private int[] reversePostorder() {
        Arrays.fill(position, -1);
        int[] out = new int[next.length];
        int at = next.length;
        int[] stack = new int[next.length + 1];
        int[] taken = new int[next.length];
        boolean[] seen = new boolean[next.length];
        int top = 0;
        if (next.length > 0) {
            stack[top++] = 0;
            seen[0] = true;
        }
        while (top > 0) {
            int b = stack[top - 1];
            if (taken[b] < next[b].length) {
                int s = next[b][taken[b]++];
                if (!seen[s]) {
                    seen[s] = true;
                    stack[top++] = s;
                }
            } else {
                top--;
                out[--at] = b;
            }
        }
        int[] found = Arrays.copyOfRange(out, at, next.length);
        for (int i = 0; i < found.length; i++) {
            position[found[i]] = i;
        }
        return found;
    }

    private int[][] predecessors() {
        List<List<Integer>> all = new ArrayList<>();
        for (int b = 0; b < next.length; b++) {
            all.add(new ArrayList<>());
        }
        for (int b : order) {
            for (int s : next[b]) {
                all.get(s).add(b);
            }
        }
        return all.stream()
                .map(l -> l.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /// Cooper, Harvey and Kennedy: dominators by meeting in the tree until nothing changes.
    private void findDominators() {
        Arrays.fill(dominator, -1);
        if (order.length == 0) {
            return;
        }
        dominator[0] = 0;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 1; i < order.length; i++) {
                int b = order[i];
                int meet = -1;
                for (int p : before[b]) {
                    if (dominator[p] >= 0) {
                        meet = meet < 0 ? p : meeting(p, meet);
                    }
                }
                if (dominator[b] != meet) {
                    dominator[b] = meet;
                    changed = true;
                }
            }
        }
    }

    private int meeting(int a, int b) {
        int x = a;
        int y = b;
        while (x != y) {
            while (position[x] > position[y]) {
                x = dominator[x];
            }
            while (position[y] > position[x]) {
                y = dominator[y];
            }
        }
        return x;
    }

    /// Blocks that can be reached, each before those it leads to except over a back edge.
    public int[] order() {
        return order.clone();
    }

    /// Where a block stands in [#order()], -1 for one that cannot be reached.
    public int position(int block) {
        return position[block];
    }

    /// Blocks that follow.
    public int[] next(int block) {
        return next[block];
    }

    /// Blocks that lead here.
    public int[] before(int block) {
        return before[block];
    }

    /// The block's immediate dominator, itself for the entry.
    public int dominator(int block) {
        return dominator[block];
    }

    /// True if every way from the entry to `b` passes `a`.
    public boolean dominates(int a, int b) {
        int x = b;
        while (position[x] > position[a]) {
            x = dominator[x];
        }
        return x == a;
    }

    /// True if control can go from `a` to `b`, a different block, without a back edge.
    public boolean reaches(int a, int b) {
        BitSet known = forward[a];
        if (known == null) {
            known = new BitSet();
            int[] stack = new int[order.length + 1];
            int top = 0;
            stack[top++] = a;
            while (top > 0) {
                int x = stack[--top];
                for (int s : next[x]) {
                    if (position[s] > position[x] && !known.get(s)) {
                        known.set(s);
                        stack[top++] = s;
                    }
                }
            }
            forward[a] = known;
        }
        return known.get(b);
    }

    /// True if at most one of two different blocks runs between two back edges.
    public boolean exclusive(int a, int b) {
        return a != b && !reaches(a, b) && !reaches(b, a);
    }

    /// Blocks whose branch decides whether `block` runs, nearest first, up to where control enters `from` (a block that
    /// dominates it). Ways that leave `within` do not count.
    public List<Integer> deciders(int block, int from, BitSet within) {
        var all = new ArrayList<Integer>();
        int x = block;
        while (x != from && x != dominator[x]) {
            int d = dominator[x];
            if (next[d].length > 1 && !follows(x, d, within)) {
                all.add(d);
            }
            x = d;
        }
        return all;
    }

    /// True if every way out of `d` that stays in `within` passes `x` before it comes back.
    private boolean follows(int x, int d, BitSet within) {
        var seen = new BitSet();
        int[] stack = new int[order.length + 1];
        int top = 0;
        for (int s : next[d]) {
            if (!seen.get(s)) {
                seen.set(s);
                stack[top++] = s;
            }
        }
        while (top > 0) {
            int b = stack[--top];
            if (b == x || !within.get(b)) {
                continue;
            }
            if (position[b] <= position[d] || next[b].length == 0) {
                return false;
            }
            for (int s : next[b]) {
                if (!seen.get(s)) {
                    seen.set(s);
                    if (top == stack.length) {
                        stack = Arrays.copyOf(stack, top * 2);
                    }
                    stack[top++] = s;
                }
            }
        }
        return true;
    }
}
