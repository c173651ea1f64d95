package knobscape.work.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What needs no device.
class ComputeDeviceTest {
    @Test
    void newerPtxCallsItselfOlder() {
        assertThat(CudaCompiler.lower(".version 9.0\n.target sm_75\n", 61, 80))
                .isEqualTo(".version 8.0\n.target sm_61\n");
        assertThat(CudaCompiler.lower(".version 7.8\n.target sm_52\n", 86, 80))
                .isEqualTo(".version 7.8\n.target sm_52\n");
    }

    @ParameterizedTest
    @CsvSource({"12000, 80", "12040, 84", "12060, 85", "12080, 87", "12090, 88", "13000, 90", "11080, 78"})
    void instructionSetsOfDrivers(int driver, int isa) {
        assertThat(CudaDevice.isaOf(driver)).isEqualTo(isa);
    }

    @Test
    void confidenceIsStudents() {
        assertThat(RunStatistics.studentT975(3)).isBetween(3.182 * 0.99, 3.182 * 1.01);
        assertThat(RunStatistics.studentT975(5)).isBetween(2.571 * 0.995, 2.571 * 1.005);
        assertThat(RunStatistics.studentT975(30)).isBetween(2.042 * 0.999, 2.042 * 1.001);
        RunStatistics s = RunStatistics.of(List.of(5.0, 1.0, 2.0, 3.0, 100.0));
        assertThat(s.mean()).isEqualTo(10.0 / 3);
    }
}
