package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.PartTable;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.space.Directive;

/// Latency, delay and area of operators for one part, clock and tool. Figures come from published reports,
/// instance names and characterisation files (PandA-bambu, Lina, Lin-Analyzer, Vitis reports); a core takes the
/// shortest pipeline whose slowest stage fits the clock budget. Reference delays are those of a Virtex-7 -2;
/// parts scale them. Filled while a kernel is prepared, read-only afterwards.
final class OperatorLibrary {
    private static final int MAX_WIDTH = 128;
    private static final double[] WIDTHS = {8, 16, 32, 64};
    private static final double[] ADD_NS = {0.94, 1.05, 1.28, 1.71};
    private static final double[] LESS_NS = {1.02, 0.99, 1.13, 1.33};
    private static final double[] LOGIC_NS = {0.50, 0.56, 0.63, 0.68};
    private static final double[] SHIFT_NS = {1.03, 1.26, 1.65, 1.91};
    private static final double[] SELECT_NS = {1.00, 1.28, 1.53, 1.75};
    private static final double[] SHIFT_LUT = {15, 34, 93, 198};
    /// Integer multiplier by number of states: stage delay by width.
    private static final double[][] MULTIPLY_NS = {
        {2.29, 3.88, 5.50, 8.16},
        {1.6, 2.22, 4.39, 6.89},
        {1.5, 2.14, 2.83, 6.48},
        {1.5, 2.1, 2.6, 4.9},
        {1.5, 2.0, 2.5, 4.00},
        {1.5, 2.0, 2.4, 3.2}
    };
    private static final double DSP_ADD_NS = 2.1;
    private static final int TWO_BITS = 2;
    /// How much of a slower grade's delay floating-point cores feel. Instance names in public reports for xc7z020-1 and
    /// xc7a12t-1 have 5 stages for fadd and 4 for fmul at 7.3 ns, 4 and 3 at 8.75 ns.
    private static final double CORE_SPEED = 0.56;
    private static final double[] DIVIDE_NS = {1.9, 3.5, 4.1, 5.2};

    private record Key(
            OperationKind kind,
            ScalarType.Kind type,
            int bits,
            int left,
            int right,
            Directive.Core core,
            boolean pipelined) {}

    private final EstimatorSettings settings;
    private final Part part;
    private final double budget;
    private final Map<Key, FunctionalUnit> cache = new HashMap<>();
    private final Map<Integer, FunctionalUnit> bankDividers = new HashMap<>();
    private final List<FunctionalUnit> all = new ArrayList<>();
    private final List<FunctionalUnit> shared = new ArrayList<>();
    private final FunctionalUnit[] selects = new FunctionalUnit[MAX_WIDTH + 1];
    private final FunctionalUnit[] adders = new FunctionalUnit[MAX_WIDTH + 1];
    private final FunctionalUnit and;
    private final FunctionalUnit load;
    private final FunctionalUnit registerRead;
    private final FunctionalUnit store;
    private final FunctionalUnit wideStore;
    private final FunctionalUnit registerWrite;
    private final FunctionalUnit wire;

    OperatorLibrary(EstimatorSettings settings) {
        this.settings = settings;
        this.part = settings.part();
        this.budget = settings.budgetNs();
        double l = part.logicDelay();
        wire = add("wire", 1, 0, 0, 0, 0, 0, 0, 0, 0, false, 1);
        load = add("load", 2, 1.23 * l, 1.9 * l, 0, 0, 0, 0, 0, 0, false, 1);
        registerRead = add("read", 1, 0, 0, 0, 0, 0, 0, 0, 0, false, 1);
        store = add("store", 1, 0.67 * l, 0.9 * l, 0, 0, 0, 0, 0, 0, false, 1);
        wideStore = add("store.wide", 2, 1.23 * l, 1.9 * l, 0, 0, 0, 0, 0, 0, false, 2);
        registerWrite = add("write", 1, 0, 0, 0, 0, 0, 0, 0, 0, false, 1);
        for (int w = 0; w <= MAX_WIDTH; w++) {
            int bits = Math.max(1, w);
            selects[w] = integer(OperationKind.SELECT, bits, 0, 0, Directive.Core.AUTO, false);
            adders[w] = integer(OperationKind.ADD, bits, 0, 0, Directive.Core.AUTO, false);
        }
        and = integer(OperationKind.LOGIC, 1, 0, 0, Directive.Core.AUTO, false);
    }

    /// Operators of which one unit may serve several operations; their `sharing` is the index here.
    List<FunctionalUnit> shared() {
        return shared;
    }

