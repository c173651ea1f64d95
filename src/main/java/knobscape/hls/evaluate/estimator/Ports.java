package knobscape.hls.evaluate.estimator;

/// The ports of one array, or of the arrays behind one AXI master, state by state.
interface Ports {
    /// First state from `earliest` on in which a port is free for access `n` for `states` states; takes it.
    int place(Graph g, int n, int states, int earliest);

    /// Smallest initiation interval that the ports allow for what was placed.
    int interval();
}
