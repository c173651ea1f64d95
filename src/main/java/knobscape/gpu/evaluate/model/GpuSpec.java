package knobscape.gpu.evaluate.model;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import tools.jackson.databind.json.JsonMapper;

/// A GPU as data; the file is `knobscape/gpu/devices.json`.
///
/// @param name as on the command line, small letters
/// @param label for a person
/// @param aliases other spellings
/// @param sms multiprocessors (compute units)
/// @param clockGhz clock under load
/// @param sm one multiprocessor
/// @param memory the memories behind it
/// @param driver what runs kernels on it
/// @param source what the figures are of
public record GpuSpec(
        String name,
        String label,
        List<String> aliases,
        int sms,
        double clockGhz,
        Multiprocessor sm,
        Memory memory,
        Driver driver,
        String source) {
    /// A multiprocessor.
    ///
    /// @param warp threads that run in step
    /// @param lanes single-precision multiply-adds begun per cycle
    /// @param schedulers warp instructions issued per cycle
    /// @param threads most threads resident
    /// @param blocks most blocks resident
    /// @param registers 32-bit registers
    /// @param registersPerThread most registers per thread
    /// @param sharedKb shared memory in KiB
    /// @param sharedPerBlockKb shared memory per block in KiB
    public record Multiprocessor(
            int warp,
            int lanes,
            int schedulers,
            int threads,
            int blocks,
            int registers,
            int registersPerThread,
            int sharedKb,
            int sharedPerBlockKb) {}

    /// Caches and memory.
    ///
    /// @param l1Kb first cache in KiB, 0 where loads bypass it
    /// @param l2Mb second cache in MiB
    /// @param l2Gbs its throughput in GB/s
    /// @param dramGbs throughput of the memory in GB/s
    public record Memory(int l1Kb, double l2Mb, double l2Gbs, double dramGbs) {}

    /// Compiler and launches.
    ///
    /// @param compiler whose compiler makes its code
    /// @param launchUs cost of a launch in microseconds
    /// @param dots dot products of four 8-bit integers that a multiprocessor begins per cycle; 0 where its kernels
    /// are compiled to single multiplications
    /// @param products multiply-adds of 16-bit floats that the tensor cores of a multiprocessor do per cycle; 0
    /// where there are none
    public record Driver(Compiler compiler, double launchUs, int dots, int products) {}

    /// Compilers that treat kernels differently enough to show in the times.
    public enum Compiler {
        /// NVIDIA's.
        CUDA,
        /// AMD's, on LLVM.
        HIP
    }

    private static final String FILE = "/knobscape/gpu/devices.json";

    public GpuSpec {
        aliases = List.copyOf(aliases);
    }

    /// Every GPU in the file, in its order.
    public static List<GpuSpec> all() {
        try (InputStream in = GpuSpec.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing from this build");
            }
            return Arrays.asList(JsonMapper.builder().build().readValue(in.readAllBytes(), GpuSpec[].class));
        } catch (IOException e) {
            throw new IllegalStateException(FILE + " cannot be read", e);
        }
    }

    /// The GPU of a name or alias, whatever its spelling with blanks, hyphens and capitals; throws [UserError]
    /// listing all where there is none.
    public static GpuSpec named(String name) {
        return find(name)
                .orElseThrow(() -> new UserError("There is no model of a GPU called '" + name + "'; there are "
                        + all().stream().map(GpuSpec::name).collect(Collectors.joining(", ")) + "."));
    }

    /// The GPU of a name or alias, if there is one.
    public static java.util.Optional<GpuSpec> find(String name) {
        String wanted = plain(name);
        return all().stream()
                .filter(g -> Stream.concat(Stream.of(g.name, g.label), g.aliases.stream())
                        .anyMatch(n -> plain(n).equals(wanted)))
                .findFirst();
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /// Instructions for a dot product of four 8-bit integers that is compiled to single multiplications: six to take
    /// the
    /// words apart, four to multiply and add.
    static final int DOT_IN_PARTS = 10;

    /// Operations per second of the whole device on 8-bit integers: eight for a dot product.
    public double peakGops() {
        double dots = driver.dots > 0 ? driver.dots : (double) sm.lanes / DOT_IN_PARTS;
        return 8 * sms * dots * clockGhz;
    }

    /// Operations per second of the tensor cores on 16-bit floats, summed in 32-bit floats.
    public double peakTensorGflops() {
        return 2.0 * sms * driver.products * clockGhz;
    }

    /// Multiply-adds per second of the whole device, times two.
    public double peakGflops() {
        return 2.0 * sms * sm.lanes * clockGhz;
    }
}