    /// A two-way selection.
    FunctionalUnit select(int width) {
        return selects[Math.clamp(width, 0, MAX_WIDTH)];
    }

    /// An integer adder.
    FunctionalUnit adder(int width) {
        return adders[Math.clamp(width, 0, MAX_WIDTH)];
    }

    /// Conjunction of two conditions.
    FunctionalUnit and() {
        return and;
    }

    /// LUTs the report books for a multiplexer.
    double reportedMux(double inputs) {
        return settings.profile().reportedMux(inputs);
    }

    /// Clock to output and set-up of a register, ns.
    double registerNs() {
        return 0.5 * part.logicDelay();
    }

    /// Delay of logic relative to a Virtex-7 -2.
    double logicDelay() {
        return part.logicDelay();
    }

    /// A read of a memory: address in the first state, data in the second.
    FunctionalUnit load() {
        return load;
    }

    /// A read of an array kept in registers.
    FunctionalUnit registerRead() {
        return registerRead;
    }

    /// A write to a memory.
    FunctionalUnit store() {
        return store;
    }

    /// A write of one element into a wider word: read, modify, write.
    FunctionalUnit wideStore() {
        return wideStore;
    }

    /// A write to an array kept in registers.
    FunctionalUnit registerWrite() {
        return registerWrite;
    }

    /// No hardware at all.
    FunctionalUnit wire() {
        return wire;
    }

    /// The operator for an operation.
    ///
    /// @param result type of the result
    /// @param left width of the first operand, bits
    /// @param right width of the second operand, bits
    /// @param operandType type of the first operand, decides over comparisons and conversions
    /// @param core binding of multipliers
    /// @param pipelined whether it stands in a pipeline (integer division has a sequential form elsewhere)
    FunctionalUnit of(
            OperationKind kind,
            ScalarType result,
            ScalarType operandType,
            int left,
            int right,
            Directive.Core core,
            boolean pipelined) {
        ScalarType.Kind family = kind == OperationKind.COMPARE ? operandType.kind() : result.kind();
        OperationKind k = kind;
        if (kind == OperationKind.CONVERT) {
            return conversion(result, operandType, left);
        }
        if (isFloat(family)) {
            return floating(k, family, core);
        }
        int bits = Math.max(1, kind == OperationKind.COMPARE ? Math.max(left, right) : width(result));
        if (kind == OperationKind.DIVIDE && result.kind() == ScalarType.Kind.FIXED) {
            bits += result.fraction();
        }
        boolean multiplier = kind == OperationKind.MULTIPLY;
        boolean adder = kind == OperationKind.ADD || kind == OperationKind.SUBTRACT;
        boolean divider = kind == OperationKind.DIVIDE || kind == OperationKind.REMAINDER;
        return integer(
                k,
                bits,
                multiplier ? left : 0,
                multiplier ? right : 0,
                multiplier || (adder && core == Directive.Core.DSP) ? core : Directive.Core.AUTO,
                divider && pipelined);
    }

    /// Width in bits with a stand-in of 32 for types that were not understood.
    static int width(ScalarType type) {
        return type.bits() > 0 ? type.bits() : 32;
    }

    private static boolean isFloat(ScalarType.Kind kind) {
        return kind == ScalarType.Kind.FLOAT || kind == ScalarType.Kind.DOUBLE || kind == ScalarType.Kind.HALF;
    }

    private FunctionalUnit conversion(ScalarType to, ScalarType from, int fromBits) {
        boolean toFloat = isFloat(to.kind());
        boolean fromFloat = isFloat(from.kind());
        if ((!toFloat && !fromFloat) || to.kind() == from.kind()) {
            return wire;
        }
        FloatCore c = toFloat && fromFloat ? FloatCore.RESIZE : toFloat ? FloatCore.FROM_INT : FloatCore.TO_INT;
        String name =
                (toFloat && fromFloat ? "fpext" : toFloat ? "itofp" : "fptoi") + "." + Math.max(width(to), fromBits);
        boolean wide = width(to) == 64 || fromBits == 64;
        return cache.computeIfAbsent(
                new Key(
                        OperationKind.CONVERT,
                        toFloat ? to.kind() : from.kind(),
                        width(to),
                        fromBits,
                        fromFloat ? 1 : 0,
                        Directive.Core.AUTO,
                        false),
                key -> core(name, c, wide ? 2 : 1, 1, width(to)));
    }

