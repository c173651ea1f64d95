package knobscape.explore.bayes;

import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;

/// Tool time from scratch to the end of each stage: the running mean of what was measured, and what the evaluator calls typical before that.
final class StageCosts {
    private final double[] upTo;

    StageCosts(EvaluatorInfo info, History history) {
        int stages = info.fidelities().size();
        double[] sum = new double[stages];
        int[] count = new int[stages];
        for (Evaluation e : history.evaluations()) {
            if (e.isMeasured()) {
                sum[e.fidelity().rank()] += e.costSeconds();
                count[e.fidelity().rank()]++;
            }
        }
        upTo = new double[stages];
        double total = 0;
        for (int i = 0; i < stages; i++) {
            total += count[i] > 0 ? sum[i] / count[i] : info.typicalSeconds().getOrDefault(info.fidelities().get(i).name(), 0.0);
            upTo[i] = total;
        }
    }

    /// `T_top / T_i` (thesis Eq. 3.15) for the fidelity of rank `i`; 1 where nothing costs anything.
    double advantage(int i) {
        double top = upTo[upTo.length - 1];
        return top > 0 ? top / Math.max(upTo[i], 1e-6 * top) : 1;
    }
}
