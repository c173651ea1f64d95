package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The way from a network to checked CUDA kernels through the real binding of the driver's interface, with a
/// driver and a compiler that emulate a GPU on the CPU: what is passed to the driver and in which order, and
/// what becomes of a kernel that breaks the context. Its times mean nothing. Skipped without `g++`.
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class EmulatedCudaTest {
    private static final String NETWORK = """
        {"format": "knobscape-layers", "formatVersion": 1, "layers": [
          {"K": 8, "C": 4, "Y": 8, "X": 8, "R": 3, "S": 3, "pad": 1},
          {"K": 16, "C": 8, "Y": 8, "X": 8, "R": 1, "pool": "global_avg", "Yp": 1, "Xp": 1},
          {"type": "FC", "K": 10, "C": 16}]}
        """;

    @TempDir
    private Path folder;

    @BeforeEach
    void makeDriver() throws Exception {
        Assumptions.assumeTrue(
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(p -> Files.isExecutable(Path.of(p, "g++"))),
                "there is no g++ on the PATH, so no GPU is emulated");
        for (String name : List.of("cuda-on-a-cpu.h", "mma.h", "nvcc", "libcuda.cpp")) {
            try (var from = EmulatedCudaTest.class.getResourceAsStream("/cuda/" + name)) {
                Files.copy(from, folder.resolve(name));
            }
        }
        assertThat(folder.resolve("nvcc").toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("net.json"), NETWORK);
        // Hides NVIDIA's run-time compiler where it is installed: its PTX is not for this driver.
        Files.writeString(folder.resolve("libnvrtc.so.12"), "no library");
        Process p = start(
                List.of(
                        "g++",
                        "-w",
                        "-shared",
                        "-fPIC",
                        "-Wl,-soname,libcuda.so.1",
                        "-o",
                        "libcuda.so.1",
                        "libcuda.cpp",
                        "-ldl"),
                Map.of());
        assertThat(p.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(p.exitValue()).as(this::said).isZero();
    }

    private Process start(List<String> words, Map<String, String> environment) throws Exception {
        var builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"));
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }

    private void tune(Map<String, String> more, String... options) throws Exception {
        List<String> words =
                Terminal.program("tune", "net.json", "--device", "cuda", "--method", "random", "--out", "out");
        words.addAll(List.of(options));
        run(words, more);
    }

    private void run(List<String> words, Map<String, String> more) throws Exception {
        var environment = new java.util.HashMap<>(more);
        environment.put("LD_LIBRARY_PATH", folder.toString());
        environment.put("PATH", folder + ":" + System.getenv("PATH"));
        Process p = start(words, environment);
        assertThat(p.waitFor(4, TimeUnit.MINUTES)).as(this::said).isTrue();
        assertThat(p.exitValue()).as(this::said).isZero();
    }

    @Test
    void everyKernelIsCompiledRunAndChecked() throws Exception {
        tune(Map.of(), "--trials", "6");

        assertThat(said()).contains("on cuda, Emulated GPU (measured)").doesNotContain("nothing valid found");
        List<String> log = Files.readAllLines(folder.resolve("out/log.jsonl"));
        assertThat(log).allMatch(l -> l.contains("\"status\":\"ok\""));
        assertThat(search(log)).hasSize(6);
        assertThat(log.stream().collect(Collectors.groupingBy(EmulatedCudaTest::schedule, Collectors.counting())))
                .as("one measurement of the search, three rounds of the best")
                .containsValue(4L)
                .allSatisfy((_, times) -> assertThat(times).isBetween(1L, 4L));
    }

    @Test
    void tensorCoresAreTuned() throws Exception {
        tune(Map.of(), "--trials", "6", "--tensor-cores");

        assertThat(said())
                .contains("on cuda, Emulated GPU (measured)", "3 of 3 kernels multiply 16-bit floats on tensor cores")
                .doesNotContain("nothing valid found");
        assertThat(Files.readAllLines(folder.resolve("out/log.jsonl")))
                .allMatch(l -> l.contains("\"status\":\"ok\"") || l.contains("\"reason\":\"A block makes "));
    }

    @Test
    void aKernelThatBreaksTheContextIsAnOutcomeAndTheNextOneRuns() throws Exception {
        tune(Map.of("EMULATED_CUDA_FAILS_AT", "60"), "--trials", "8");

        List<String> log = Files.readAllLines(folder.resolve("out/log.jsonl"));
        List<String> search = search(log);
        assertThat(search)
                .hasSize(8)
                .anyMatch(l -> l.contains("CUDA_ERROR_ILLEGAL_ADDRESS"))
                .anyMatch(l -> l.contains("\"status\":\"ok\""));
        assertThat(search.subList(1 + firstFailure(search), 8))
                .as("a context is made anew")
                .anyMatch(l -> l.contains("\"status\":\"ok\""));
    }

    @Test
    void aKernelOfOnesOwnIsCheckedAndItsRegistersAreTold() throws Exception {
        Files.writeString(folder.resolve("twice.cu"), """
            extern "C" __global__ void __launch_bounds__(64) twice(float* a, float* b) {
                int i = blockIdx.x * BLOCK + threadIdx.x;
                if (i < 100 || BLOCK < 8) b[i] = 2 * a[i];
            }
            extern "C" __global__ void __launch_bounds__(64) plain(float* a, float* b) {
                int i = blockIdx.x;
                b[i] = a[i] + a[i];
            }
            """.replace("BLOCK", "4"));
        Files.writeString(folder.resolve("twice.study.yaml"), """
            study: 1
            parameters: {BLOCK: [4]}
            objectives: {time: {goal: minimise, unit: us}}
            metrics: {registers: '', energy: {unit: mJ}}
            measure:
              kernel:
                file: twice.cu
                name: twice
                groups: 128 // BLOCK
                local: BLOCK
                arguments: [{buffer: float, length: 128}, {buffer: float, length: 128, output: true}]
                reference: {file: twice.cu, name: plain, groups: 128, local: 1}
            """);

        // A board that draws 50 W, by NVIDIA's management library.
        Files.writeString(folder.resolve("nvml.c"), """
            #include <time.h>
            int nvmlInit_v2(void) { return 0; }
            int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) { *device = 0; return 0; }
            int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *total) {
              struct timespec t;
              clock_gettime(CLOCK_MONOTONIC, &t);
              *total = (t.tv_sec * 1000ull + t.tv_nsec / 1000000) / 20 * 20 * 50;
              return 0;
            }
            """);
        Process p = start(List.of("gcc", "-shared", "-fPIC", "-o", "libnvidia-ml.so.1", "nvml.c"), Map.of());
        assertThat(p.waitFor()).as(this::said).isZero();

        run(Terminal.program("study", "twice.study.yaml", "--method", "random", "--trials", "1"), Map.of());

        assertThat(said()).contains("Best of 1 configuration");
        try (Stream<Path> files = Files.walk(folder.resolve("twice.knobscape"))) {
            assertThat(files.filter(f -> f.endsWith("result.json")).map(EmulatedCudaTest::text))
                    .singleElement()
                    .asString()
                    // A block is one warp, and 32 of 64 warps' worth of blocks fit.
                    .contains("\"registers\":40.0", "\"occupancy\":0.5", "\"time\":", "\"energy\":");
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// The lines of the search: the budget bounds them. The final rounds measure only what it has measured.
    private static List<String> search(List<String> log) {
        var seen = new HashSet<String>();
        return log.stream().filter(l -> seen.add(schedule(l))).toList();
    }

    /// The kernel and its knobs.
    private static String schedule(String line) {
        JsonNode row = JsonMapper.shared().readTree(line);
        return row.get("kernel").asString() + " " + row.get("knobs");
    }

    private static int firstFailure(List<String> log) {
        int i = 0;
        while (!log.get(i).contains("CUDA_ERROR_ILLEGAL_ADDRESS")) {
            i++;
        }
        return i;
    }
}