    /// The core that Vitis HLS takes on UltraScale+ for an addition whose latency decides an interval: its adder
    /// without DSP blocks, where that has fewer states (`fadd_32ns_32ns_32_4_no_dsp_1` in reports); else the same.
    FunctionalUnit shorter(FunctionalUnit op) {
        if (!op.name().equals("fadd")
                || part.family() == PartTable.Family.SERIES_7
                || settings.profile() == ToolProfile.VIVADO_HLS_2018) {
            return op;
        }
        FunctionalUnit fabric = floating(OperationKind.ADD, ScalarType.Kind.FLOAT, Directive.Core.FABRIC);
        return fabric.states() < op.states() ? fabric : op;
    }

    private FunctionalUnit floating(OperationKind kind, ScalarType.Kind family, Directive.Core core) {
        boolean multiply = kind == OperationKind.MULTIPLY;
        boolean adder = kind == OperationKind.ADD || kind == OperationKind.SUBTRACT;
        Directive.Core used = multiply
                ? core
                : adder ? (core == Directive.Core.AUTO ? settings.floatAdder() : core) : Directive.Core.AUTO;
        if (adder && used == Directive.Core.AUTO) {
            used = Directive.Core.DSP;
        }
        Directive.Core bound = used;
        OperationKind merged = kind == OperationKind.SUBTRACT ? OperationKind.ADD : kind;
        return cache.computeIfAbsent(
                new Key(merged, family, 0, 0, 0, bound, false), key -> makeFloating(merged, family, bound));
    }

    private FunctionalUnit makeFloating(OperationKind kind, ScalarType.Kind family, Directive.Core core) {
        boolean wide = family == ScalarType.Kind.DOUBLE;
        boolean u = part.family() != PartTable.Family.SERIES_7;
        boolean vitis = settings.profile() != ToolProfile.VIVADO_HLS_2018;
        boolean fabric = core == Directive.Core.FABRIC;
        int bits = wide ? 64 : family == ScalarType.Kind.HALF ? 16 : 32;
        String prefix = wide ? "d" : family == ScalarType.Kind.HALF ? "h" : "f";
        double area = family == ScalarType.Kind.HALF ? 0.5 : 1;
        double areaOfSingle = wide ? 3 : area;
        return switch (kind) {
            case ADD -> core(prefix + "add", FloatCore.adder(wide, fabric, u, vitis), area, 1, bits);
            case MULTIPLY -> core(prefix + "mul", FloatCore.multiplier(wide, core, u, vitis), area, 1, bits);
            case DIVIDE, REMAINDER -> core(prefix + "div", FloatCore.divider(wide, u), area, 1, bits);
            case SQRT -> core(prefix + "sqrt", FloatCore.SQRT, areaOfSingle, wide ? 2 : 1, bits);
            case EXP -> core(prefix + "exp", FloatCore.EXP, areaOfSingle, wide ? 1.6 : 1, bits);
            case LOG -> core(prefix + "log", FloatCore.LOG, areaOfSingle, wide ? 1.6 : 1, bits);
            case TRIG -> core(prefix + "trig", FloatCore.TRIG, areaOfSingle, wide ? 1.6 : 1, bits);
            case POW -> core(prefix + "pow", FloatCore.POW, areaOfSingle, wide ? 1.6 : 1, bits);
            case COMPARE -> core(prefix + "cmp", FloatCore.COMPARE, wide ? 1.6 : 1, 1, 1);
            case MINMAX -> core(prefix + "minmax", FloatCore.COMPARE, wide ? 3 : 1.6, 1, bits);
            case SELECT -> combinational("select." + bits, interpolate(SELECT_NS, bits), bits, 0.5 * bits, bits);
            case NEGATE, ABSOLUTE, BIT_SELECT, SHIFT_CONSTANT, LOGIC -> combinational(prefix + "sign", 0.4, 1, 1, bits);
            default -> combinational(prefix + "other", interpolate(LOGIC_NS, bits), bits, bits, bits);
        };
    }

