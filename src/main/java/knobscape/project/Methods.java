package knobscape.project;

import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.explore.RandomExplorer;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;

/// The search strategies this program knows, in the order shown.
///
/// @param all every method
public record Methods(List<Method> all) {
    public Methods {
        all = List.copyOf(all);
    }

    /// The methods that come with the program.
    public static Methods standard() {
        return new Methods(List.of(
                new Method("cgp", "CGP", "Bayesian optimisation over all fidelities with correlated Gaussian processes.", p -> new CgpExplorer(p.space(), p.encoder(), p.info(),
                        BayesSettings.DEFAULT.withInitialDesigns(p.initialDesigns()), p.seed())),
                new Method("random", "Random search", "Uniform draws, each run to the highest fidelity.",
                        p -> new RandomExplorer(p.space(), p.info().top(), p.initialDesigns(), p.seed()))));
    }

    /// The method called `name`; throws [UserError] naming the nearest where there is none.
    public Method named(String name) {
        var names = all.stream().map(Method::name).toList();
        return all.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow(() -> new UserError(
                "There is no method '" + name + "'" + Names.didYouMean(name, names) + "; known: " + String.join(", ", names) + "."));
    }
}
