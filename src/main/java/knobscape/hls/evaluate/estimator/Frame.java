package knobscape.hls.evaluate.estimator;

/// Where a body stands: its function and the arrays behind formal ones.
record Frame(int function, int[] arrays, boolean insideLoop) {
    Frame inLoop() {
        return insideLoop ? this : new Frame(function, arrays, true);
    }
}
