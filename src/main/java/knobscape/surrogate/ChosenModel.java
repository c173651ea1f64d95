package knobscape.surrogate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The likelier of several models. Which one that is may change with every fit.
///
/// @param chosen the model
/// @param which its position among the alternatives
/// @param parameters hyper-parameters of all alternatives, one after another, each preceded by its length
public record ChosenModel(Model chosen, int which, double[] parameters) implements Model {

    /// Fits all alternatives and takes the one of the largest [#fitness].
    public static Trainer trainer(List<Trainer> alternatives) {
        return (data, warmStart, seed) -> {
            List<double[]> starts = warmStart.map(IndependentOutputs::split).orElse(List.of());
            List<Model> fitted = new ArrayList<>();
            for (int i = 0; i < alternatives.size(); i++) {
                fitted.add(alternatives
                        .get(i)
                        .fit(data, i < starts.size() ? Optional.of(starts.get(i)) : Optional.empty(), seed));
            }
            int best = 0;
            for (int i = 1; i < fitted.size(); i++) {
                if (fitted.get(i).fitness() > fitted.get(best).fitness()) {
                    best = i;
                }
            }
            return new ChosenModel(fitted.get(best), best, IndependentOutputs.joined(fitted));
        };
    }

    @Override
    public int outputs() {
        return chosen.outputs();
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return chosen.posterior(x, lower);
    }

    @Override
    public Posterior screen(double[][] x, Posterior lower) {
        return chosen.screen(x, lower);
    }

    @Override
    public double[][][] paths(double[][] x, double[][][] lower, long seed) {
        return chosen.paths(x, lower, seed);
    }

    @Override
    public double[] noise() {
        return chosen.noise();
    }

    @Override
    public Model given(TrainingData data) {
        return new ChosenModel(chosen.given(data), which, parameters);
    }

    @Override
    public double fitness() {
        return chosen.fitness();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        var all = new LinkedHashMap<>(chosen.diagnostics());
        all.put("chosen", new double[] {which});
        return all;
    }
}
