package knobscape.gpu.evaluate.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.Operands;
import knobscape.gpu.codegen.ResultCheck;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Kernels of random annotations of sketches on a real OpenCL device, which may be a CPU.
class SketchOpenClTest {
    /// Sketches of the slow test over all kinds of work; compiling one takes a CPU a second or two.
    private static final int MANY = Integer.getInteger("knobscape.opencl.sketches", 24);

    @Test
    void aFewSketchesComputeTheWork() {
        run(4, 5);
    }

    @Tag("slow")
    @Test
    void manySketchesComputeTheWork() {
        run(MANY, 2026);
    }

    private static void run(int count, long seed) {
        OpenClTest.assumeOpenCl();
        var random = new Random(seed);
        List<Workload> work = WorkSamples.sketched();
        try (var backend = new DeviceBackend(KernelLanguage.OPENCL, 0)) {
            for (int i = 0; i < count; i++) {
                SketchSource source = SketchSource.of(work.get(i % work.size())).orElseThrow();
                List<Epilogue> tails = WorkSamples.epilogues(source.workload());
                Schedule s = WorkSamples.brief(source, tails.get(random.nextInt(tails.size())), random);
                Operands operands = Operands.random(s, i);
                try (Backend.CompiledKernelHandle kernels = backend.compile(s)) {
                    kernels.load(operands);
                    assertThat(kernels.run(false)).isPositive();
                    ResultCheck check = ResultCheck.of(s, operands, kernels.output(), i);
                    assertThat(check.passed())
                            .as(() -> source.id() + " " + s.configuration() + ": " + check)
                            .isTrue();
                }
            }
        }
    }
}
