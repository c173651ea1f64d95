package knobscape.gpu.evaluate.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.task.Workload;
import knobscape.work.device.CudaDevice;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What can be told about CUDA kernels without a GPU, and the device where there is one.
class CudaTest {
    /// Registers, shared memory and spills as NVIDIA's assembler reports them, for an old and the newest GPU it
    /// knows.
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"direct", "depthwise", "winograd", "dense-small", "dense-large", "batch-matmul"})
    void kernelsCompileForEveryGeneration(String name) {
        Assumptions.assumeTrue(
                KernelResources.whyNot().isEmpty(),
                () -> KernelResources.whyNot().orElse(""));
        var random = new Random(name.length());
        Workload work = WorkSamples.work().get(name).getFirst();
        Schedule s = WorkSamples.valid(
                Templates.of(work, name), WorkSamples.epilogues().get(3), random);
        for (int capability : List.of(61, 90)) {
            List<KernelResources> resources = KernelResources.of(s, capability);

            assertThat(resources)
                    .hasSize(s.setup().size() + s.kernels().size())
                    .allMatch(r -> r.registers() > 0 && r.registers() <= 255);
            for (LoopNest n : s.kernels()) {
                assertThat(resources)
                        .filteredOn(r -> r.kernel().equals(n.name()))
                        .singleElement()
                        .satisfies(r -> assertThat((long) r.sharedBytes()).isEqualTo(n.sharedBytes()));
            }
        }
    }

    @Test
    void theAssemblersReportIsRead() {
        String log = """
                ptxas info    : 0 bytes gmem
                ptxas info    : Compiling entry function 'k' for 'sm_80'
                ptxas info    : Function properties for k
                    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
                ptxas info    : Used 32 registers, 256 bytes smem, 368 bytes cmem[0]
                ptxas info    : Compiling entry function 'l' for 'sm_80'
                ptxas info    : Function properties for l
                    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
                ptxas info    : Used 6 registers, 368 bytes cmem[0]
                """;

        assertThat(KernelResources.parse(log))
                .containsExactly(new KernelResources("k", 32, 256, 8, 12, 16), new KernelResources("l", 6, 0, 0, 0, 0));
    }

    @Test
    void noDeviceIsOneSentence() {
        String none = CudaDevice.whyNone();
        Assumptions.assumeFalse(none.isEmpty(), "this machine has a CUDA device");
        assertThat(none)
                .startsWith("There is no CUDA device")
                .doesNotContain("\n")
                .endsWith(".");
        assertThatThrownBy(() -> HardwareDevice.open("cuda", MeasureSettings.DEFAULT))
                .isInstanceOf(UserError.class)
                .hasMessage(none);
    }

    @Test
    void aCudaDeviceMeasuresEveryTemplate() {
        Assumptions.assumeTrue(CudaDevice.whyNone().isEmpty(), CudaDevice.whyNone());
        var random = new Random(4);
        try (var device = HardwareDevice.open("cuda", MeasureSettings.DEFAULT)) {
            WorkSamples.work()
                    .forEach((name, works) -> works.forEach(w -> {
                        Schedule s = WorkSamples.valid(
                                Templates.of(w, name), WorkSamples.epilogues().get(2), random);
                        Measurement m = device.measure(s, new knobscape.evaluate.CancellationSignal());
                        assertThat(m).as(s.configuration().text()).isInstanceOf(Measurement.Timed.class);
                        assertThat(((Measurement.Timed) m).checked() || ((Measurement.Timed) m).mean() > 0)
                                .isTrue();
                    }));
        }
    }

    @Test
    void textOfBothLanguages() {
        Schedule s = WorkSamples.valid(
                Templates.of(WorkSamples.work().get("direct").getFirst(), "direct"),
                WorkSamples.epilogues().get(3),
                new Random(1));

        assertThat(KernelPrinter.source(s, KernelLanguage.CUDA))
                .contains(
                        "extern \"C\" __global__ void",
                        "__launch_bounds__(" + s.main().threads() + ")",
                        "__syncthreads();",
                        "blockIdx.")
                .doesNotContain("__kernel", "get_group_id");
        assertThat(KernelPrinter.source(s, KernelLanguage.OPENCL))
                .contains("__kernel", "reqd_work_group_size", "barrier(CLK_LOCAL_MEM_FENCE);")
                .doesNotContain("__global__", "threadIdx");
    }
}
