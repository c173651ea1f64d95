package knobscape.work.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The meter on a library of a few lines in place of NVIDIA's, whose counter moves in steps of 1000 mJ.
@EnabledOnOs(OS.LINUX)
class EnergyMeterTest {
    private static final String LIBRARY = """
        #include <string.h>
        static unsigned long long spent;
        void spend(int millijoules) { spent += millijoules; }
        int nvmlInit_v2(void) { return 0; }
        int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
          *device = &spent;
          return strcmp(bus, "00000001:0A:02.0") ? 6 : 0;
        }
        int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *total) {
          *total = *(unsigned long long *)device / 1000 * 1000;
          return COUNTS ? 0 : 3;
        }
        """;

    @TempDir
    private Path folder;

    private List<String> library(boolean counts) throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("nvml.c"), LIBRARY);
        Path library = folder.resolve("nvml" + counts + ".so");
        try {
            Process p = new ProcessBuilder(
                            "gcc",
                            "-shared",
                            "-fPIC",
                            "-DCOUNTS=" + (counts ? 1 : 0),
                            "-o",
                            library.toString(),
                            source.toString())
                    .inheritIO()
                    .start();
            assertThat(p.waitFor()).isZero();
        } catch (IOException e) {
            Assumptions.abort("there is no gcc on the PATH");
        }
        return List.of(folder.resolve("absent.so").toString(), library.toString());
    }

    /// 37 mJ and 3 ms a run: over a second of the counter's steps the mean is right to a step in twelve.
    @Test
    @SuppressWarnings("restricted") // The library was just compiled.
    void theMeanOfARunIsTold() throws Exception {
        List<String> library = library(true);
        var time = new AtomicLong();
        try (EnergyMeter meter = EnergyMeter.open(library, 1, 10, 2, time::get).orElseThrow();
                Arena arena = Arena.ofConfined()) {
            var spend = Linker.nativeLinker()
                    .downcallHandle(
                            SymbolLookup.libraryLookup(library.getLast(), arena)
                                    .find("spend")
                                    .orElseThrow(),
                            FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
            Runnable run = () -> {
                try {
                    spend.invokeExact(37);
                } catch (Throwable e) {
                    throw new AssertionError(e);
                }
                time.addAndGet(3_000_000);
            };

            assertThat(meter.millijoules(run).orElseThrow()).isCloseTo(37, within(0.2));
            // A counter that stands still says nothing.
            assertThat(meter.millijoules(() -> time.addAndGet(3_000_000))).isEmpty();
        }
    }

    @Test
    void whereNothingCountsThereIsNoMeter() throws Exception {
        assertThat(EnergyMeter.open(library(true), 1, 11, 2, System::nanoTime)).isEmpty();
        assertThat(EnergyMeter.open(library(false), 1, 10, 2, System::nanoTime)).isEmpty();
        assertThat(EnergyMeter.open(List.of("libno-such-library.so.1"), 1, 10, 2, System::nanoTime))
                .isEmpty();
    }
}
