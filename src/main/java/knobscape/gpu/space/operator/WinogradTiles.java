package knobscape.gpu.space.operator;

import knobscape.network.task.Workload;

/// How a Winograd convolution cuts its output.
///
/// @param m side of an output tile: 4 where the input height is a multiple of 8, else 2
/// @param alpha side of an input tile, m + R - 1
/// @param down tiles from top to bottom
/// @param across tiles from left to right
/// @param tiles P, all tiles of the batch
record WinogradTiles(int m, int alpha, long down, long across, long tiles) {
    static WinogradTiles of(Workload.Conv2d c) {
        int m = c.height() % 8 == 0 ? 4 : 2;
        long down = Math.ceilDiv(c.outHeight(), m);
        long across = Math.ceilDiv(c.outWidth(), m);
        return new WinogradTiles(
                m,
                m + c.kernelHeight() - 1,
                down,
                across,
                Math.multiplyExact(c.batch(), Math.multiplyExact(down, across)));
    }

    /// Elements of an input tile.
    long points() {
        return (long) alpha * alpha;
    }
}
