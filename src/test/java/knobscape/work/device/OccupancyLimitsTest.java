package knobscape.work.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Occupancy as NVIDIA's documents count it.
class OccupancyLimitsTest {
    /// Compute capability 6.0, whose example the CUDA C++ Programming Guide gives under "Multiprocessor Level".
    private static final OccupancyLimits P100 = new OccupancyLimits(2048, 32, 65536, 65536, 0, 256);

    private static final OccupancyLimits A100 = new OccupancyLimits(2048, 32, 65536, 167936, 1024, 128);
    private static final OccupancyLimits RTX3090 = new OccupancyLimits(1536, 16, 65536, 102400, 1024, 128);

    @ParameterizedTest
    @CsvSource({
        // The guide: two blocks of 512 threads with 64 registers each, one with 65.
        "P100, 512, 64, 0, .5",
        "P100, 512, 65, 0, .25",
        // Full where 32 registers a thread are all there are.
        "P100, 1024, 32, 0, 1",
        "A100, 256, 32, 0, 1",
        // Three blocks of 48 KiB and what is reserved.
        "A100, 256, 32, 49152, .375",
        // 1536 threads take one block of 1024, or sixteen of 32.
        "RTX3090, 1024, 32, 0, .6666667",
        "RTX3090, 32, 16, 0, .3333333",
        // A part of a warp takes a whole one.
        "RTX3090, 33, 16, 0, .6666667",
        // 255 registers leave eight warps, which are one block of 256.
        "A100, 256, 255, 0, .125",
        "A100, 512, 255, 0, 0",
        "A100, 64, 16, 167936, 0",
    })
    void isTheShareOfResidentThreads(String gpu, long block, long registers, long shared, double share) {
        OccupancyLimits m = switch (gpu) {
            case "P100" -> P100;
            case "A100" -> A100;
            default -> RTX3090;
        };
        assertThat(m.occupancy(block, registers, shared)).isCloseTo(share, Offset.offset(1e-6));
    }
}
