package knobscape.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// LLVM in its worker: modules come back as records, transformed as asked; what goes wrong there stays there.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LlvmTest {
    private static final String SUM = """
            target datalayout = "e-m:e-p:64:64-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
            %pair = type { i8, i32 }
            @table = internal constant [4 x i16] [i16 1, i16 -2, i16 3, i16 4]
            @wide = constant i100 -633825300114114700748351602687
            declare void @__kn_pragma(i64)
            define i32 @sum(ptr %a, i32 %n) {
            entry:
              br label %head
            head:
              %i = phi i32 [ 0, %entry ], [ %next, %body ]
              %s = phi i32 [ 0, %entry ], [ %t, %body ]
              %more = icmp slt i32 %i, 8
              br i1 %more, label %body, label %done
            body:
              call void @__kn_pragma(i64 4)
              %p = getelementptr inbounds %pair, ptr %a, i32 %i, i32 1
              %v = load volatile i32, ptr %p
              %t = add nsw i32 %s, %v
              %next = add nuw i32 %i, 1
              br label %head, !llvm.loop !0
            done:
              ret i32 %s
            }
            define i32 @unused() {
              ret i32 7
            }
            !0 = distinct !{!0, !1}
            !1 = !{!"llvm.loop.mustprogress"}
            """;
    private final CancellationSignal never = new CancellationSignal();
    private Llvm llvm;

    @BeforeAll
    void start() {
        llvm = new Llvm(CompileLimits.defaults());
    }

    @AfterAll
    void end() {
        llvm.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private IrModule read(String text, Transformation t) {
        Llvm.Handle handle = llvm.load(bytes(text));
        IrModule module = llvm.read(handle, t, never);
        llvm.drop(handle, never);
        return module;
    }

    @Test
    void everythingOfAModuleIsTold() {
        IrModule module = read(SUM, Transformation.passes());
        var table = (IrConstant.Table)
                module.global("table").orElseThrow().initialiser().orElseThrow();
        assertThat(table.bits()).containsExactly(1, -2, 3, 4);
        assertThat(module.global("wide").orElseThrow().initialiser().orElseThrow())
                .hasToString("Whole[value=-633825300114114700748351602687, type=Int[bits=100]]");
        var f = module.function("sum").orElseThrow();
        assertThat(f.blocks()).extracting(b -> b.name()).containsExactly("entry", "head", "body", "done");
        assertThat(f.blocks().get(1).successors()).containsExactly(2, 3);
        assertThat(f.blocks().get(2).loop().orElseThrow().id()).hasValue(0);
        assertThat(f.blocks().get(2).loop().orElseThrow().properties()).containsEntry("llvm.loop.mustprogress", 1L);
        IrInstruction gep = named(f.instructions(), "p");
        assertThat(gep.opcode()).isEqualTo(IrOpcode.GET_ELEMENT_PTR);
        assertThat(gep.flags()).containsExactly(IrInstruction.Flag.IN_BOUNDS);
        var element = (IrInstruction.Detail.Element) gep.detail();
        assertThat(element.type())
                .isEqualTo(
                        new IrType.Struct("pair", List.of(new IrType.Int(8), new IrType.Int(32)), List.of(0L, 4L), 8));
        assertThat(named(f.instructions(), "v").flags()).containsExactly(IrInstruction.Flag.VOLATILE);
        assertThat(named(f.instructions(), "t").flags()).containsExactly(IrInstruction.Flag.NO_SIGNED_WRAP);
        assertThat(named(f.instructions(), "next").flags()).containsExactly(IrInstruction.Flag.NO_UNSIGNED_WRAP);
        assertThat(f.instructions())
                .extracting(IrInstruction::id)
                .containsExactlyElementsOf(
                        IntStream.range(0, f.instructions().size()).boxed().toList());
        var call = f.instructions().stream()
                .filter(i -> i.opcode() == IrOpcode.CALL)
                .findFirst()
                .orElseThrow();
        assertThat(call.callee()).contains("__kn_pragma");
        assertThat(((IrConstant.Whole) call.operands().getFirst()).asLong()).hasValue(4);
    }

    private static IrInstruction named(List<IrInstruction> all, String name) {
        return all.stream().filter(i -> i.name().equals(name)).findFirst().orElseThrow();
    }

    /// Sizes are worked out here as LLVM does: an array of two tells the stride.
    @Test
    void sizesOfIntegersAreThoseOfTheTarget() {
        List<Integer> widths =
                List.of(1, 7, 8, 9, 16, 17, 24, 32, 33, 48, 63, 64, 65, 100, 128, 129, 200, 256, 257, 1000);
        String layout = SUM.lines().findFirst().orElseThrow();
        String globals = widths.stream()
                .map(w -> "@g" + w + " = global {i" + w + ", i" + w + ", i8} zeroinitializer")
                .collect(Collectors.joining("\n"));
        IrModule module = read(layout + "\n" + globals, Transformation.passes());
        for (int w : widths) {
            var type = (IrType.Struct) module.global("g" + w).orElseThrow().type();
            assertThat(type.offsets().get(1)).as("i" + w).isEqualTo(new IrType.Int(w).bytes());
        }
    }

    @Test
    void aLoopIsUnrolledByItsNumberWithoutMarkersAndTheUnusedGoes() {
        var t = new Transformation(
                Optional.of("sum"),
                Map.of("sum", Map.of("noinline", true)),
                Map.of(0L, Map.of("llvm.loop.unroll.count", OptionalLong.of(2))),
                true,
                List.of("globaldce,function(loop-simplify,lcssa,loop-rotate,loop-unroll)"));
        IrModule module = read(SUM, t);
        assertThat(module.function("unused")).isEmpty();
        var f = module.function("sum").orElseThrow();
        assertThat(f.attributes()).contains("noinline");
        assertThat(f.instructions().stream().filter(i -> i.opcode() == IrOpcode.LOAD))
                .hasSize(2);
        assertThat(f.instructions().stream().filter(i -> i.opcode() == IrOpcode.CALL))
                .isEmpty();
        assertThat(f.blocks().stream().flatMap(b -> b.loop().stream()).map(l -> l.id()))
                .contains(OptionalLong.of(0));
    }

    @Test
    void whatLlvmRefusesIsSaidAndTheWorkerLivesOn() {
        assertThatThrownBy(() -> read("define nonsense", Transformation.passes()))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("LLVM: ");
        assertThatThrownBy(() -> read(SUM, Transformation.passes("no-such-pass")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no-such-pass");
        assertThat(read(SUM, Transformation.passes()).function("sum")).isPresent();
    }

    /// Invalid code makes LLVM abort or run for ever; the next request has a new worker.
    @Test
    void aDyingOrEndlessWorkerIsOneSentence() {
        try (var small = new Llvm(new CompileLimits(Duration.ofSeconds(2), 8192))) {
            String endless = IntStream.range(0, 9)
                    .mapToObj(i -> "define i32 @f" + (i + 1) + "(i32 %x) alwaysinline {\n"
                            + IntStream.range(0, 12)
                                    .mapToObj(k -> "%c" + k + " = call i32 @f" + i + "(i32 %x)\n")
                                    .collect(Collectors.joining())
                            + "ret i32 %c0\n}\n")
                    .collect(Collectors.joining("", "declare i32 @f0(i32)\n", ""));
            assertThatThrownBy(
                            () -> small.read(small.load(bytes(endless)), Transformation.passes("always-inline"), never))
                    .isInstanceOf(UserError.class)
                    .hasMessageMatching("(?s)The compiler (did not finish within 2 s|ended while).*");
            assertThat(small.read(small.load(bytes(SUM)), Transformation.passes(), never)
                            .function("sum"))
                    .isPresent();
        }
    }
}
