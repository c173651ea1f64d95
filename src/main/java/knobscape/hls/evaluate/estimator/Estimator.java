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
        return new Totals(program.library(), settings, program.buses())
                .of(
                        plan.layouts,
                        top,
                        // Tasks that overlap hand an array over in two copies.
                        l -> l.array.source().scope() == ArrayVariable.Scope.LOCAL
                                && dataflow(plan, l.array.source().function()),
                        arrays,
                        operators);
    }

    private boolean dataflow(Plan plan, String function) {
        for (Program.Procedure p : program.functions()) {
            if (p.name.equals(function)) {
                return plan.functionDataflow[p.id];
            }
        }
        return false;
    }
}
