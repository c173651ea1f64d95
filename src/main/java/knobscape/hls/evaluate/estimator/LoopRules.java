package knobscape.hls.evaluate.estimator;

import java.util.Arrays;
import java.util.List;
import knobscape.hls.evaluate.estimator.Program.Iteration;
import knobscape.hls.evaluate.estimator.Program.Reference;
import knobscape.hls.evaluate.estimator.Program.Step;
import knobscape.hls.evaluate.estimator.Program.Value;

/// Which loops are pipelined, written out or merged under a plan.
final class LoopRules {
    private final Program program;
    private final Plan plan;
    private final EstimatorSettings settings;

    LoopRules(Program program, Plan plan, EstimatorSettings settings) {
        this.program = program;
        this.plan = plan;
        this.settings = settings;
    }

    /// Whether a loop is to be pipelined, by directive or by the tool's own choice.
    boolean wanted(Iteration it) {
        return plan.pipeline[it.id] == 1 || (plan.pipeline[it.id] < 0 && automatic(it));
    }

    /// Whether a loop and the one that is all its body become one.
    boolean merges(Iteration it) {
        if (!it.perfect
                || plan.unroll[it.id] != 1
                || !it.exactTrip
                || it.children.length != 1
                || plan.loopDataflow[it.id]) {
            return false;
        }
        Iteration inner = program.loops().get(it.children[0]);
        return plan.flatten[it.id] != 0
                && plan.flatten[inner.id] != 0
                && inner.exactTrip
                && !dissolved(inner)
                && inner.maxTrip % plan.unroll[inner.id] == 0;
    }

    private boolean automatic(Iteration it) {
        if (Copies.isCopy(it.source)) {
            return true;
        }
        int threshold = settings.autoPipelineTrip();
        return threshold > 0 && it.children.length == 0 && it.maxTrip >= threshold && !callsLoops(it.reaches);
    }

    private boolean callsLoops(int[] functions) {
        for (int f : functions) {
            if (program.functions().get(f).loops.length > 0) {
                return true;
            }
        }
        return false;
    }

    /// Why the loops inside cannot be written out; empty where they can.
    String unexpandable(Iteration it) {
        for (int l : it.nest) {
            Iteration inner = program.loops().get(l);
            if (l != it.id && !inner.exactTrip) {
                return "cannot be pipelined: the trip count of " + inner.source.id() + " inside it is not constant";
            }
        }
        for (int f : it.reaches) {
            for (int l : program.functions().get(f).loops) {
                if (!program.loops().get(l).exactTrip) {
                    return "cannot be pipelined: the trip count of "
                            + program.loops().get(l).source.id() + " called from it is not constant";
                }
            }
        }
        return "";
    }

    /// Whether directives alone write the loop out completely.
    boolean dissolved(Iteration it) {
        return it.exactTrip
                && it.maxTrip > 0
                && plan.unroll[it.id] >= it.maxTrip
                && plan.pipeline[it.id] != 1
                && allDissolved(it);
    }

    /// Whether every loop inside is written out by directives.
    boolean allDissolved(Iteration it) {
        for (int c : it.children) {
            if (!dissolved(program.loops().get(c))) {
                return false;
            }
        }
        return !callsLoops(it.reaches);
    }

    /// A reset before and a write after a pipelined inner loop can join it, if no memory bank has to be chosen
    /// outside of the inner loop.
    boolean semiPerfect(Iteration it, Frame frame) {
        if (it.children.length != 1
                || plan.unroll[it.id] != 1
                || !it.exactTrip
                || plan.flatten[it.id] == 0
                || plan.loopDataflow[it.id]) {
            return false;
        }
        Iteration inner = program.loops().get(it.children[0]);
        if (!wanted(inner)
                || !inner.exactTrip
                || plan.unroll[inner.id] != 1
                || plan.flatten[inner.id] == 0
                || !unexpandable(inner).isEmpty()) {
            return false;
        }
        boolean after = false;
        for (Step s : it.body) {
            boolean fits = switch (s) {
                case Step.Nested n -> true;
                case Step.Assign a -> !after && pure(a.value());
                case Step.Write w -> after && w.value() instanceof Value.Scalar && settledBank(w.target(), frame);
                default -> false;
            };
            if (!fits) {
                return false;
            }
            after |= s instanceof Step.Nested;
        }
        return choosesInside(inner.body, frame, it, inner);
    }

    private static boolean pure(Value v) {
        return switch (v) {
            case Value.Constant c -> true;
            case Value.Scalar s -> true;
            case Value.Compute c -> Arrays.stream(c.operands()).allMatch(LoopRules::pure);
            default -> false;
        };
    }

    private boolean settledBank(Reference r, Frame frame) {
        Layout l = plan.layouts[frame.arrays()[r.array()]];
        return r.affine() && !l.registers && l.banks == 1;
    }

    /// Whether every choice of a bank or lane that moves with `outer` moves with `inner` too.
    private boolean choosesInside(List<Step> body, Frame frame, Iteration outer, Iteration inner) {
        boolean[] ok = {true};
        References.forEach(body, r -> {
            Layout l = plan.layouts[frame.arrays()[r.array()]];
            if (!r.affine() || l == null || r.constants().length != l.dims) {
                return;
            }
            for (int d = 0; d < l.dims; d++) {
                ok[0] &= !chosenBy(r, d, outer, l.factor[d], l.cyclic[d], l.block[d])
                        || chosenBy(r, d, inner, l.factor[d], l.cyclic[d], l.block[d]);
                ok[0] &= !chosenBy(r, d, outer, l.lanes[d], l.lanesCyclic[d], l.laneBlock[d])
                        || chosenBy(r, d, inner, l.lanes[d], l.lanesCyclic[d], l.laneBlock[d]);
            }
        });
        return ok[0];
    }

    private boolean chosenBy(Reference r, int d, Iteration loop, int factor, boolean cyclic, long block) {
        for (int k = 0; k < r.loops().length; k++) {
            if (r.loops()[k] == loop.id && factor > 1) {
                long step = r.coefficients()[d][k] * loop.source.step();
                return cyclic ? step % factor != 0 : 2 * Math.abs(step) * Math.max(1, loop.maxTrip - 1) >= block;
            }
        }
        return false;
    }
}
