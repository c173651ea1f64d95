package knobscape.gpu.space.sketch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Ansor's rules for GPUs (Zheng et al., OSDI 2020, as released with TVM 0.8): functions of each element are
/// always inlined; a stage whose inputs are used again is tiled, its inputs go through shared memory and its
/// sums stay in registers until the one function of each element behind it has been applied; a long reduction
/// of a small result is also tried across threads; every other stage gets a thread for each element.
final class SketchRules {
    /// Threads per block of every GPU, and per warp.
    static final long MAX_THREADS = 1024;

    static final long WARP = 32;

    private SketchRules() {}

    /// The sketches of a computation, at least one.
    static List<Sketch> of(Computation c) {
        List<List<Sketch.Root>> all = new ArrayList<>(List.of(List.of()));
        List<Stage> stages = c.stages();
        for (int i = 0; i < stages.size(); i++) {
            Stage s = stages.get(i);
            if (c.isInlined(s) || (!s.isReduction() && isConsumed(all.getFirst(), i))) {
                continue;
            }
            Optional<Integer> consumer = s.isReduction() ? consumer(c, i) : Optional.empty();
            var longer = new ArrayList<List<Sketch.Root>>();
            for (Sketch.Rule rule : rules(s)) {
                for (List<Sketch.Root> before : all) {
                    var more = new ArrayList<>(before);
                    more.add(new Sketch.Root(i, consumer, rule));
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all.stream().map(Sketch::new).toList();
    }

    private static boolean isConsumed(List<Sketch.Root> roots, int stage) {
        return roots.stream().anyMatch(r -> r.consumer().filter(x -> x == stage).isPresent());
    }

    private static List<Sketch.Rule> rules(Stage s) {
        var rules = new ArrayList<Sketch.Rule>();
        rules.add(s.needsTiling() ? Sketch.Rule.TILED : Sketch.Rule.PLAIN);
        if (s.wantsCrossThreads(MAX_THREADS, WARP)) {
            rules.add(Sketch.Rule.CROSS_THREAD);
        }
        return rules;
    }

    /// The output, where it is a function of each element of this reduction and of nothing that is reduced
    /// later.
    private static Optional<Integer> consumer(Computation c, int stage) {
        int last = c.stages().size() - 1;
        Stage output = c.output();
        Stage own = c.stages().get(stage);
        if (output.isReduction() || stage == last) {
            return Optional.empty();
        }
        var direct = Stage.elementwise(output.operator(), output.result(), output.space(), c.inlined(output.value()));
        boolean isLast = IntStream.range(stage + 1, last)
                .noneMatch(i -> c.stages().get(i).isReduction());
        return isLast && direct.reads().contains(own.result()) && direct.readsInPlace(own.result())
                ? Optional.of(last)
                : Optional.empty();
    }
}
