package knobscape.explore.bayes;

import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;

/// Tool time from scratch to the end of each stage: the running mean of what was measured, and what the
/// evaluator calls typical before that.
final class MeasuredCosts implements StageCosts {
    /// Least share of a full run that a stage is taken to cost.
    private static final double LEAST = 1e-6;

    private final double[] upTo;
    private final double step;

    /// @param step what a step itself costs, as a share of a run to the top
    MeasuredCosts(EvaluatorInfo info, History history, double step) {
        this.step = step;
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
            total += count[i] > 0
                    ? sum[i] / count[i]
                    : info.typicalSeconds()
                            .getOrDefault(info.fidelities().get(i).name(), 0.0);
            upTo[i] = total;
        }
    }

    @Override
    public double fullSeconds() {
        return upTo[upTo.length - 1];
    }

    /// `T_top / T_i` (thesis Eq. 3.15), every time raised by a share of `T_top` that stands for the step itself; 1
    /// where
    /// nothing costs anything.
    @Override
    public double advantage(int rank) {
        double top = fullSeconds();
        return top > 0 ? (1 + step) / Math.max(LEAST, upTo[rank] / top + step) : 1;
    }

    @Override
    public double share(int done, int to) {
        double top = fullSeconds();
        return top > 0 ? Math.max(LEAST, (upTo[to] - (done < 0 ? 0 : upTo[done])) / top) : 1;
    }
}
