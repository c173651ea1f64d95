package knobscape;

import knobscape.surrogate.Model;
import knobscape.surrogate.ModelContractTest;

class NearestDesignContractTest extends ModelContractTest {
    @Override
    protected Model.Trainer trainer() {
        return NearestDesign::fit;
    }

    @Override
    protected Promise[] promises() {
        return new Promise[] {Promise.INTERPOLATES, Promise.UNITS_DO_NOT_MATTER};
    }

    @Override
    protected double explained() {
        return 0.3;
    }
}
