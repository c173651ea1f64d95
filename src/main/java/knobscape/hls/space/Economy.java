package knobscape.hls.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.space.DirectiveSpace.PruningStep;

/// The parts that the default space leaves out, one after the other, where its knobs cannot be counted.
enum Economy {
    /// Everything is offered.
    NONE,
    /// Arrays are partitioned and not reshaped.
    PARTITIONING,
    /// A loop around others is rather pipelined than unrolled. Dimensions that only such loops walk are
    /// partitioned completely or not at all.
    INNERMOST_UNROLLING,
    /// Pipelining a loop around others unrolls them, which ties all their knobs to it.
    INNERMOST_PIPELINING,
    FACTORS_UP_TO_4,
    /// Each dimension is partitioned completely or not at all, and each loop unrolled by two or not at all.
    FACTOR_2;

    /// A dimension with more loops ties more of them together than can be counted soon.
    private static final int MANY_LOOPS = 8;

    /// Takes the banks of arrays that many loops share out of the plan, so that these loops no longer depend on each
    /// other; what was left out in words.
    static Optional<PruningStep> leaveShared(KnobPlan plan, ArrayUses uses) {
        List<String> left = plan.partition().keySet().stream()
                .filter(at -> isShared(at, uses))
                .map(ArrayDimension::toString)
                .toList();
        plan.partition().keySet().removeIf(at -> isShared(at, uses));
        plan.reshape().keySet().removeIf(at -> isShared(at, uses));
        return step(
                !left.isEmpty(),
                "arrays that more than " + MANY_LOOPS + " loops index keep the banks they have: with banks of "
                        + some(left) + " too");
    }

    private static boolean isShared(ArrayDimension at, ArrayUses uses) {
        return uses.loops(at).size() > MANY_LOOPS;
    }

    /// Takes values out of the plan; what was left out in words, empty where nothing was.
    Optional<PruningStep> apply(KnobPlan plan, Nests nests, ArrayUses uses) {
        return switch (this) {
            case NONE -> Optional.empty();
            case PARTITIONING -> {
                boolean some = !plan.reshape().isEmpty();
                plan.reshape().clear();
                yield step(some, "reshaping is not offered: with it");
            }
            case INNERMOST_PIPELINING -> {
                List<String> left = plan.pipeline().keySet().stream()
                        .filter(l -> nests.copiesInside(nests.loop(l)) > 1)
                        .toList();
                left.forEach(plan.pipeline()::remove);
                leaveUnwalked(plan, nests, uses);
                yield step(
                        !left.isEmpty(), "pipelining is offered for innermost loops only: with " + some(left) + " too");
            }
            case INNERMOST_UNROLLING -> {
                List<String> left = plan.unroll().keySet().stream()
                        .filter(l -> !nests.loop(l).children().isEmpty())
                        .toList();
                left.forEach(plan.unroll()::remove);
                plan.asTheyAre().addAll(left);
                leaveUnwalked(plan, nests, uses);
                yield step(
                        !left.isEmpty(), "unrolling is offered for innermost loops only: with " + some(left) + " too");
            }
            case FACTORS_UP_TO_4 -> step(limit(plan, 4), "factors above 4 are not offered: with them");
            case FACTOR_2 -> step(limit(plan, 2), "factors above 2 are not offered: with them");
        };
    }

    /// Takes the factors from dimensions that no loop with copies of its body walks any more.
    private static void leaveUnwalked(KnobPlan plan, Nests nests, ArrayUses uses) {
        var coverage = new Coverage(nests, plan.pipeline().keySet());
        for (var e : List.copyOf(plan.partition().entrySet())) {
            if (uses.loops(e.getKey()).keySet().stream()
                    .noneMatch(l -> plan.unroll().containsKey(l) || coverage.possible(l))) {
                KnobPlan.Partition p = e.getValue();
                if (p.types().contains("complete")) {
                    plan.partition()
                            .put(
                                    e.getKey(),
                                    new KnobPlan.Partition(
                                            List.of("none", "complete"),
                                            List.of(1, p.factors().getLast())));
                } else {
                    plan.partition().remove(e.getKey());
                }
            }
        }
    }

    private static boolean limit(KnobPlan plan, int most) {
        boolean[] changed = {false};
        plan.unroll().replaceAll((loop, factors) -> {
            List<Integer> fewer = factors.stream().filter(f -> f <= most).toList();
            changed[0] |= fewer.size() < factors.size();
            return fewer;
        });
        plan.unroll().forEach((loop, factors) -> {
            if (factors.size() < 2) {
                plan.asTheyAre().add(loop);
            }
        });
        plan.unroll().keySet().removeAll(plan.asTheyAre());
        var fewer = new java.util.LinkedHashMap<ArrayDimension, KnobPlan.Partition>();
        plan.partition().forEach((at, p) -> {
            int whole = p.types().contains("complete") ? p.factors().getLast() : 1;
            List<Integer> factors =
                    p.factors().stream().filter(f -> f <= most || f == whole).toList();
            changed[0] |= factors.size() < p.factors().size();
            boolean some = factors.stream().anyMatch(f -> f > 1 && f != whole);
            List<String> types = p.types().stream()
                    .filter(t -> some || t.equals("none") || t.equals("complete"))
                    .toList();
            if (types.size() > 1) {
                fewer.put(at, new KnobPlan.Partition(types, factors));
            }
        });
        plan.partition().keySet().retainAll(fewer.keySet());
        plan.partition().putAll(fewer);
        for (Map.Entry<ArrayDimension, List<Integer>> e :
                new ArrayList<>(plan.reshape().entrySet())) {
            plan.reshape()
                    .put(
                            e.getKey(),
                            e.getValue().stream().filter(f -> f <= most).toList());
        }
        plan.reshape().values().removeIf(f -> f.size() < 2);
        return changed[0];
    }

    private static Optional<PruningStep> step(boolean changed, String words) {
        return changed
                ? Optional.of(new PruningStep(
                        words
                                + " the knobs constrain each other too closely to be counted; a directive file can name a few of them",
                        List.of(),
                        BigInteger.ONE,
                        BigInteger.ONE))
                : Optional.empty();
    }

    private static String some(List<String> loops) {
        return String.join(", ", loops.stream().limit(8).toList())
                + (loops.size() > 8 ? " and " + (loops.size() - 8) + " more" : "");
    }
}
