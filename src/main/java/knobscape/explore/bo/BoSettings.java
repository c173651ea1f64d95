package knobscape.explore.bo;

import knobscape.surrogate.ensemble.XgBoost;
import knobscape.surrogate.gp.KnobGpSettings;

/// How a model-based search proceeds. Chosen on the shared measured sets.
///
/// @param initial random designs it begins with
/// @param pool what is considered at a question
/// @param models what predicts
/// @param stall measurements without gain after which a quarter of the picks are far from the best
/// @param repeats of the best, where measurements differ
public record BoSettings(int initial, Pool pool, Models models, int stall, Repeats repeats) {
    /// The settings of `--method bo`.
    public static final BoSettings DEFAULT = new BoSettings(
            8,
            new Pool(1500, 16, 100, 400, 48),
            new Models(
                    KnobGpSettings.DEFAULT,
                    512,
                    new XgBoost.Options(XgBoost.Objective.REGRESSION, 4, 0.15, 0, 60, 0, 1),
                    64),
            12,
            new Repeats(8, 4));

    /// The same with another number of random designs at the beginning.
    public BoSettings beginningWith(int designs) {
        return new BoSettings(designs, pool, models, stall, repeats);
    }

    /// The candidates considered at a question.
    ///
    /// @param uniform random members
    /// @param renewed one in so many of them is drawn anew at every question
    /// @param renewFrom measurements from which on they are
    /// @param neighbours most neighbours of each of the best three
    /// @param descendants members that combine or change the best
    public record Pool(int uniform, int renewed, int renewFrom, int neighbours, int descendants) {}

    /// The models that predict.
    ///
    /// @param process how the process is fitted
    /// @param rows most rows of the process
    /// @param trees how boosted trees are trained
    /// @param treesFrom measurements from which on trees count as much as the process
    public record Models(KnobGpSettings process, int rows, XgBoost.Options trees, int treesFrom) {}

    /// Measuring the best again.
    ///
    /// @param again picks in so many of which it may be
    /// @param most measurements of one configuration
    public record Repeats(int again, int most) {}
}
