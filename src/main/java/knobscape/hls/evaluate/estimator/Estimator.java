package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.List;
import knobscape.hls.evaluate.estimator.EstimateReport.ArrayEstimate;
import knobscape.hls.evaluate.estimator.EstimateReport.OperatorEstimate;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import org.jspecify.annotations.Nullable;

/// Estimates one kernel under any directives. Thread-safe; everything that does not depend on the directives is
/// computed once.
public final class Estimator {
    private final EstimatorSettings settings;
    private final Program program;
    private final Plan.Maker plans;
    private final RegionMemo memo;
    private final Physics physics;

    /// Prepares a kernel.
    public Estimator(Kernel kernel, EstimatorSettings settings) {
        this.settings = settings;
        this.program = new ProgramBuilder(kernel, settings, new OperatorLibrary(settings)).build();
        this.plans = new Plan.Maker(program);
        this.memo = new RegionMemo(program);
        this.physics = new Physics(settings);
    }

    /// The settings in use.
    public EstimatorSettings settings() {
        return settings;
    }

    /// Assumptions about the kernel behind every figure (unknown trip counts, code that was not understood),
    /// one sentence each.
    public List<String> notes() {
        return program.assumptions();
    }

    /// Figures of the stages from `hls` up to the one of rank `upTo` (0 .. 2); ends early with a stage that
    /// does not fit. Throws `IllegalArgumentException` where a directive names what the kernel does not have.
    public List<StageFigures> estimate(List<Directive> directives, int upTo) {
        Plan plan = plans.make(directives);
        String refused = tooManyBanks(plan);
        if (!refused.isEmpty()) {
            return List.of(refusal(refused));
        }
        Region top;
        try {
            top = new RegionEstimator(program, plan, settings, memo).top();
        } catch (TooLarge e) {
            return List.of(refusal(e.getMessage()));
        }
        return stages(structure(plan, top, null, null), upTo);
    }

    private List<StageFigures> stages(Physics.Structure s, int upTo) {
        var stages = new ArrayList<StageFigures>(3);
        stages.add(physics.hls(s));
        if (upTo >= 1 && stages.getLast().misfit().isEmpty()) {
            stages.add(physics.syn(s));
        }
        if (upTo >= 2 && stages.size() == 2 && stages.getLast().misfit().isEmpty()) {
            stages.add(physics.impl(s, stages.get(1)));
        }
        for (int i = 0; i < stages.size(); i++) {
            stages.set(i, settings.calibration().apply(i, stages.get(i), settings.part()));
        }
        return stages;
    }

    /// Everything that was found about one choice of directives.
    public EstimateReport explain(List<Directive> directives) {
        Plan plan = plans.make(directives);
        String refused = tooManyBanks(plan);
        if (refused.isEmpty()) {
            try {
                Region top = new RegionEstimator(program, plan, settings, memo).top();
                var arrays = new ArrayList<ArrayEstimate>();
                var operators = new ArrayList<OperatorEstimate>();
                Physics.Structure s = structure(plan, top, arrays, operators);
                var loops = new ArrayList<>(top.loops());
                top.callees().forEach((id, c) -> loops.addAll(c.loops()));
                return new EstimateReport(stages(s, 2), loops, arrays, operators, notes());
            } catch (TooLarge e) {
                refused = e.getMessage();
            }
        }
        return new EstimateReport(List.of(refusal(refused)), List.of(), List.of(), List.of(), notes());
    }

    private static StageFigures refusal(String reason) {
        return new StageFigures(0, 0, 0, 0, 0, 0, 0, 0, 60, reason);
    }

    private String tooManyBanks(Plan plan) {
        for (Layout l : plan.layouts) {
            if (l != null && l.banks > Layout.MOST_BANKS) {
                return "array " + l.array.source().id() + " would be split into " + l.banks
                        + " banks; the tool takes at most " + Layout.MOST_BANKS;
            }
        }
        return "";
    }

