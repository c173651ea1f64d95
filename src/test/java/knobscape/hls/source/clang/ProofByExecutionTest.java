package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import knobscape.compile.CompileLimits;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IterationCounts;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.run.Ended;
import knobscape.compile.run.Frame;
import knobscape.compile.run.IrMachine;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.KernelReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;

/// Claims of the analyses are held against runs on random inputs: every address that is an affine form of iteration
/// numbers, every trip count.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProofByExecutionTest {
    private static final String PASSES = "always-inline,globaldce,function(sroa<modify-cfg>,early-cse<memssa>,"
            + "instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa)";
    private static final long STEPS = 3_000_000;
    private static final long ROOM = 1 << 20;

    private final CancellationSignal never = new CancellationSignal();
    private final ClangFront front = new ClangFront(CompileLimits.defaults());

    @AfterAll
    void end() {
        front.close();
    }

    @Test
    void onTheSamples() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of("sample-projects"))) {
            var proof = new Proof();
            for (Path folder : folders.sorted().toList()) {
                Path kernel = folder.resolve(folder.getFileName() + ".cpp");
                if (Files.exists(kernel)) {
                    prove(kernel, proof);
                }
            }
            assertThat(proof.accesses).as("accesses checked").isGreaterThan(100_000);
            assertThat(proof.entries).as("entries of loops checked").isGreaterThan(1_000);
        }
    }

    @Test
    void onTheCases() throws IOException {
        Path cases = Path.of(System.getProperty("knobscape.shared", "../shared"), "data/hls/cases");
        assumeTrue(Files.isDirectory(cases), "no " + cases);
        var proof = new Proof();
        try (Stream<Path> files = Files.list(cases)) {
            for (Path file : files.filter(f -> f.toString().matches(".*\\.(c|cpp)"))
                    .sorted()
                    .toList()) {
                prove(file, proof);
            }
        }
        assertThat(proof.accesses).as("accesses checked").isGreaterThan(100_000);
        assertThat(proof.entries).as("entries of loops checked").isGreaterThan(1_000);
    }

    /// Kernels of others, where a folder of them is named: `-Dknobscape.kernels=FOLDER`.
    @Test
    void onKernelsOfOthers() throws IOException {
        String folder = System.getProperty("knobscape.kernels", "");
        assumeTrue(!folder.isEmpty(), "no knobscape.kernels");
        var proof = new Proof();
        int ran = 0;
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            for (Path file : files.filter(f -> f.toString().matches(".*\\.(c|cc|cpp|cxx)"))
                    .sorted()
                    .toList()) {
                try {
                    prove(file, proof);
                    ran++;
                } catch (UserError e) {
                    LoggerFactory.getLogger(ProofByExecutionTest.class).info("{}: {}", file, e.getMessage());
                }
            }
        }
        LoggerFactory.getLogger(ProofByExecutionTest.class)
                .info("{} files, {} accesses, {} entries of loops", ran, proof.accesses, proof.entries);
        assertThat(proof.accesses).isPositive();
    }

    /// How much was checked.
    private static final class Proof {
        private long accesses;
        private long entries;
    }

    private void prove(Path file, Proof proof) {
        CompiledSource source = front.compile(file, KernelReader.Options.defaults(), never);
        IrModule plain = source.read(Transformation.passes(), never);
        var attributes = new HashMap<String, Map<String, Boolean>>();
        List<String> called = plain.functions().stream()
                .flatMap(f -> f.instructions().stream())
                .flatMap(i -> i.callee().stream())
                .toList();
        for (IrFunction f : plain.functions()) {
            boolean inner = called.contains(f.name());
            attributes.put(
                    f.name(), inner ? Map.of("noinline", false, "alwaysinline", true) : Map.of("noinline", false));
        }
        IrModule module =
                source.read(new Transformation(Optional.empty(), attributes, Map.of(), true, List.of(PASSES)), never);
        for (IrFunction f : module.functions()) {
            if (!f.isDeclaration() && !called.contains(f.name())) {
                run(file + " " + f.sourceName(), module, f, proof);
            }
        }
    }

    private static void run(String what, IrModule module, IrFunction f, Proof proof) {
        var random = new Random(7);
        var watch = new Watch(what, FunctionFacts.of(f), proof);
        var machine = new IrMachine(module, IrMachine.Limits.of(STEPS), watch);
        var arguments = new ArrayList<Long>();
        for (IrFunction.IrArgument a : f.arguments()) {
            boolean address = a.type() instanceof IrType.Pointer;
            long at = address ? machine.allocate(ROOM) : random.nextInt(40);
            if (address) {
                // Small whole numbers, so that indices read from it lie near.
                byte[] numbers = new byte[(int) ROOM];
                for (int i = 0; i < ROOM; i += 2) {
                    numbers[i] = (byte) random.nextInt(9);
                }
                machine.write(at, numbers);
            }
            arguments.add(at);
        }
        try {
            machine.call(f.name(), arguments);
        } catch (Ended _) {
            // What ran until then was checked.
            watch.open.clear();
        }
    }

    /// Iteration numbers of the loops that control is in, and the checks.
    private static final class Watch implements IrMachine.Watcher {
        private final String what;
        private final FunctionFacts facts;
        private final Proof proof;
        private final Map<IrLoop, Long> open = new HashMap<>();
        private final Map<Integer, AffineForms.Pointer> pointers = new HashMap<>();
        private final Map<IrLoop, Optional<IterationCounts.Count>> counts = new HashMap<>();

        Watch(String what, FunctionFacts facts, Proof proof) {
            this.what = what;
            this.facts = facts;
            this.proof = proof;
        }

        @Override
        public void goes(Frame frame, int from, int to) {
            if (frame.function() != facts.function()) {
                return;
            }
            for (IrLoop l : List.copyOf(open.keySet())) {
                if (to < 0 || !l.contains(to)) {
                    long again = open.remove(l);
                    boolean atTheTop = from == l.header() && !l.latches().contains(from);
                    left(l, atTheTop ? again : again + 1);
                }
            }
            if (to < 0) {
                return;
            }
            facts.loops().headedBy(to).ifPresent(l -> {
                boolean again = from >= 0 && l.contains(from) && open.containsKey(l);
                open.put(l, again ? open.get(l) + 1 : 0L);
            });
        }

        private void left(IrLoop l, long ran) {
            counts.computeIfAbsent(l, x -> facts.counts().of(x)).ifPresent(c -> {
                proof.entries++;
                if (c.exact()) {
                    assertThat(ran).as("%s: loop at block %d", what, l.header()).isEqualTo(c.most());
                } else {
                    assertThat(ran).as("%s: loop at block %d", what, l.header()).isBetween(c.least(), c.most());
                }
            });
        }

        @Override
        public void accesses(Frame frame, IrInstruction i, long address) {
            if (frame.function() != facts.function()) {
                return;
            }
            AffineForms.Pointer p = pointers.computeIfAbsent(
                    i.id(), _ -> facts.forms().pointer(i.operands().get(i.opcode() == IrOpcode.STORE ? 1 : 0)));
            long base = frame.valueOf(p.root());
            Affine form = p.bytes();
            if (base == 0) {
                return;
            }
            long at = base + form.constant();
            for (int k = 0; k < form.size(); k++) {
                int symbol = form.symbols()[k];
                Optional<IrLoop> l = symbol < 0 ? facts.loops().headedBy(~symbol) : Optional.empty();
                if (l.isEmpty() || !open.containsKey(l.get())) {
                    return; // of data, or of a loop that has been left
                }
                at += form.factorAt(k) * open.get(l.get());
            }
            proof.accesses++;
            if (at != address) {
                assertThat(address - base).as("%s: %s %s", what, i, form).isEqualTo(at - base);
            }
        }
    }
}
