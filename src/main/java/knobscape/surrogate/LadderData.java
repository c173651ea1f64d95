package knobscape.surrogate;

import java.util.List;

/// Observations of several fidelities, lowest first.
///
/// @param levels one entry per fidelity, at least one
/// @param guessed how many of the last features are what was expected before anything was observed: they stand in
/// for a fidelity below the lowest, and are no features of any level
public record LadderData(List<Level> levels, int guessed) {
    /// Observations of which nothing was expected.
    public LadderData(List<Level> levels) {
        this(levels, 0);
    }

    public LadderData {
        levels = List.copyOf(levels);
        if (levels.isEmpty()) {
            throw new IllegalArgumentException("a ladder needs at least one fidelity");
        }
        for (int i = 1; i < levels.size(); i++) {
            for (int row : levels.get(i).lowerRow()) {
                if (row >= levels.get(i - 1).x().length) {
                    throw new IllegalArgumentException(
                            "level " + i + " refers to row " + row + " of the level below, which has none");
                }
            }
        }
    }

    /// The observations at one fidelity.
    ///
    /// @param x features, n x d
    /// @param y outputs, n x M of this fidelity, NaN where missing
    /// @param lowerRow for each design its row at the next lower fidelity, -1 where it was not observed there;
    /// ignored at the lowest
    /// @param quantities what each output is, as a number that is the same at all levels
    /// @param slopes by output and output of the level below (at the lowest: guessed feature);
    /// [PriorSlopes#NONE] where nothing is expected
    public record Level(double[][] x, double[][] y, int[] lowerRow, int[] quantities, PriorSlopes slopes) {
        /// A level of which nothing is expected beforehand.
        public Level(double[][] x, double[][] y, int[] lowerRow, int[] quantities) {
            this(x, y, lowerRow, quantities, PriorSlopes.NONE);
        }

        public Level {
            if (x.length == 0 || x.length != y.length || x.length != lowerRow.length) {
                throw new IllegalArgumentException(
                        "a fidelity needs as many features as outputs and rows below, and at least one");
            }
            if (quantities.length != y[0].length) {
                throw new IllegalArgumentException("each output has to be named");
            }
        }

        /// A level whose output j is quantity j.
        public Level(double[][] x, double[][] y, int[] lowerRow) {
            this(
                    x,
                    y,
                    lowerRow,
                    java.util.stream.IntStream.range(0, y.length == 0 ? 0 : y[0].length)
                            .toArray());
        }

        /// Number of outputs M.
        public int outputs() {
            return y[0].length;
        }
    }
}
