package knobscape.explore.bayes;

import java.util.List;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Goal;
import knobscape.explore.Budget;
import knobscape.explore.History;
import knobscape.surrogate.gp.GpSettings;

/// How a Bayesian explorer works. The defaults follow thesis section 3.6.4 where it says something, and
/// measured designs where they say otherwise: Algorithm 2 as printed ([FidelityRule#OWN_FRONT] with
/// hypervolumes) stays at the lowest fidelity, and hypervolume pays little for the ends of a front that ADRS
/// counts in full.
///
/// @param start the first designs
/// @param learning what surrogates learn from
/// @param choosing how the next run is chosen
/// @param pool designs considered at a step
/// @param limits of designs and of the run
public record BayesSettings(FirstDesigns start, Learning learning, Choosing choosing, Pool pool, Limits limits) {

    /// The first designs.
    ///
    /// @param designs initial designs at the lowest fidelity (thesis: 8)
    /// @param upward how many of them are run on to every higher fidelity. Four of eight by default: a design
    /// stopped at `syn` costs most of what `impl` costs and tells less, so the middle gets no share of its own,
    /// and four is the least that shows a trend of three objectives
    /// @param kind how they are chosen
    public record FirstDesigns(int designs, int upward, Start kind) implements Choice {
        /// Throws [IllegalArgumentException] where none is run upward, or more than there are.
        public FirstDesigns {
            if (designs < 1 || upward < 1 || upward > designs) {
                throw new IllegalArgumentException(
                        "initial designs must be at least 1, and 1 to all of them must be run upward");
            }
        }

        /// Another number chosen the same way, half of them (at least one) run upward.
        public FirstDesigns of(int number) {
            return new FirstDesigns(number, Math.max(1, (number + 1) / 2), kind);
        }
    }

    /// The settings of what surrogates learn from.
    ///
    /// @param objectives whether objectives are modelled jointly; where they are not the improvement is exact
    /// @param output on which scale objectives are modelled
    /// @param report what surrogates see of a stage below
    /// @param invalid what becomes of designs that cannot be built
    /// @param prior what is known of the highest stage from other kernels
    /// @param features what the distance of two values of a knob is
    /// @param gp priors and limits of the Gaussian processes
    public record Learning(
            ObjectiveModel objectives,
            OutputScale output,
            Report report,
            Invalid invalid,
            Prior prior,
            Features features,
            GpSettings gp) {
        private Learning with(Choice other) {
            return new Learning(
                    other instanceof ObjectiveModel c ? c : objectives,
                    other instanceof OutputScale c ? c : output,
                    other instanceof Report c ? c : report,
                    other instanceof Invalid c ? c : invalid,
                    other instanceof Prior c ? c : prior,
                    other instanceof Features c ? c : features,
                    gp);
        }
    }

    /// How the next run is chosen.
    ///
    /// @param fidelity what a run at a lower fidelity is worth
    /// @param gain what an improvement is
    /// @param volume in which space volumes are taken
    /// @param fronts how fronts are drawn from the posterior
    /// @param alignment whether a lower fidelity's values are brought to the level of the highest before their
    /// hypervolume is taken
    /// @param stall what happens where run after run brings no new design of the front
    /// @param cost what a stage costs
    /// @param screening which stages a run may stop after
    public record Choosing(
            FidelityRule fidelity,
            Gain gain,
            Volume volume,
            Fronts fronts,
            Alignment alignment,
            Stall stall,
            CostRule cost,
            Screening screening) {
        private Choosing with(Choice other) {
            return new Choosing(
                    other instanceof FidelityRule c ? c : fidelity,
                    other instanceof Gain c ? c : gain,
                    other instanceof Volume c ? c : volume,
                    other instanceof Fronts c ? c : fronts,
                    other instanceof Alignment c ? c : alignment,
                    other instanceof Stall c ? c : stall,
                    other instanceof CostRule c ? c : cost,
                    other instanceof Screening c ? c : screening);
        }
    }

    /// Designs considered at a step.
    ///
    /// @param whole spaces up to this size are searched as a whole
    /// @param uniform designs drawn uniformly from a larger space, afresh each step
    /// @param neighbours most neighbours of the front added to them
    public record Pool(int whole, int uniform, int neighbours) implements Choice {
        /// Throws [IllegalArgumentException] where nothing is left to consider.
        public Pool {
            if (whole < 0 || uniform < 1 || neighbours < 0) {
                throw new IllegalArgumentException("candidates must be positive");
            }
        }
    }

    /// Limits of designs and of the run.
    ///
    /// @param bounds that metrics of a design have to keep; a design that does not is of no use
    /// @param budget what the whole run may take; no more than a share of it goes into a start with screening
    public record Limits(List<Goal.Bound> bounds, Budget budget) implements Choice {
        /// Copies the list.
        public Limits {
            bounds = List.copyOf(bounds);
        }
    }