    /// `stretch` multiplies the number of states of a core that is only known for single precision.
    private FunctionalUnit core(String name, FloatCore core, double area, double stretch, int bits) {
        double speed = part.family() != PartTable.Family.SERIES_7 && core.pipelines()[0][0] > 1
                ? 1
                : core.pipelines()[0][0] > 1 ? 1 + CORE_SPEED * (part.dspDelay() - 1) : part.logicDelay();
        double[] chosen = null;
        for (double[] p : core.pipelines()) {
            if (p[1] * speed <= budget) {
                chosen = p;
                break;
            }
        }
        double states;
        double stage;
        if (chosen == null) {
            double[] last = core.pipelines()[core.pipelines().length - 1];
            states = Math.ceil(last[0] * last[1] * speed / budget);
            stage = Math.min(last[1] * speed, budget);
        } else {
            states = chosen[0];
            stage = chosen[1] * speed;
        }
        int n = (int) Math.max(1, Math.round(states > 1 ? states * stretch : states));
        double extra = Math.max(0, n - core.pipelines()[0][0]) * core.ffPerState();
        double ff = n > 1 ? (core.reportedFf() + extra) * area : 0;
        double pathScale = speed * Math.min(1, stage / (core.pipelines()[0][1] * speed));
        return add(
                name,
                n,
                stage,
                core.pathNs() * pathScale,
                (int) Math.ceil(core.dsp() * (core.dsp() > 3 ? Math.max(1, area) : area)),
                ff,
                core.reportedLut() * area,
                0.8 * ff,
                core.realLut() * area,
                bits,
                n > 1 || core.reportedLut() * area > 150,
                1);
    }

    private FunctionalUnit integer(
            OperationKind kind, int bits, int left, int right, Directive.Core core, boolean pipelined) {
        return cache.computeIfAbsent(
                new Key(kind, ScalarType.Kind.INTEGER, bits, left, right, core, pipelined),
                key -> makeInteger(kind, bits, left, right, core, pipelined));
    }

    private FunctionalUnit makeInteger(
            OperationKind kind, int bits, int left, int right, Directive.Core core, boolean pipelined) {
        double w = bits;
        if (core == Directive.Core.DSP && kind != OperationKind.MULTIPLY) {
            return dspAdder(bits);
        }
        return switch (kind) {
            case ADD -> combinational("add." + bits, interpolate(ADD_NS, w), w + 7, w, bits);
            case SUBTRACT, NEGATE -> combinational("sub." + bits, interpolate(ADD_NS, w), w + 7, w, bits);
            case ABSOLUTE -> combinational("abs." + bits, interpolate(ADD_NS, w) + 0.5, 2 * w + 7, 1.5 * w, bits);
            case MINMAX ->
                combinational(
                        "minmax." + bits,
                        interpolate(LESS_NS, w) + 0.6 * interpolate(SELECT_NS, w),
                        w * 4 / 3 + 8,
                        w,
                        bits);
            case COMPARE -> combinational("cmp." + bits, interpolate(LESS_NS, w), 8 + w / 3, w / 2, 1);
            case SELECT -> combinational("select." + bits, interpolate(SELECT_NS, w), w, w / 2, bits);
            case LOGIC -> combinational("logic." + bits, interpolate(LOGIC_NS, w), Math.max(2, w), w / 2, bits);
            case SHIFT_VARIABLE ->
                combinational(
                        "shift." + bits,
                        interpolate(SHIFT_NS, w),
                        interpolate(SHIFT_LUT, w) * 1.04,
                        interpolate(SHIFT_LUT, w) * 0.9,
                        bits);
            case SHIFT_CONSTANT, BIT_SELECT -> wire;
            case MULTIPLY -> multiplier(bits, left, right, core);
            case DIVIDE, REMAINDER -> divider(bits, pipelined);
            case SQRT, EXP, LOG, POW, TRIG ->
                makeFloating(kind, bits > 32 ? ScalarType.Kind.DOUBLE : ScalarType.Kind.FLOAT, core);
            default -> combinational("other." + bits, interpolate(LOGIC_NS, w), w, w / 2, bits);
        };
    }

    /// An adder in a DSP block, 48 bits each.
    private FunctionalUnit dspAdder(int bits) {
        double delay = DSP_ADD_NS * part.dspDelay();
        return add("add." + bits + ".dsp", 1, delay, delay, Math.ceilDiv(bits, 48), 0, 0, 0, 0, bits, false, 1);
    }

