package knobscape.hls.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Register;
import knobscape.hls.rtl.RtlModule.Wire;
import knobscape.hls.rtl.RtlModule.Write;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The area that is counted is that of the fabric's cells.
class PredictedAreaTest {
    private static final Expr A = new Expr.Ref("a", 16);
    private static final Expr B = new Expr.Ref("b", 16);

    /// A register that takes a value every cycle.
    private static FabricArea of(Expr value, Memory... memories) {
        return PredictedArea.of(new RtlModule(
                "m",
                List.of(new Expr.Ref("a", 16), new Expr.Ref("b", 16)),
                List.of(new Wire("w", value)),
                List.of(new Register(
                        "r",
                        value.width(),
                        OptionalLong.empty(),
                        List.of(new Write(Expr.bits(1, 1), new Expr.Ref("w", value.width()))))),
                List.of(memories),
                List.of(),
                List.of("r")));
    }

    @Test
    void operatorsAreTheirCells() {
        assertThat(of(A)).isEqualTo(new FabricArea(0, 16, 0, 0));
        // Eight carry cells of two tables.
        assertThat(of(A.plus(B))).isEqualTo(new FabricArea(16, 16, 0, 0));
        // A bit of a choice has three inputs, one table.
        assertThat(of(A.sign().select(A, B))).isEqualTo(new FabricArea(16, 16, 0, 0));
        assertThat(of(A.xor(B).and(A.not()))).isEqualTo(new FabricArea(16, 16, 0, 0));
        // 32 inputs take eight tables, and those three.
        assertThat(of(A.equal(B)).lut()).isCloseTo(11, within(1.0));
        assertThat(of(A.signedTimes(B, 32))).isEqualTo(new FabricArea(0, 32, 1, 0));
        assertThat(of(A.signs(24).signedTimes(B.signs(40), 40)).dsp()).isEqualTo(1);
        // A constant is as wide as its bits, and a power of two is a shift.
        assertThat(of(A.zeros(32).times(Expr.bits(100, 32))).dsp()).isEqualTo(1);
        assertThat(of(A.zeros(32).times(Expr.bits(64, 32))).dsp()).isZero();
    }

    @Test
    void aFactorIsAsWideAsWhatItsRegisterTakes() {
        var always = Expr.bits(1, 1);
        var module = new RtlModule(
                "m",
                List.of(new Expr.Ref("a", 16), new Expr.Ref("b", 16)),
                List.of(new Wire("w", new Expr.Ref("x", 48).times(new Expr.Ref("y", 48)))),
                List.of(
                        new Register("x", 48, OptionalLong.empty(), List.of(new Write(always, A.zeros(48)))),
                        new Register("y", 48, OptionalLong.empty(), List.of(new Write(always, B.zeros(48)))),
                        new Register("r", 48, OptionalLong.empty(), List.of(new Write(always, new Expr.Ref("w", 48))))),
                List.of(),
                List.of(),
                List.of("r"));
        assertThat(PredictedArea.of(module).dsp()).isEqualTo(1);
    }

    @Test
    void memoriesAreTheirBlocks() {
        assertThat(of(A, memory(32, 4096, 2)).bram()).isEqualTo(8);
        assertThat(of(A, memory(36, 512, 1)).bram()).isEqualTo(1);
        assertThat(of(A, memory(8, 16, 1)).bram()).isZero();
    }

    private static Memory memory(int width, int depth, int ports) {
        var address = new Expr.Ref("a", 16);
        var write = new MemoryPort(
                address, Optional.of(new Write(Expr.bits(1, 1), Expr.bits(0, width))), Optional.of("q0"));
        return new Memory(
                "mem",
                width,
                depth,
                List.of(),
                false,
                ports == 2
                        ? List.of(
                                write,
                                new MemoryPort(
                                        address, Optional.of(write.write().orElseThrow()), Optional.of("q1")))
                        : List.of(write));
    }

    /// What Yosys 0.23 (synth_ecp5) makes of the designs without directives for 10 ns.
    @ParameterizedTest
    @CsvSource({"dot, 310, 341, 3", "counts, 177, 75, 0"})
    void kernelsAreNearWhatYosysMakes(String kernel, double lut, double ff, double dsp) {
        Map<String, String> sources = Map.of("dot", OpenFixture.DOT, "counts", OpenFixture.COUNTS);
        var work = OpenFixture.work(sources.getOrDefault(kernel, ""));
        FabricArea a = PredictedArea.of(
                OpenFixture.kernel(work, 10).build(work.space().baseline()).module());
        assertThat(a.lut()).isBetween(lut / 1.6, lut * 1.3);
        assertThat(a.ff()).isBetween(ff / 1.15, ff * 1.15);
        assertThat(a.dsp()).isEqualTo(dsp);
    }
}
