package knobscape.explore.regression;

import knobscape.surrogate.Model;
import knobscape.surrogate.ModelContractTest;

class RidgeContractTest extends ModelContractTest {
    @Override
    protected Model.Trainer trainer() {
        return RegressionMethods.ridge();
    }

    @Override
    protected Promise[] promises() {
        return new Promise[0];
    }

    /// It sees the linear part alone.
    @Override
    protected double explained() {
        return 0.3;
    }
}