    private FunctionalUnit multiplier(int bits, int left, int right, Directive.Core core) {
        int a = Math.max(left, right);
        int b = Math.min(left, right);
        if (b <= TWO_BITS && core != Directive.Core.DSP) {
            // Nothing, the other factor, its negative or its double.
            return adder(Math.min(MAX_WIDTH, a + 1));
        }
        boolean tiny = a <= 10 && core != Directive.Core.DSP;
        boolean fabric = core == Directive.Core.FABRIC || tiny;
        boolean lowHalf = bits <= a;
        double product = (double) a * b * (lowHalf && !tiny ? 0.6 : 1);
        int dsp = fabric ? 0 : dspTiles(a, b, lowHalf);
        // Fabric multipliers grow one carry chain per partial product level and lose against DSP blocks from 16
        // bits on.
        double slower = fabric && !tiny ? 1.15 : 1;
        double speed = (dsp > 0 ? part.dspDelay() : part.logicDelay()) * slower;
        int states = MULTIPLY_NS.length;
        double stage = Math.min(budget, interpolate(MULTIPLY_NS[states - 1], a) * speed);
        for (int s = 1; s <= MULTIPLY_NS.length; s++) {
            double ns = interpolate(MULTIPLY_NS[s - 1], a) * speed;
            if (ns <= budget) {
                states = s;
                stage = ns;
                break;
            }
        }
        double lut = fabric ? 0.62 * product : dsp > 1 ? 17 + a / 10.0 : 0;
        double ff = states > 1 ? (states - 1) * (fabric ? 1.3 : 0.8) * bits : 0;
        return add(
                "mul." + a + "x" + b + (fabric ? "" : ".dsp"),
                states,
                stage,
                0.75 * stage,
                dsp,
                ff,
                lut,
                0.9 * ff,
                fabric ? 0.55 * product : lut,
                bits,
                dsp > 0 || lut > 100,
                1);
    }

    /// DSP blocks of an `a` x `b` bit product; signed operands use one bit of each block's input for the sign.
    private int dspTiles(int a, int b, boolean lowHalf) {
        int wide = part.family() != PartTable.Family.SERIES_7 ? 27 : 25;
        if (a <= wide && b <= 18) {
            return 1;
        }
        int tiles = Math.ceilDiv(a - 1, 17) * Math.ceilDiv(Math.max(1, b - 1), wide - 1);
        return lowHalf ? Math.max(1, (int) Math.ceil(0.75 * tiles)) : tiles;
    }

    /// Division of an index by a constant that is not a power of two: quotient by a multiplication, remainder by
    /// a divider.
    FunctionalUnit bankDivider(int bits, boolean pipelined) {
        return bankDividers.computeIfAbsent(bits * 2 + (pipelined ? 1 : 0), _ -> {
            FunctionalUnit d = divider(bits, pipelined);
            return add(
                    "bank." + bits,
                    d.states(),
                    d.stageNs(),
                    interpolate(MULTIPLY_NS[0], bits) * part.dspDelay()
                            + 2 * interpolate(ADD_NS, bits) * part.logicDelay(),
                    bits > 10 ? 1 : 0,
                    d.area().reportedFf(),
                    d.area().reportedLut(),
                    d.area().realFf(),
                    d.area().realLut(),
                    bits,
                    false,
                    d.initiation());
        });
    }

    private FunctionalUnit divider(int bits, boolean pipelined) {
        int states = bits + 4;
        double stage = Math.min(budget, interpolate(DIVIDE_NS, bits) * part.logicDelay());
        return pipelined
                ? add(
                        "div." + bits,
                        states,
                        stage,
                        0.8 * stage,
                        0,
                        2.05 * bits * bits,
                        1.74 * bits * bits,
                        1.8 * bits * bits,
                        1.5 * bits * bits,
                        bits,
                        true,
                        1)
                : add(
                        "div." + bits + ".seq",
                        states,
                        stage,
                        0.8 * stage,
                        0,
                        12.3 * bits,
                        7.4 * bits,
                        11 * bits,
                        6.5 * bits,
                        bits,
                        true,
                        states);
    }

    private FunctionalUnit combinational(String name, double ns, double reportedLut, double realLut, int bits) {
        double delay = ns * part.logicDelay();
        return add(name, 1, delay, 0.8 * delay, 0, 0, reportedLut, 0, realLut, bits, false, 1);
    }

    private FunctionalUnit add(
            String name,
            int states,
            double stage,
            double path,
            int dsp,
            double reportedFf,
            double reportedLut,
            double realFf,
            double realLut,
            int bits,
            boolean shareable,
            int initiation) {
        int sharing = -1;
        if (shareable) {
            sharing = shared.size();
        }
        var made = new FunctionalUnit(
                all.size(),
                name,
                states,
                stage,
                path,
                new FunctionalUnit.Area(dsp, reportedFf, reportedLut, realFf, realLut),
                bits,
                sharing,
                initiation);
        all.add(made);
        if (shareable) {
            shared.add(made);
        }
        return made;
    }

    /// Linear between the widths 8, 16, 32, 64; constant slope beyond.
    static double interpolate(double[] byWidth, double bits) {
        int i = bits <= 16 ? 0 : bits <= 32 ? 1 : 2;
        double at = byWidth[i] + (byWidth[i + 1] - byWidth[i]) * (bits - WIDTHS[i]) / (WIDTHS[i + 1] - WIDTHS[i]);
        return Math.max(0.3 * byWidth[0], at);
    }
}
