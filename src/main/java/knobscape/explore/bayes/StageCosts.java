package knobscape.explore.bayes;

/// The costs of a flow's stages when a fidelity is chosen.
public interface StageCosts {
    /// Tool time of a run from scratch to the top.
    double fullSeconds();

    /// The factor that the score of a fidelity is multiplied by.
    double advantage(int rank);

    /// Tool time from the end of stage `done` (-1: from scratch) to the end of stage `to`, as a share of a run from
    /// scratch to the top; 1 where nothing costs anything.
    double share(int done, int to);
}
