package knobscape.hls.source.clang;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.CompileLimits;
import knobscape.compile.run.Ended;
import knobscape.compile.run.IrMachine;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.clang.KernelInputs.Values;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs compute what C says: by hand, and by the hashes of what other compilers and headers computed.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KernelRunTest {
    private static final Path SAMPLES = Path.of("sample-projects");
    private static final Path KERNELS = Path.of(System.getProperty("knobscape.kernels", "../shared/kernels"))
            .toAbsolutePath();
    private static final long STEPS = 2_000_000_000L;
    private static final CancellationSignal NEVER = new CancellationSignal();

    @TempDir
    Path folder;

    private final ClangFront front = new ClangFront(CompileLimits.defaults());

    @AfterAll
    void end() {
        front.close();
    }

    private KernelRun run(Path file, String top, Options options) {
        return KernelRun.of(front.compile(file, options, NEVER), top, NEVER).orElseThrow();
    }

    private KernelRun run(String code) throws IOException {
        Path file = folder.resolve("k.cpp");
        Files.writeString(file, code);
        return run(file, "f", Options.defaults());
    }

    private static byte[] bytes(int x) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(x).array();
    }

    private static KernelRun.Outcome run(KernelRun run, int x, long steps) {
        return run.run(List.of(bytes(x)), IrMachine.Limits.of(steps), new LoopTrips());
    }

    /// By the rules of C, worked out by hand.
    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "unsigned char c = x; c += 200; return c; @ 100 @ 44",
                "signed char c = x; return c >> 1; @ 255 @ -1",
                "unsigned u = x; return u / 2 > 0x7fffffffu - 1; @ -1 @ 1",
                "return -1 < 1u; @ 0 @ 0",
                "return x % 3; @ -7 @ -1",
                "return (x & 1) ? ~x : !x; @ 6 @ 0",
                "short s = 30000; s += s; return s; @ 0 @ -5536",
                "int i = x; int a[3] = {1, 2, 3}; a[i++] = 9; return a[0] * 10 + i; @ 0 @ 91",
                "int i = 0, n = 0; while (true) { if (i == 5) break; i++; if (i & 1) continue; n += i; } return n; @ 0 @ 6",
                "switch (x) { case 1: return 10; case 2: x = 5; default: x += 1; break; case 3: x = 0; } return x; @ 2 @ 6",
                "struct P { char c; int v[2]; } p = {1, {2, 3}}, q = p; q.v[1] = 7; return p.v[1] * 10 + q.v[1]; @ 0 @ 37",
                "int y = 3; int &r = y; r += x; return y; @ 4 @ 7",
                "union { float f; unsigned u; } v; v.f = 1.0f; return v.u >> 23; @ 0 @ 127",
                "return (int) (0.1f * 10.0f == 1.0) + (int) (float) 16777217 - 16777216; @ 0 @ 1",
                "int *p = &x; p[0] += 2; return *p; @ 5 @ 7",
                "long long v = 1LL << 40; return (int) (v >> 38) + sizeof(short); @ 0 @ 6",
                "unsigned _BitInt(100) v = x; v <<= 90; v += x; return (int) (v >> 88); @ 5 @ 20",
                "goto end; x = 3; end: return x; @ 9 @ 9",
                "struct B { int a : 3; } b; b.a = x; return b.a; @ 5 @ -3",
                "auto twice = [](int v) { return 2 * v; }; int (*g)(int) = +twice; return g(x); @ 4 @ 8",
            })
    void computesAsC(String body, int x, int expected) throws IOException {
        KernelRun.Outcome o = run(run("int f(int x) { " + body + " }"), x, STEPS);
        assertThat(o.ended()).isEmpty();
        assertThat(o.result()).isEqualTo(bytes(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "return 5 / x; @ 0 @ divides by 0",
                "volatile int a[4] = {}; return a[x]; @ 4 @ uses an address outside of its variables",
                "volatile int v; while (x) v = x; return 0; @ 1 @ takes more than 1000 steps",
                "volatile int v = f(x); return v + x; @ 1 @ 1000",
                "int *volatile p = 0; return *p; @ 1 @ follows a null pointer",
                "extern int g(int); return g(x); @ 1 @ calls '_Z1gi'",
            })
    void endsWhereItCannotGoOn(String body, int x, String reason) throws IOException {
        KernelRun.Outcome o = run(run("int f(int x) {\n" + body + " }"), x, 1000);
        assertThat(o.ended().orElseThrow().getMessage()).contains(reason);
        assertThat(o.steps()).isLessThanOrEqualTo(1100);
    }

    @Test
    void namesTheLine() throws IOException {
        Ended e = run(run("int f(int x) {\n  int y = x + 1;\n  return y / x;\n}"), 0, STEPS)
                .ended()
                .orElseThrow();
        assertThat(e.location().orElseThrow().line()).isEqualTo(3);
    }

    @Test
    void anInterruptionEndsIt() throws IOException {
        KernelRun endless = run("int f(int x) { volatile int v; for (;;) v = x; }");
        Thread.currentThread().interrupt();
        KernelRun.Outcome o = run(endless, 0, Long.MAX_VALUE);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(o.ended().orElseThrow().getMessage()).contains("was stopped");
    }

    @Test
    void takesNoMoreMemoryThanItMay() throws IOException {
        KernelRun.Outcome o = run(
                run("#include <stdlib.h>\nint f(int x) { int n = 0; for (;;) n += *(int *) malloc(1 << 20); }"),
                0,
                STEPS);
        assertThat(o.ended().orElseThrow().getMessage()).contains("takes more memory than 256 MB");
    }

    @Test
    void countsIterationsOfEachEntry() throws IOException {
        KernelRun run = run("int f(int x) {\n  volatile int n = 0;\n  for (int i = 0; i < 4; i++)\n"
                + "    for (int j = 0; j < i * x && n < 100; j++) n++;\n"
                + "  do n--; while (n > x);\n  while (true) { if (n++ > 4) break; }\n  return n;\n}");
        var trips = new LoopTrips();
        run.run(List.of(bytes(2)), IrMachine.Limits.of(STEPS), trips);
        var byLine = new HashMap<Integer, LoopTrips.Trips>();
        trips.trips().forEach((at, t) -> byLine.put(at.line(), t));
        assertThat(byLine)
                .containsEntry(3, new LoopTrips.Trips(1, 4, 4, 4))
                .containsEntry(4, new LoopTrips.Trips(4, 0, 6, 12))
                .containsEntry(5, new LoopTrips.Trips(1, 10, 10, 10))
                .containsEntry(6, new LoopTrips.Trips(1, 4, 4, 4));
    }

    /// Hashes of result and arguments after a run of what g++ 12 made of them (`-O1 -fwrapv -ffp-contract=off`).
    @ParameterizedTest
    @CsvSource({
        "conv_chain, df47cfc339d68946",
        "gemm, 9b064ffa0f4b3808",
        "sort_radix, 0036e247ccb5c45a",
        "spmv_crs, 8b80e3f2ba2ed216",
        "spmv_ellpack, fc572c3bbc2c0bf7",
        "stencil3d, 180dfaf01870d752",
    })
    void samplesComputeWhatAnotherCompilerMakesOfThem(String name, String hash) {
        Map<String, Values> values = switch (name) {
            case "spmv_crs" -> Map.of("column", new Values(0, 255, false), "row_start", new Values(0, 2048, true));
            case "spmv_ellpack" -> Map.of("column", new Values(0, 255, false));
            default -> Map.of();
        };
        var options = new Options(Optional.of(name), List.of(), Map.of());
        Path file = SAMPLES.resolve(name).resolve(name + ".cpp");
        assertThat(hash(file, options, Map.of(), values, 1)).isEqualTo(hash);
    }

    private String hash(
            Path file, Options options, Map<String, Integer> elements, Map<String, Values> values, long seed) {
        String top = options.top().orElseThrow();
        var sizes = new HashMap<String, Integer>();
        for (ArrayVariable a :
                Kernels.reader().read(file, options).topFunction().arrays()) {
            if (a.scope() == ArrayVariable.Scope.PARAMETER
                    && !a.dims().isEmpty()
                    && a.dims().getFirst() > 0) {
                sizes.put(a.name(), Math.toIntExact(a.dims().getFirst()));
            }
        }
        sizes.putAll(elements);
        KernelRun run = run(file, top, options);
        KernelRun.Outcome o = run.run(
                KernelInputs.random(run.parameters(), sizes, values, seed),
                IrMachine.Limits.of(STEPS),
                new LoopTrips());
        assertThat(o.ended().map(e -> e.location() + " " + e.getMessage()))
                .as(file.toString())
                .isEmpty();
        return hash(bytes(o));
    }

    private static byte[] bytes(KernelRun.Outcome o) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(o.result());
        o.after().forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Numbers of any width: the hash of what the vendor's open headers computed
    /// (github.com/Xilinx/HLS_arbitrary_Precision_Types).
    @Test
    void numbersOfAnyWidthComputeAsTheVendors() throws Exception {
        Path source = folder.resolve("arbitrary.cpp");
        Files.writeString(source, resource("arbitrary.cpp"));
        KernelRun run = run(source, "arbitrary", Options.defaults());
        var all = MessageDigest.getInstance("SHA-256");
        for (long seed = 1; seed <= 40; seed++) {
            List<byte[]> arguments = KernelInputs.random(
                    run.parameters(),
                    Map.of("in", 8, "real", 4, "out", 160, "reals", 40),
                    seed % 2 == 0 ? Map.of() : Map.of("in", new Values(-60, 200, false)),
                    seed);
            if (seed % 4 >= 2) {
                // Halves of the last bits, which rounding modes differ in.
                var reals = ByteBuffer.wrap(arguments.get(1)).order(ByteOrder.LITTLE_ENDIAN);
                for (int i = 0; i < reals.capacity(); i += 8) {
                    reals.putDouble(i, Math.rint(reals.getDouble(i) * 128) / 128);
                }
            }
            KernelRun.Outcome o = run.run(arguments, IrMachine.Limits.of(STEPS), new LoopTrips());
            assertThat(o.ended().map(e -> e.location() + " " + e.getMessage())).isEmpty();
            all.update(bytes(o));
        }
        assertThat(HexFormat.of().formatHex(all.digest(), 0, 8)).isEqualTo("602a0374e3e963ba");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = requireNonNull(KernelRunTest.class.getResourceAsStream("/knobscape/hls/exact/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// MachSuite and PolyBench, where their sources lie in `-Dknobscape.kernels=FOLDER`.
    @Test
    void publicKernelsComputeWhatAnotherCompilerMakesOfThem() throws IOException {
        var wrong = new ArrayList<String>();
        int there = 0;
        for (String line : resource("kernels.csv").lines().toList()) {
            String[] w = line.split(";", -1);
            if (line.startsWith("#")
                    || line.isBlank()
                    || !Files.isRegularFile(KERNELS.resolve(w[0]).resolve(w[1]))) {
                continue;
            }
            there++;
            try {
                String got = hash(w);
                if (!got.equals(w[7]) && !w[7].equals("close")) {
                    wrong.add(w[1] + ": " + got);
                }
            } catch (UserError | AssertionError e) {
                wrong.add(w[1] + ": " + e.getMessage());
            }
        }
        assumeTrue(there > 0, "no public kernels in " + KERNELS);
        assertThat(wrong).as("of " + there).isEmpty();
    }

    private String hash(String[] w) {
        var includes = new ArrayList<Path>();
        for (String i : words(w[3])) {
            includes.add(KERNELS.resolve(w[0]).resolve(i));
        }
        var macros = new LinkedHashMap<String, String>();
        for (String m : words(w[4])) {
            int eq = m.indexOf('=');
            macros.put(eq < 0 ? m : m.substring(0, eq), eq < 0 ? "1" : m.substring(eq + 1));
        }
        var values = new HashMap<String, Values>();
        var elements = new HashMap<String, Integer>();
        for (String v : words(w[5])) {
            String name = v.substring(0, v.indexOf('='));
            String range = v.substring(v.indexOf('=') + 1);
            if (range.startsWith("#")) {
                elements.put(name, Integer.parseInt(range.substring(1)));
                continue;
            }
            boolean rising = range.endsWith("r");
            String[] ends = (rising ? range.substring(0, range.length() - 1) : range).split("\\.\\.");
            values.put(name, new Values(Long.parseLong(ends[0]), Long.parseLong(ends[1]), rising));
        }
        return hash(
                KERNELS.resolve(w[0]).resolve(w[1]),
                new Options(Optional.of(w[2]), includes, macros),
                elements,
                values,
                Long.parseLong(w[6]));
    }

    private static List<String> words(String s) {
        return s.isBlank() ? List.of() : List.of(s.strip().split("\\s+"));
    }
}
