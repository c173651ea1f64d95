package knobscape.explore;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;

/// The front of the top fidelity while a run goes on: updated with every arrival, its hypervolume computed only when it changed.
final class TopFront {
    private final Objectives objectives;
    private final Map<Configuration, double[]> vectors = new LinkedHashMap<>();
    private ParetoFront<Configuration> front;
    private double hypervolume;

    TopFront(Objectives objectives) {
        this.objectives = objectives;
        this.front = new ParetoFront<>(objectives.count());
    }

    /// Takes in an evaluation made at the top fidelity; one without all objectives changes nothing. A newer value of a configuration replaces the older.
    void add(Evaluation evaluation) {
        objectives.vector(evaluation).ifPresent(y -> {
            double[] earlier = vectors.put(evaluation.configuration(), y);
            if (earlier != null && Arrays.equals(earlier, y)) {
                return;
            }
            boolean changed = true;
            if (earlier == null) {
                changed = front.add(y, evaluation.configuration());
            } else {
                front = new ParetoFront<>(objectives.count());
                vectors.forEach((configuration, vector) -> front.add(vector, configuration));
            }
            if (changed) {
                hypervolume = front.hypervolume(objectives.referencePoint());
            }
        });
    }

    double hypervolume() {
        return hypervolume;
    }

    int size() {
        return front.size();
    }
}