    /// The values used where nothing else is asked for.
    public static final BayesSettings DEFAULT = new BayesSettings(
            new FirstDesigns(8, 4, Start.RANDOM),
            new Learning(
                    ObjectiveModel.CORRELATED,
                    OutputScale.LOGARITHMIC,
                    Report.OBJECTIVES,
                    Invalid.PENALISED,
                    Prior.NONE,
                    Features.ENCODED,
                    GpSettings.DEFAULT),
            new Choosing(
                    FidelityRule.STAGED,
                    Gain.COVERAGE,
                    Volume.MODELLED,
                    Fronts.SHARED,
                    Alignment.MEDIAN_RATIO,
                    Stall.NONE,
                    CostRule.MEASURED,
                    Screening.CHEAP),
            new Pool(20_000, 8_000, 2_000),
            new Limits(List.of(), Budget.NONE));

    /// The program's own settings: every objective by itself from the whole report of the stage below, fronts of
    /// functions drawn from the posterior. Values of a knob are told apart by their ranks, as small factors decide
    /// what is refused and what a design costs, and lie close together as encoded.
    public static final BayesSettings CGP = DEFAULT.with(ObjectiveModel.INDEPENDENT)
            .with(Report.WHOLE)
            .with(Start.SCREENED)
            .with(Fronts.JOINT)
            .with(Invalid.LEARNED)
            .with(Stall.EXACT_AND_LOOK)
            .with(Prior.SLOPES)
            .with(Features.RANKED)
            .with(GpSettings.DEFAULT
                    .with(GpSettings.Effort.warm(5))
                    .with(GpSettings.DEFAULT.priors().multiplied(0.25)));

    /// [#CGP] for what an evaluator offers. On a single stage no report tells where designs are refused or how
    /// objectives hang together, and warm fits go further. Of two objectives the exact hypervolume improvement,
    /// which pays for both ends of such a front, chooses, and refused designs count as expected; of three and more
    /// they count as bad ones, and it takes the likelier of joint and independent processes.
    ///
    /// @param objectives number of objectives
    public static BayesSettings cgp(EvaluatorInfo info, int objectives) {
        if (info.fidelities().size() > 1) {
            return CGP;
        }
        BayesSettings single = CGP.with(GpSettings.DEFAULT);
        return objectives > 2
                ? single.with(Invalid.PENALISED).with(ObjectiveModel.LIKELIER)
                : single.with(Invalid.EXPECTED).with(Gain.HYPERVOLUME);
    }

    /// The thesis as printed: Algorithm 2 with the improvement of each fidelity's own front (Eq. 3.11-3.12) times
    /// `T_impl / T_i` (Eq. 3.15), correlated objectives (Eq. 3.14), the non-linear link (Eq. 3.9), values divided
    /// by their scales and not their logarithms (section 3.6.3). What still deviates is in `faithfulness.md`.
    public static final BayesSettings PUBLISHED = DEFAULT.with(OutputScale.LINEAR)
            .with(FidelityRule.OWN_FRONT)
            .with(Gain.HYPERVOLUME)
            .with(Volume.NORMALISED)
            .with(Alignment.NONE)
            .with(CostRule.PRINTED)
            .with(GpSettings.DEFAULT.with(GpSettings.LowerLink.CURVED));

    /// FPL18 (Lo and Chow 2018): objectives apart, expected improvement in closed form, every fidelity weighed
    /// by its cost.
    public static final BayesSettings FPL18 = DEFAULT.with(ObjectiveModel.INDEPENDENT)
            .with(FidelityRule.TOP_FRONT)
            .with(Gain.HYPERVOLUME);

    /// The ablation of the improvement: max-value entropy search per objective, objectives apart.
    public static final BayesSettings MES = DEFAULT.with(ObjectiveModel.INDEPENDENT)
            .with(FidelityRule.TOP_FRONT)
            .with(Gain.ENTROPY);

    /// One of several ways of doing something, or one of the parts.
    public interface Choice {}

    /// With another way, or another part.
    public BayesSettings with(Choice other) {
        return new BayesSettings(
                switch (other) {
                    case Start c -> new FirstDesigns(start.designs, start.upward, c);
                    case FirstDesigns c -> c;
                    default -> start;
                },
                learning.with(other),
                choosing.with(other),
                other instanceof Pool c ? c : pool,
                other instanceof Limits c ? c : limits);
    }

    /// With other settings of the Gaussian processes.
    public BayesSettings with(GpSettings other) {
        var l = learning;
        return new BayesSettings(
                start,
                new Learning(l.objectives, l.output, l.report, l.invalid, l.prior, l.features, other),
                choosing,
                pool,
                limits);
    }

    /// How objectives hang together in the surrogate.
    public enum ObjectiveModel implements Choice {
        /// One process with a full coregionalisation matrix per fidelity (thesis Eq. 3.14).
        CORRELATED,
        /// One process per objective.
        INDEPENDENT,
        /// The likelier of the two, by the fit.
        LIKELIER
    }

