package knobscape.gpu.evaluate.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.function.IntUnaryOperator;

/// One access of all threads per warp, examined address by address.
final class WarpAccess {
    private static final int BANKS = 32;
    private static final int WORD = 4;

    private WarpAccess() {}

    /// Passes through shared memory: the most different words that fall into one bank, at least the words asked
    /// for over the banks. Threads that ask for the same word share it.
    ///
    /// @param lanes threads that take part
    /// @param word index of the first word of a thread
    /// @param width words per thread
    static double bankPasses(int lanes, IntUnaryOperator word, int width) {
        var words = new HashSet<Integer>();
        var perBank = new HashMap<Integer, Integer>();
        int most = 1;
        for (int lane = 0; lane < lanes; lane++) {
            for (int v = 0; v < width; v++) {
                int w = word.applyAsInt(lane) + v;
                if (words.add(w)) {
                    most = Math.max(most, perBank.merge(Math.floorMod(w, BANKS), 1, Integer::sum));
                }
            }
        }
        return most;
    }

    /// Different pieces of `bytes` bytes that the warp touches.
    static double pieces(int lanes, IntUnaryOperator word, int width, int bytes) {
        var pieces = new HashSet<Integer>();
        for (int lane = 0; lane < lanes; lane++) {
            for (int v = 0; v < width; v++) {
                pieces.add(Math.floorDiv((word.applyAsInt(lane) + v) * WORD, bytes));
            }
        }
        return pieces.size();
    }
}
