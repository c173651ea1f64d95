package knobscape.gpu.evaluate.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.Operands;
import knobscape.gpu.codegen.ResultCheck;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.network.task.Workload;
import knobscape.work.device.OpenClDevice;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Printed kernels on a real OpenCL device, which may be a CPU.
class OpenClTest {
    /// Configurations for each piece of work; with more than one, also those that take a CPU's compiler
    /// minutes.
    private static final int EACH = Integer.getInteger("knobscape.opencl.each", 1);

    static void assumeOpenCl() {
        List<String> devices;
        try {
            devices = OpenClDevice.names();
        } catch (UserError e) {
            devices = List.of();
        }
        Assumptions.assumeFalse(
                devices.isEmpty(), "no OpenCL device on this machine; pocl-opencl-icd makes one of the CPU");
    }

    /// Seconds of compiling for each kernel where the device is a CPU.
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"direct", "depthwise", "winograd", "dense-small", "dense-large", "batch-matmul"})
    void printedKernelsComputeTheWork(String name) {
        assumeOpenCl();
        var random = new Random(31L * name.hashCode() + EACH);
        try (var backend = new DeviceBackend(KernelLanguage.OPENCL, 0)) {
            for (Workload work : WorkSamples.work().get(name)) {
                Template template = Templates.of(work, name);
                for (int i = 0; i < EACH; i++) {
                    Epilogue epilogue = WorkSamples.epilogues()
                            .get(random.nextInt(WorkSamples.epilogues().size()));
                    Schedule s = EACH == 1
                            ? WorkSamples.brief(template, epilogue, random)
                            : WorkSamples.valid(template, epilogue, random);
                    Operands operands = Operands.random(s, i);
                    try (Backend.CompiledKernelHandle kernels = backend.compile(s)) {
                        kernels.load(operands);
                        assertThat(kernels.run(false)).isPositive();
                        ResultCheck check = ResultCheck.of(s, operands, kernels.output(), i);
                        assertThat(check.passed())
                                .as(() -> template.id() + " " + s.configuration() + ": " + check)
                                .isTrue();
                    }
                }
            }
        }
    }

    @Tag("slow")
    @Test
    void printedKernelsOfIntegersComputeTheWork() {
        assumeOpenCl();
        var random = new Random(8);
        try (var backend = new DeviceBackend(KernelLanguage.OPENCL, 0)) {
            for (Workload work : WorkSamples.integers()) {
                Schedule s = WorkSamples.brief(
                        Templates.of(work).getFirst(),
                        WorkSamples.integerEpilogues(work).getLast(),
                        random);
                Operands operands = Operands.random(s, 2);
                try (Backend.CompiledKernelHandle kernels = backend.compile(s)) {
                    kernels.load(operands);
                    assertThat(kernels.run(false)).isPositive();
                    float[] result = kernels.output();
                    assertThat(ResultCheck.of(s, operands, result, 2))
                            .as(s.source().id())
                            .matches(ResultCheck::passed);
                    // An integer that is two units off is found.
                    int bit = s.epilogue().quantize().isPresent() ? 2 : 1 << 30;
                    result[0] = Float.intBitsToFloat(Float.floatToRawIntBits(result[0]) ^ bit);
                    assertThat(ResultCheck.of(s, operands, result, 2).passed()).isFalse();
                }
            }
        }
    }

    @Test
    void aDeviceThatIsNotThereIsNamed() {
        assumeOpenCl();
        assertThatThrownBy(() -> new DeviceBackend(KernelLanguage.OPENCL, 99))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no OpenCL device 99");
    }
}
