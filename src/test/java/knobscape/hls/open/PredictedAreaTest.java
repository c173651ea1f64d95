package knobscape.hls.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.FloatCores;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Register;
import knobscape.hls.rtl.RtlModule.Wire;
import knobscape.hls.rtl.RtlModule.Write;
import knobscape.hls.rtl.StagedCore;
import knobscape.hls.rtl.WholeCores;
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

    /// The operators that the count was calibrated with, as Yosys 0.70 (synth_ecp5) makes them alone: a float divider
    /// of
    /// 8.4 ns was counted as 2 327 tables and 2 097 registers, of 18.4 ns as 5 527 and 994.
    @ParameterizedTest
    @CsvSource({
        "fadd, 8.4, 649, 531, 0",
        "fadd, 5, 771, 673, 0",
        "fmul, 8.4, 251, 363, 4",
        "fdiv, 8.4, 1532, 1122, 0",
        "fdiv, 18.4, 1471, 537, 0",
        "fsqrt, 8.4, 1272, 718, 0",
        "fromwhole, 8.4, 321, 110, 0",
        "towhole, 8.4, 244, 66, 0",
        "sdiv32, 8.4, 2206, 3070, 0",
        "urem24, 8.4, 1130, 744, 0",
        "mul32, 8.4, 32, 96, 3"
    })
    void operatorsAreNearWhatYosysMakes(String name, double budget, double lut, double ff, double dsp) {
        StagedCore core = switch (name) {
            case "fadd" -> FloatCores.add();
            case "fmul" -> FloatCores.multiply();
            case "fdiv" -> FloatCores.divide();
            case "fsqrt" -> FloatCores.squareRoot();
            case "fromwhole" -> FloatCores.fromWhole(true);
            case "towhole" -> FloatCores.toWhole();
            case "sdiv32" -> WholeCores.divide(32, true, false);
            case "urem24" -> WholeCores.divide(24, false, true);
            default -> WholeCores.multiply(32, 32, 32);
        };
        FabricArea a = PredictedArea.of(core.module(name, core.timing(budget)));
        assertThat(a.lut()).isBetween(lut / 1.05, lut * 1.45);
        assertThat(a.ff()).isBetween(ff, ff * 1.3);
        assertThat(a.dsp()).isEqualTo(dsp);
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