    /// The costs of stages, as far as they count in choosing one.
    @FunctionalInterface
    public interface CostRule extends Choice {
        /// Average times, and a quarter of a run to the top for the step itself: steps are counted too, and
        /// without a price of their own a run of forty of them ends with hardly a design at the top wherever
        /// the lowest stage takes a minute and the highest an hour. On the samples gemm and spmv_crs it brought
        /// ADRS over random search's at equal tool hours from 0.13 (no price) to 0.03.
        CostRule MEASURED = (info, history) -> new MeasuredCosts(info, history, 0.25);
        /// Average times (thesis Eq. 3.15 as printed).
        CostRule PRINTED = (info, history) -> new MeasuredCosts(info, history, 0);

        /// At the present state of a run.
        StageCosts of(EvaluatorInfo info, History history);
    }

    /// On which scale objectives are modelled.
    public enum OutputScale implements Choice {
        /// Logarithms, for every objective whose values have all been positive so far; others as they are.
        LOGARITHMIC,
        /// As they are.
        LINEAR
    }

    /// The treatment of a fidelity that sees the same design systematically higher or lower than the highest one
    /// does.
    public enum Alignment implements Choice {
        /// Its values are multiplied (on a linear scale: raised) by the median over the designs run at both, so
        /// that improvements of different fidelities are measured against the same reference point. Only the
        /// acquisition sees this; surrogates learn the values as they are.
        MEDIAN_RATIO,
        /// Its values are taken at their word.
        NONE
    }

    /// The worth of a run at a lower fidelity.
    public enum FidelityRule implements Choice {
        /// The expected improvement of that fidelity's own front (thesis section 3.4.3).
        OWN_FRONT,
        /// The information expected about the highest fidelity.
        TOP_FRONT,
        /// Expected gain per tool time of the best continuation: to stop after the lower stage where its result
        /// disappoints, to run further where it does not.
        STAGED
    }

    /// The measure of an improvement.
    public enum Gain implements Choice {
        /// Growth of the front's hypervolume.
        HYPERVOLUME,
        /// Information about the smallest value of each objective (max-value entropy search).
        ENTROPY,
        /// Fall of the mean distance of fronts drawn from the posterior to what was measured.
        COVERAGE
    }

    /// In which space the volume of an improvement is taken.
    public enum Volume implements Choice {
        /// Normalised objectives up to the run's reference point (thesis section 3.4.2).
        NORMALISED,
        /// Objectives as modelled (logarithms, where they are), up to the worst value measured at the highest
        /// fidelity plus a tenth of the range measured there.
        MODELLED
    }

    /// The report of the stage below, as the surrogate of a stage sees it.
    @FunctionalInterface
    public interface Report extends Choice {
        /// The objectives it reports.
        Report OBJECTIVES = isObjective -> isObjective;
        /// Everything it reports; what is not there yet is predicted by a process of its own.
        Report WHOLE = _ -> true;

        /// True if it sees a metric. Where it sees no objective, only the highest fidelity is learned from.
        boolean shows(boolean isObjective);
    }

    /// How the first designs are chosen.
    public enum Start implements Choice {
        /// Nested random sets.
        RANDOM,
        /// Random designs screened at the lowest fidelity, of which the extremes and the farthest apart by their
        /// reports are run in full.
        SCREENED
    }

    /// How fronts are drawn from the posterior.
    public enum Fronts implements Choice {
        /// All candidates of a front share the same normals.
        SHARED,
        /// Fronts of functions drawn from the posterior.
        JOINT
    }

    /// The treatment of designs that cannot be built.
    public enum Invalid implements Choice {
        /// They count as ten times the worst measured so far (thesis).
        PENALISED,
        /// They are left out, and the probability of being valid, learned from them, weighs the gain.
        LEARNED,
        /// They are left out while hyper-parameters are fitted, and then count as what is expected of them: nothing
        /// is to be learned of objectives beside them. The probability weighs the gain here too.
        EXPECTED
    }

    /// The reaction where run after run brings no new design of the front.
    public enum Stall implements Choice {
        /// Nothing.
        NONE,
        /// The exact expected hypervolume improvement takes over until one is found, and beside each run the
        /// lowest stage of the design of which it is least known. Where little is expected of another design,
        /// every second one is that of other processes.
        EXACT_AND_LOOK
    }

    /// Which stages a run may stop after.
    ///
    /// @param longest largest share of a full run that such a stage may cost
    public record Screening(double longest) implements Choice {
        /// Those that cost at most a quarter of a full run. A run stopped at `syn` saves little and leaves the
        /// surrogate of the highest stage as poor as it was: on measured aes, gemm_ncubed and viterbi (2 seeds
        /// each, 60 full runs' tool time) screening at `syn` brought ADRS from 0.008-0.029 to 0.028-0.075.
        public static final Screening CHEAP = new Screening(0.25);
    }

    /// The prior knowledge of the highest stage from other kernels.
    public enum Prior implements Choice {
        /// Nothing.
        NONE,
        /// The slopes of its metrics by the lowest stage's report: the processes learn what is left, and whether the
        /// slopes hold in this run at all. A delay follows the cycles that the lowest stage counted one to one.
        SLOPES
    }

    /// The distance of two values of a knob.
    public enum Features implements Choice {
        /// As encoded: between factors proportional to their difference.
        ENCODED,
        /// By their ranks among the values of the column, so that 1 and 2 are as far apart as 64 and 128.
        RANKED
    }
}
