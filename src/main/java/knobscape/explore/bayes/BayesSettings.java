package knobscape.explore.bayes;

import java.util.List;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Goal;
import knobscape.explore.Budget;
import knobscape.surrogate.gp.GpSettings;

/// How a Bayesian explorer works. The defaults follow thesis section 3.6.4 where it says something, and
/// measured designs where they say otherwise: Algorithm 2 as printed ([FidelityRule#OWN_FRONT] with
/// hypervolumes) stays at the lowest fidelity, and hypervolume pays little for the ends of a front that ADRS
/// counts in full.
///
/// @param initialDesigns initial designs at the lowest fidelity (thesis: 8)
/// @param initialUpward how many of them are run on to every higher fidelity. Four of eight by default: a
/// design stopped at `syn` costs most of what `impl`
///     costs and tells less, so the middle gets no share of its own, and four is the least that shows a trend of three
/// objectives
/// @param objectives whether objectives are modelled jointly
/// @param acquisition how the expected improvement is worked out
/// @param cost whether a fidelity's score is divided by its cost (thesis Eq. 3.15)
/// @param output on which scale objectives are modelled
/// @param alignment whether a lower fidelity's values are brought to the level of the highest before their
/// hypervolume is taken
/// @param fidelity what a run at a lower fidelity is worth
/// @param volume in which space volumes are taken
/// @param gain what an improvement is
/// @param samples draws of a sampled acquisition, a power of two for preference
/// @param wholeSpace spaces up to this size are searched as a whole
/// @param uniformCandidates candidates drawn uniformly from a larger space, afresh each step
/// @param neighbourCandidates most neighbours of the front added to them
/// @param invalidFactor an invalid design counts as this many times the worst value measured so far (thesis:
/// 10)
/// @param gp priors and limits of the Gaussian processes
/// @param report what surrogates see of a stage below
/// @param start how the first designs are chosen
/// @param fronts how fronts are drawn from the posterior
/// @param invalid what becomes of designs that cannot be built
/// @param stall what happens where run after run brings no new design of the front
/// @param screening which stages a run may stop after
/// @param prior what is known of the highest stage from other kernels
/// @param features what the distance of two values of a knob is
/// @param bounds that metrics of a design have to keep; a design that does not is of no use
/// @param budget what the whole run may take; no more than a share of it goes into a start with screening
public record BayesSettings(
        int initialDesigns,
        int initialUpward,
        ObjectiveModel objectives,
        AcquisitionKind acquisition,
        CostRule cost,
        OutputScale output,
        Alignment alignment,
        FidelityRule fidelity,
        Volume volume,
        Gain gain,
        int samples,
        int wholeSpace,
        int uniformCandidates,
        int neighbourCandidates,
        double invalidFactor,
        GpSettings gp,
        Report report,
        Start start,
        Fronts fronts,
        Invalid invalid,
        Stall stall,
        Screening screening,
        Prior prior,
        Features features,
        List<Goal.Bound> bounds,
        Budget budget) {

    /// The values used where nothing else is asked for.
    public static final BayesSettings DEFAULT = new BayesSettings(
            8,
            4,
            ObjectiveModel.CORRELATED,
            AcquisitionKind.AUTOMATIC,
            CostRule.PENALISED,
            OutputScale.LOGARITHMIC,
            Alignment.MEDIAN_RATIO,
            FidelityRule.STAGED,
            Volume.MODELLED,
            Gain.COVERAGE,
            128,
            20_000,
            8_000,
            2_000,
            10,
            GpSettings.DEFAULT,
            Report.OBJECTIVES,
            Start.RANDOM,
            Fronts.SHARED,
            Invalid.PENALISED,
            Stall.NONE,
            Screening.CHEAP,
            Prior.NONE,
            Features.ENCODED,
            List.of(),
            Budget.NONE);

    /// What the program searches with: every objective by itself from the whole report of the stage below, fronts of
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
            .with(GpSettings.DEFAULT.withWarmIterations(5));

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
                : single.with(Invalid.EXPECTED).with(Gain.HYPERVOLUME).with(AcquisitionKind.EXACT);
    }

    /// FPL18 (Lo and Chow 2018): objectives apart, expected improvement in closed form, every fidelity weighed
    /// by its cost.
    public static final BayesSettings FPL18 = DEFAULT.with(ObjectiveModel.INDEPENDENT)
            .with(AcquisitionKind.EXACT)
            .with(FidelityRule.TOP_FRONT)
            .with(Gain.HYPERVOLUME);

    /// The ablation of the improvement: max-value entropy search per objective, objectives apart.
    public static final BayesSettings MES = DEFAULT.with(ObjectiveModel.INDEPENDENT)
            .with(FidelityRule.TOP_FRONT)
            .with(Gain.ENTROPY);

    public BayesSettings {
        bounds = List.copyOf(bounds);
        if (initialDesigns < 1 || initialUpward < 1 || initialUpward > initialDesigns) {
            throw new IllegalArgumentException(
                    "initial designs must be at least 1, and 1 to all of them must be run upward");
        }
        if (samples < 1
                || wholeSpace < 0
                || uniformCandidates < 1
                || neighbourCandidates < 0
                || !(invalidFactor >= 1)) {
            throw new IllegalArgumentException(
                    "samples and candidates must be positive and the invalid factor at least 1");
        }
    }

    /// One of several ways of doing something.
    public sealed interface Choice {}

    /// With another way.
    public BayesSettings with(Choice other) {
        return new BayesSettings(
                initialDesigns,
                initialUpward,
                other instanceof ObjectiveModel c ? c : objectives,
                other instanceof AcquisitionKind c ? c : acquisition,
                other instanceof CostRule c ? c : cost,
                other instanceof OutputScale c ? c : output,
                other instanceof Alignment c ? c : alignment,
                other instanceof FidelityRule c ? c : fidelity,
                other instanceof Volume c ? c : volume,
                other instanceof Gain c ? c : gain,
                samples,
                wholeSpace,
                uniformCandidates,
                neighbourCandidates,
                invalidFactor,
                gp,
                other instanceof Report c ? c : report,
                other instanceof Start c ? c : start,
                other instanceof Fronts c ? c : fronts,
                other instanceof Invalid c ? c : invalid,
                other instanceof Stall c ? c : stall,
                other instanceof Screening c ? c : screening,
                other instanceof Prior c ? c : prior,
                other instanceof Features c ? c : features,
                bounds,
                budget);
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

    /// How the expected improvement is worked out.
    public enum AcquisitionKind implements Choice {
        /// Sampled where objectives are correlated, exact where they are not.
        AUTOMATIC,
        /// In closed form, correlations ignored.
        EXACT,
        /// Averaged over quasi-random draws.
        SAMPLED
    }

    /// Whether cost counts in choosing a fidelity.
    public enum CostRule implements Choice {
        /// PEIPV: EIPV times the cost of the highest fidelity over that of the one in question.
        PENALISED,
        /// EIPV alone.
        IGNORED
    }

    /// On which scale objectives are modelled.
    public enum OutputScale implements Choice {
        /// Logarithms, for every objective whose values have all been positive so far; others as they are.
        LOGARITHMIC,
        /// As they are.
        LINEAR
    }

    /// What happens to a fidelity that sees the same design systematically higher or lower than the highest one
    /// does.
    public enum Alignment implements Choice {
        /// Its values are multiplied (on a linear scale: raised) by the median over the designs run at both, so
        /// that improvements of different fidelities are measured against the same reference point. Only the
        /// acquisition sees this; surrogates learn the values as they are.
        MEDIAN_RATIO,
        /// Its values are taken at their word.
        NONE
    }

    /// What a run at a lower fidelity is worth.
    public enum FidelityRule implements Choice {
        /// The expected improvement of that fidelity's own front (thesis section 3.4.3).
        OWN_FRONT,
        /// What it is expected to tell about the highest fidelity.
        TOP_FRONT,
        /// Nothing: every step runs to the highest fidelity.
        TOP_ONLY,
        /// Expected gain per tool time of the best continuation: to stop after the lower stage where its result
        /// disappoints, to run further where it does not.
        STAGED
    }

    /// What an improvement is.
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

    /// What the surrogate of a stage sees of the stage below.
    public enum Report implements Choice {
        /// The objectives it reports.
        OBJECTIVES,
        /// Everything it reports; what is not there yet is predicted by a process of its own.
        WHOLE,
        /// Nothing: only the highest fidelity is learned from.
        NONE
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

    /// What becomes of designs that cannot be built.
    public enum Invalid implements Choice {
        /// They count as [#invalidFactor] times the worst.
        PENALISED,
        /// They are left out, and the probability of being valid, learned from them, weighs the gain.
        LEARNED,
        /// They are left out while hyper-parameters are fitted, and then count as what is expected of them: nothing is
        /// to be learned of objectives beside them. The probability weighs the gain here too.
        EXPECTED
    }

    /// What happens where run after run brings no new design of the front.
    public enum Stall implements Choice {
        /// Nothing.
        NONE,
        /// The exact expected hypervolume improvement takes over until one is found.
        EXACT,
        /// The same, and beside each run the lowest stage of the design of which it is least known.
        EXACT_AND_LOOK
    }

    /// Which stages a run may stop after.
    public enum Screening implements Choice {
        /// Those that cost at most a quarter of a full run.
        CHEAP,
        /// All below the highest.
        ANY
    }

    /// What is known of the highest stage from other kernels.
    public enum Prior implements Choice {
        /// Nothing.
        NONE,
        /// The slopes of its metrics by the lowest stage's report: the processes learn what is left.
        SLOPES
    }

    /// What the distance of two values of a knob is.
    public enum Features implements Choice {
        /// As encoded: between factors proportional to their difference.
        ENCODED,
        /// By their ranks among the values of the column, so that 1 and 2 are as far apart as 64 and 128.
        RANKED
    }

    /// With bounds that metrics have to keep.
    public BayesSettings withBounds(List<Goal.Bound> other) {
        return with(
                initialDesigns, initialUpward, wholeSpace, uniformCandidates, neighbourCandidates, gp, other, budget);
    }

    /// With another budget of the run.
    public BayesSettings with(Budget other) {
        return with(
                initialDesigns, initialUpward, wholeSpace, uniformCandidates, neighbourCandidates, gp, bounds, other);
    }

    /// With other settings of the Gaussian processes.
    public BayesSettings with(GpSettings other) {
        return with(
                initialDesigns,
                initialUpward,
                wholeSpace,
                uniformCandidates,
                neighbourCandidates,
                other,
                bounds,
                budget);
    }

    /// With other candidates: spaces up to `whole` are searched as a whole, else `uniform` draws and at most
    /// `neighbours` of the front.
    public BayesSettings withCandidates(int whole, int uniform, int neighbours) {
        return with(initialDesigns, initialUpward, whole, uniform, neighbours, gp, bounds, budget);
    }

    /// With another number of initial designs, half of them (at least one) run upward.
    public BayesSettings withInitialDesigns(int designs) {
        return withInitialDesigns(designs, Math.max(1, (designs + 1) / 2));
    }

    /// With other numbers of initial designs.
    public BayesSettings withInitialDesigns(int designs, int upward) {
        return with(designs, upward, wholeSpace, uniformCandidates, neighbourCandidates, gp, bounds, budget);
    }

    private BayesSettings with(
            int designs,
            int upward,
            int whole,
            int uniform,
            int neighbours,
            GpSettings processes,
            List<Goal.Bound> limits,
            Budget run) {
        return new BayesSettings(
                designs,
                upward,
                objectives,
                acquisition,
                cost,
                output,
                alignment,
                fidelity,
                volume,
                gain,
                samples,
                whole,
                uniform,
                neighbours,
                invalidFactor,
                processes,
                report,
                start,
                fronts,
                invalid,
                stall,
                screening,
                prior,
                features,
                limits,
                run);
    }
}
