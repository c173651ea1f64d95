package knobscape.explore;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;

/// The front of the top fidelity while a run is running: updated with every arrival, its hypervolume computed
/// only when it changed.
final class TopFront {
    private final Objectives objectives;
    private final Map<Configuration, double[]> vectors = new LinkedHashMap<>();
    private ParetoFront<Configuration> front;
    private double hypervolume;

    TopFront(Objectives objectives) {
        this.objectives = objectives;
        this.front = new ParetoFront<>(objectives.count());
    }

    /// True if an evaluation has a vector that nothing on the front is as good as.
    boolean improves(Evaluation evaluation) {
        return objectives.vector(evaluation).filter(y -> !front.covers(y)).isPresent();
    }

    /// Takes in an evaluation made at the top fidelity; one without all objectives changes nothing. A newer
    /// value of a configuration replaces the older. Whether the front has another vector than before.
    boolean add(Evaluation evaluation) {
        Optional<double[]> vector = objectives.vector(evaluation);
        if (vector.isEmpty()) {
            return false;
        }
        double[] y = vector.get();
        double[] earlier = vectors.put(evaluation.configuration(), y);
        if (earlier != null && Arrays.equals(earlier, y)) {
            return false;
        }
        boolean isNew = !front.covers(y);
        boolean changed = true;
        if (earlier == null) {
            changed = front.add(y, evaluation.configuration());
        } else {
            front = new ParetoFront<>(objectives.count());
            vectors.forEach((configuration, v) -> front.add(v, configuration));
        }
        if (changed) {
            hypervolume = front.hypervolume(objectives.referencePoint());
        }
        return isNew;
    }

    double hypervolume() {
        return hypervolume;
    }

    int size() {
        return front.size();
    }
}