    /// Adds up operators, memories and the multiplexers at their ports.
    private Physics.Structure structure(
            Plan plan, Region top, @Nullable List<ArrayEstimate> arrays, @Nullable List<OperatorEstimate> operators) {
        OperatorLibrary library = program.library();
        var total = settled(top, operators);
        for (Region c : top.callees().values()) {
            total.add(settled(c, operators), false);
        }
        double bram = 0;
        double uram = 0;
        for (Layout l : plan.layouts) {
            if (l == null) {
                continue;
            }
            double accesses = total.accesses[l.array.id()];
            ports(total, l, accesses, library);
            long blocks = 0;
            String kind = l.array.onBus()
                    ? "AXI " + program.buses().ports().get(l.array.bus()).name()
                    : "external";
            if (!l.array.external()) {
                boolean simple = accesses <= 2;
                kind = kind(l);
                // Tasks that overlap hand an array over in two copies.
                int buffers = l.array.source().scope() == ArrayVariable.Scope.LOCAL
                                && dataflow(plan, l.array.source().function())
                        ? 2
                        : 1;
                switch (kind) {
                    case "FIFO" -> {
                        total.realLut += l.wordBits + 20;
                        total.reportedLut += l.wordBits + 30;
                        total.reportedFf += l.wordBits + 8;
                        total.realFf += l.wordBits + 8;
                    }
                    case "registers" -> {
                        double bits = (double) buffers * l.banks * l.array.bits() * l.lanesInWord;
                        total.reportedFf += bits;
                        total.realFf += bits;
                    }
                    case "LUTRAM" -> {
                        double lut = buffers
                                * l.banks
                                * Memories.distributed(l.depth, l.wordBits)
                                * Math.max(1, Math.ceil(accesses / l.banks / 2.0) > 1 ? 1.5 : 1);
                        total.reportedLut += lut;
                        total.realLut += lut;
                    }
                    case "URAM" -> uram += (double) buffers * l.banks * Memories.ultraRams(l.depth, l.wordBits);
                    default ->
                        blocks = (long) buffers
                                * l.banks
                                * Memories.blockRams(settings.profile(), l.depth, l.wordBits, simple);
                }
                bram += blocks;
            }
            if (arrays != null) {
                arrays.add(new ArrayEstimate(l.array.source().id(), kind, l.banks, l.depth, l.wordBits, blocks));
            }
        }
        bram += program.buses().addTo(total, program.arrays());
        total.dsp = Math.ceil(total.dsp);
        // Pure wiring reports no cycle; whoever starts it still waits one.
        return new Physics.Structure(Math.max(1, Math.rint(top.cycles())), total, bram, uram);
    }

    private boolean dataflow(Plan plan, String function) {
        for (Program.Procedure p : program.functions()) {
            if (p.name.equals(function)) {
                return plan.functionDataflow[p.id];
            }
        }
        return false;
    }

    private static String kind(Layout l) {
        if (l.array.fifo()) {
            return "FIFO";
        }
        if (l.registers) {
            return "registers";
        }
        return l.lutram ? "LUTRAM" : l.request.storage() == Directive.Storage.URAM ? "URAM" : "BRAM";
    }

    private Usage settled(Region r, @Nullable List<OperatorEstimate> operators) {
        OperatorLibrary library = program.library();
        var u = new Usage(library.shared().size(), program.arrays().size());
        u.add(r.usage(), false);
        u.settle(library.shared(), library);
        for (int i = 0; operators != null && i < u.units.length; i++) {
            if (u.settledUnits[i] > 0) {
                Operator op = library.shared().get(i);
                operators.add(new OperatorEstimate(
                        op.name(),
                        Math.round(u.settledUnits[i]),
                        Math.round(u.settledOperations[i]),
                        op.states(),
                        op.dsp()));
            }
        }
        return u;
    }

    /// Multiplexers that lead the addresses and data of all accesses to the ports of the banks.
    private static void ports(Usage total, Layout l, double accesses, OperatorLibrary library) {
        if (accesses <= 0 || l.registers || l.channels) {
            return;
        }
        double ports = (double) l.banks * l.ports;
        double inputs = accesses / ports;
        double used = Math.min(ports, accesses);
        int addressBits = Math.max(1, 64 - Long.numberOfLeadingZeros(Math.max(1, l.depth - 1)));
        total.reportedLut += used * library.reportedMux(Math.ceil(inputs));
        total.realLut += used * Usage.muxLut(addressBits, inputs);
        total.widestMux = Math.max(total.widestMux, inputs);
    }
}
