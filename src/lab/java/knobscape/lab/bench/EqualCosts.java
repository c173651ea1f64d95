package knobscape.lab.bench;

import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.StageCosts;

/// Stages that are taken as equally long: cost does not count in choosing one.
///
/// @param measured what they took
/// @param stages number of them
record EqualCosts(StageCosts measured, int stages) implements StageCosts {
    static final BayesSettings.CostRule RULE = (info, history) -> new EqualCosts(
            BayesSettings.CostRule.MEASURED.of(info, history), info.fidelities().size());

    @Override
    public double fullSeconds() {
        return measured.fullSeconds();
    }

    @Override
    public double advantage(int rank) {
        return 1;
    }

    @Override
    public double share(int done, int to) {
        return (double) (to - done) / stages;
    }
}
