package knobscape.gpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The CUDA C that is printed, compiled by a C++ compiler and run on the CPU, computes what the work is defined
/// as. A few definitions stand in for CUDA: each thread of a block is a context of its own, a barrier hands
/// over to the next one, and shared arrays are static. Skipped without `g++` on the PATH.
class CudaTextTest {
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"direct", "depthwise", "winograd", "dense-small", "dense-large", "batch-matmul"})
    void cudaTextComputesTheWork(String name, @TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(has("g++"), "there is no g++ on the PATH, so CUDA text is not run on the CPU");
        var random = new Random(name.hashCode());
        List<Workload> works = WorkSamples.work().get(name);
        for (int i = 0; i < works.size(); i++) {
            Epilogue epilogue =
                    WorkSamples.epilogues().get(i % WorkSamples.epilogues().size());
            Schedule s = WorkSamples.brief(Templates.of(works.get(i), name), epilogue, random);
            Operands operands = Operands.random(s, i);
            ResultCheck check = ResultCheck.of(
                    s,
                    operands,
                    run(s, KernelPrinter.source(s, KernelLanguage.CUDA), operands, folder.resolve("k" + i)),
                    i);

            assertThat(check.passed())
                    .as(() -> s.source().id() + " " + s.configuration() + ": " + check)
                    .isTrue();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("integers")
    void cudaTextOfIntegersComputesTheWork(Workload work, @TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(has("g++"), "there is no g++ on the PATH, so CUDA text is not run on the CPU");
        var random = new Random(work.id().hashCode());
        for (Epilogue epilogue : WorkSamples.integerEpilogues(work)) {
            Schedule s = WorkSamples.brief(Templates.of(work).getFirst(), epilogue, random);
            Operands operands = Operands.random(s, 1);
            String text = KernelPrinter.source(s, KernelLanguage.CUDA);

            assertThat(text).contains(" = ks_dot(").contains("__dp4a(");
            ResultCheck check = ResultCheck.of(s, operands, run(s, text, operands, folder.resolve(epilogue.id())), 1);
            assertThat(check.passed())
                    .as(() -> s.source().id() + " " + s.configuration() + ": " + check)
                    .isTrue();
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("halves")
    void cudaTextOnTensorCoresComputesTheWork(Workload work, @TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(has("g++"), "there is no g++ on the PATH, so CUDA text is not run on the CPU");
        var random = new Random(work.id().hashCode());
        for (int i = 0; i < WorkSamples.epilogues().size(); i++) {
            Schedule s = WorkSamples.valid(
                    Templates.of(work).getFirst(), WorkSamples.epilogues().get(i), random);
            Operands operands = Operands.random(s, i);
            String text = KernelPrinter.source(s, KernelLanguage.CUDA);

            assertThat(text).contains("nvcuda::wmma::mma_sync(");
            ResultCheck check = ResultCheck.of(s, operands, run(s, text, operands, folder.resolve("k" + i)), i);
            assertThat(check.passed())
                    .as(() -> s.source().id() + " " + s.configuration() + ": " + check)
                    .isTrue();
        }
    }

    private static List<Workload> halves() {
        return WorkSamples.halves();
    }

    private static List<Workload> integers() {
        return WorkSamples.integers();
    }

    private static List<Workload> sketched() {
        return WorkSamples.sketched();
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("sketched")
    void cudaTextOfSketchesComputesTheWork(Workload work, @TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(has("g++"), "there is no g++ on the PATH, so CUDA text is not run on the CPU");
        Schedule s = WorkSamples.brief(
                SketchSource.of(work).orElseThrow(),
                WorkSamples.epilogues(work).getLast(),
                new Random(work.id().hashCode()));
        Operands operands = Operands.random(s, 1);
        ResultCheck check = ResultCheck.of(
                s, operands, run(s, KernelPrinter.source(s, KernelLanguage.CUDA), operands, folder.resolve("k")), 1);

        assertThat(check.passed())
                .as(() -> s.source().id() + " " + s.configuration() + ": " + check)
                .isTrue();
    }

    /// The stand-in is no evaluate that always agrees.
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"direct", "dense-large"})
    void cudaTextWithoutBarriersIsFoundOut(String name, @TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(has("g++"), "there is no g++ on the PATH, so CUDA text is not run on the CPU");
        var random = new Random(5);
        Template template = Templates.of(WorkSamples.work().get(name).getFirst(), name);
        Schedule s = WorkSamples.brief(template, Epilogue.NONE, random);
        while (s.main().threads() < 8) {
            s = WorkSamples.brief(template, Epilogue.NONE, random);
        }
        Operands operands = Operands.random(s, 1);
        String text = KernelPrinter.source(s, KernelLanguage.CUDA);

        assertThat(ResultCheck.of(s, operands, run(s, text, operands, folder.resolve("with")), 1)
                        .passed())
                .isTrue();
        assertThat(ResultCheck.of(
                                s,
                                operands,
                                run(s, text.replace("__syncthreads();", ""), operands, folder.resolve("without")),
                                1)
                        .passed())
                .isFalse();
    }

    private static boolean has(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator))
                .anyMatch(p -> Files.isExecutable(Path.of(p).resolve(program)));
    }

    /// Compiles and runs all kernels of a schedule on poisoned outputs.
    @SuppressWarnings("restricted") // The library is one that was just compiled.
    private static float[] run(Schedule s, String text, Operands operands, Path stem)
            throws IOException, InterruptedException {
        Path source = Path.of(stem + ".cpp");
        Path library = Path.of(stem + ".so");
        Path log = Path.of(stem + ".log");
        List<Buffer> buffers =
                s.arguments().stream().map(Schedule.Argument::buffer).toList();
        String header = new String(
                CudaTextTest.class.getResourceAsStream("/cuda/cuda-on-a-cpu.h").readAllBytes(), StandardCharsets.UTF_8);
        try (var in = CudaTextTest.class.getResourceAsStream("/cuda/mma.h")) {
            Files.write(source.resolveSibling("mma.h"), in.readAllBytes());
        }
        Files.writeString(source, header + text + host(s, buffers));
        Process compiler = new ProcessBuilder(
                        "g++",
                        "-std=c++17",
                        "-O1",
                        "-w",
                        "-shared",
                        "-fPIC",
                        "-I" + source.getParent(),
                        "-o",
                        library.toString(),
                        source.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(compiler.waitFor(120, TimeUnit.SECONDS))
                .as("g++ ended in time")
                .isTrue();
        assertThat(compiler.exitValue()).as(() -> read(log)).isZero();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointers = arena.allocate(ValueLayout.ADDRESS, buffers.size());
            MemorySegment output = MemorySegment.NULL;
            for (int i = 0; i < buffers.size(); i++) {
                Schedule.Role role = s.arguments().get(i).role();
                float[] values = switch (role) {
                    case DATA, WEIGHT, SCALE, BIAS, RESIDUAL, INPUT -> operands.of(buffers.get(i));
                    case OUTPUT, PREPARED, WORKSPACE -> {
                        float[] poison =
                                new float[Math.toIntExact(buffers.get(i).words())];
                        Arrays.fill(poison, ResultCheck.POISON);
                        yield poison;
                    }
                };
                MemorySegment m = arena.allocateFrom(ValueLayout.JAVA_FLOAT, values);
                pointers.setAtIndex(ValueLayout.ADDRESS, i, m);
                output = role == Schedule.Role.OUTPUT ? m : output;
            }
            var entry = SymbolLookup.libraryLookup(library, arena).find("run").orElseThrow();
            try {
                Linker.nativeLinker()
                        .downcallHandle(entry, FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
                        .invokeExact(pointers);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            return output.toArray(ValueLayout.JAVA_FLOAT);
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /// A function that launches the kernels one after another.
    private static String host(Schedule s, List<Buffer> buffers) {
        var all = new ArrayList<LoopNest>(s.setup());
        all.addAll(s.kernels());
        String launches = all.stream()
                .map(k -> "    launch([] { " + k.name() + "("
                        + k.parameters().stream()
                                .map(b -> "(" + b.format().c() + "*) memory["
                                        + IntStream.range(0, buffers.size())
                                                .filter(i ->
                                                        buffers.get(i).name().equals(b.name()))
                                                .findFirst()
                                                .orElseThrow()
                                        + "]")
                                .collect(Collectors.joining(", "))
                        + "); }, Index{" + extents(k, Binding.BLOCK_X, Binding.BLOCK_Y, Binding.BLOCK_Z) + "}, Index{"
                        + extents(k, Binding.THREAD_X, Binding.THREAD_Y, Binding.THREAD_Z) + "});\n")
                .collect(Collectors.joining());
        return "static void** memory;\nextern \"C\" void run(void** pointers) {\n    memory = pointers;\n" + launches
                + "}\n";
    }

    private static String extents(LoopNest k, Binding x, Binding y, Binding z) {
        return k.extent(x) + ", " + k.extent(y) + ", " + k.extent(z);
    }
}
