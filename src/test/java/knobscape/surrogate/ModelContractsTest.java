package knobscape.surrogate;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.surrogate.deepgp.DeepGp;
import knobscape.surrogate.deepgp.DeepGpSettings;
import knobscape.surrogate.ensemble.BoostedTrees;
import knobscape.surrogate.ensemble.XgBoost;
import knobscape.surrogate.gp.DeepKernelSettings;
import knobscape.surrogate.gp.DeepKernelTrainer;
import knobscape.surrogate.gp.GpSettings;
import knobscape.surrogate.gp.GrowingProcess;
import knobscape.surrogate.gp.KnobGpSettings;
import knobscape.surrogate.gp.ProcessTrainer;
import knobscape.surrogate.neural.Perceptron;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/// Every model keeps to the same contract.
class ModelContractsTest {
    private static final ProcessTrainer PROCESS = new ProcessTrainer(GpSettings.DEFAULT);

    private abstract static class OfProcesses extends ModelContractTest {
        @Override
        protected Promise[] promises() {
            return Promise.values();
        }
    }

    @Nested
    class Coregional extends OfProcesses {
        @Override
        protected Model.Trainer trainer() {
            return PROCESS;
        }
    }

    @Nested
    class Independent extends OfProcesses {
        @Override
        protected Model.Trainer trainer() {
            return IndependentOutputs.trainer(PROCESS);
        }
    }

    @Nested
    class LinearChain extends ModelContractTest {
        @Override
        protected Model.Trainer trainer() {
            return ProcessTrainer.chain(GpSettings.DEFAULT);
        }

        @Override
        protected Promise[] promises() {
            return new Promise[] {
                Promise.INTERPOLATES, Promise.IS_UNCERTAIN, Promise.UNITS_DO_NOT_MATTER, Promise.TAKES_DATA
            };
        }
    }

    @Nested
    class DeepKernel extends ModelContractTest {
        @BeforeAll
        static void needsLibTorch() {
            Assumptions.assumeTrue(
                    TorchRuntime.problem().isEmpty(),
                    () -> TorchRuntime.problem().orElse(""));
        }

        @Override
        protected Model.Trainer trainer() {
            return new DeepKernelTrainer(
                    new DeepKernelSettings(List.of(20, 10, 3), 60, 3e-3, 0.05, 1e-2, 0.3, GpSettings.DEFAULT));
        }

        @Override
        protected Promise[] promises() {
            return Promise.values();
        }
    }

    @Nested
    class Ladder extends ModelContractTest {
        /// Two fidelities, the lower one half of the outputs.
        @Override
        protected Model.Trainer trainer() {
            return (data, warmStart, seed) -> {
                double[][] lower = Arrays.stream(data.y())
                        .map(r -> Arrays.stream(r).map(v -> 0.5 * v).toArray())
                        .toArray(double[][]::new);
                int[] rows = IntStream.range(0, data.size()).toArray();
                return FidelityLadder.fit(
                        new LadderData(List.of(
                                new LadderData.Level(data.x(), lower, rows),
                                new LadderData.Level(data.x(), data.y(), rows))),
                        PROCESS,
                        List.of(Optional.empty(), Optional.empty()),
                        seed);
            };
        }

        @Override
        protected Promise[] promises() {
            return new Promise[] {Promise.SEVERAL_OUTPUTS, Promise.INTERPOLATES};
        }
    }

    @Nested
    class Bagging extends ModelContractTest {
        @Override
        protected Model.Trainer trainer() {
            return Average.bagging(PROCESS, 3);
        }

        @Override
        protected Promise[] promises() {
            return new Promise[] {Promise.SEVERAL_OUTPUTS, Promise.IS_UNCERTAIN, Promise.UNITS_DO_NOT_MATTER};
        }
    }

    @Nested
    class OverKnobs extends ModelContractTest {
        @Override
        protected Model.Trainer trainer() {
            return GrowingProcess.trainer(new int[] {0, 1, 2}, KnobGpSettings.DEFAULT);
        }

        @Override
        protected Promise[] promises() {
            return new Promise[] {
                Promise.INTERPOLATES, Promise.IS_UNCERTAIN, Promise.UNITS_DO_NOT_MATTER, Promise.TAKES_DATA
            };
        }
    }

    @Nested
    class Deep extends ModelContractTest {
        @BeforeAll
        void torchIsThere() {
            Assumptions.assumeTrue(TorchRuntime.problem().isEmpty(), "LibTorch cannot be used here");
        }

        @Override
        protected Model.Trainer trainer() {
            return DeepGp.trainer(new DeepGpSettings(
                    new DeepGpSettings.Shape(2, 2, 20, true), new DeepGpSettings.Training(40, 300, 50, 2e-2, 1), 10));
        }

        @Override
        protected Promise[] promises() {
            return new Promise[] {Promise.UNITS_DO_NOT_MATTER};
        }
    }

    @Nested
    class Trees extends ModelContractTest {
        @Override
        protected Model.Trainer trainer() {
            return XgBoost.trainer(XgBoost.Options.SMALL);
        }

        @Override
        protected Promise[] promises() {
            return new Promise[0];
        }
    }

    @Nested
    class SmileTrees extends ModelContractTest {
        @Override
        protected Model.Trainer trainer() {
            return BoostedTrees.trainer(new BoostedTrees.Options(60, 3, 0.2));
        }

        @Override
        protected Promise[] promises() {
            return new Promise[0];
        }
    }

    @Nested
    class Network extends ModelContractTest {
        @Override
        protected Model.Trainer trainer() {
            return (data, warmStart, seed) ->
                    Perceptron.fit(data, new Perceptron.Options(new int[] {16, 16}, 1e-2, 1e-5, seed), 800);
        }

        @Override
        protected Promise[] promises() {
            return new Promise[0];
        }
    }
}
