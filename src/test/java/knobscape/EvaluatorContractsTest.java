package knobscape;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorContractTest;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.GridSpace;
import knobscape.explore.SyntheticFlow;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.space.StrategySpace;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Template;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.project.Project;
import knobscape.space.DesignSpace;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/// Every evaluator of the program and of its tests keeps to the same contract.
class EvaluatorContractsTest {
    private static Path write(Path folder, String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Nested
    class Box extends EvaluatorContractTest {
        @Override
        protected Evaluator evaluator() {
            return new BoxEvaluator();
        }

        @Override
        protected DesignSpace space() {
            return GridSpace.of(6, 6, 6);
        }
    }

    @Nested
    class Synthetic extends EvaluatorContractTest {
        @Override
        protected Evaluator evaluator() {
            return new SyntheticFlow(false);
        }

        @Override
        protected DesignSpace space() {
            return SyntheticFlow.SPACE;
        }
    }

    @Nested
    class Estimator extends EvaluatorContractTest {
        private static final HlsWorkbench BENCH = bench(Project.open(Path.of("sample-projects/spmv_crs")));

        private static HlsWorkbench bench(Project project) {
            return HlsWorkbench.open(project, project.file().both(), HlsTools.standard());
        }

        @Override
        protected Evaluator evaluator() {
            return BENCH.evaluator(HlsSettings.defaultRun());
        }

        @Override
        protected DesignSpace space() {
            return BENCH.space();
        }
    }

    @Nested
    class Replay extends EvaluatorContractTest {
        @TempDir
        Path folder;

        private ReplaySet set() {
            write(folder, "t.yaml", """
                    name: t
                    description: Two stages.
                    replay: 1
                    knobs:
                      columns: ["k*"]
                    metrics:
                      lut: {label: LUT, limit: 1000}
                    fidelities:
                      - {name: hls, seconds: "10", metrics: {lut: hls_lut}}
                      - {name: impl, seconds: "20", valid: "first(ok, 1)", metrics: {lut: lut}}
                    objectives: [lut]
                    """);
            return ReplaySet.open(write(folder, "t.csv", "k1,hls_lut,lut,ok\n1,500,400,\n2,700,600,1\n4,900,,0\n"));
        }

        @Override
        protected Evaluator evaluator() {
            return set().evaluator();
        }

        @Override
        protected DesignSpace space() {
            return set().space();
        }
    }

    @Nested
    class MeasuredKernels extends EvaluatorContractTest {
        @TempDir
        Path folder;

        private MeasuredSet set() {
            return MeasuredSet.open(write(folder, "A100.csv", """
                    block_size_x,block_size_y,tile_size_x,tile_size_y,read_only,use_padding,use_shmem,status,time_ms,min_ms,std_ms,runs,compile_ms,bench_ms
                    16,1,1,1,0,0,0,ok,2.0,1.9,0.1,32,900,100
                    32,1,1,1,0,0,1,run_failed,,,,0,500,0
                    """));
        }

        @Override
        protected Evaluator evaluator() {
            return set().evaluator();
        }

        @Override
        protected DesignSpace space() {
            return set().space();
        }
    }

    @Nested
    class GpuModel extends EvaluatorContractTest {
        private final Template template = Templates.of(new Workload.Conv2d(
                        ElementType.FLOAT32,
                        1,
                        4,
                        8,
                        8,
                        8,
                        new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                        new Workload.Conv2d.Padding(1, 1, 1, 1),
                        1))
                .getFirst();

        @Override
        protected Evaluator evaluator() {
            return new ScheduleEvaluator(template, Epilogue.NONE, ModelDevice.named("gtx1080ti"));
        }

        @Override
        protected DesignSpace space() {
            return template.space();
        }
    }

    @Nested
    class Fusion extends EvaluatorContractTest {
        private static final FusionCostModel MODEL =
                new FusionCostModel(FusionSamples.zoo("resnet18"), Accelerator.calibrated(), 64);
        private static final StrategySpace STRATEGIES = StrategySpace.of(MODEL.network(), 64);

        @Override
        protected Evaluator evaluator() {
            return new FusionEvaluator(MODEL, STRATEGIES);
        }

        @Override
        protected DesignSpace space() {
            return STRATEGIES.space();
        }
    }
}
