package knobscape.explore.bo;

import knobscape.surrogate.ensemble.XgBoost;
import knobscape.surrogate.gp.KnobGpSettings;

/// How a model-based search proceeds. Chosen on the shared measured sets.
///
/// @param initial random designs it begins with
/// @param candidates random members considered
/// @param renewed one in so many of them is drawn anew at every question
/// @param renewFrom measurements from which on they are
/// @param neighbours most neighbours considered of each of the best three
/// @param descendants members considered that combine or change the best
/// @param process how the process is fitted
/// @param rows most rows of the process
/// @param trees how boosted trees are trained
/// @param treesFrom measurements from which on trees count as much as the process
/// @param stall measurements without gain after which a quarter of the picks are far from the best
/// @param again picks in so many of which the best may be measured again where measurements differ
/// @param most measurements of one configuration
public record BoSettings(
        int initial,
        int candidates,
        int renewed,
        int renewFrom,
        int neighbours,
        int descendants,
        KnobGpSettings process,
        int rows,
        XgBoost.Options trees,
        int treesFrom,
        int stall,
        int again,
        int most) {
    /// What `--method bo` uses.
    public static final BoSettings DEFAULT = new BoSettings(
            8,
            1500,
            16,
            100,
            400,
            48,
            KnobGpSettings.DEFAULT,
            512,
            new XgBoost.Options(XgBoost.Objective.REGRESSION, 4, 0.15, 0, 60, 0, 1),
            64,
            12,
            8,
            4);

    /// The same with another patience.
    public BoSettings withStall(int measurements) {
        return new BoSettings(
                initial,
                candidates,
                renewed,
                renewFrom,
                neighbours,
                descendants,
                process,
                rows,
                trees,
                treesFrom,
                measurements,
                again,
                most);
    }
}
