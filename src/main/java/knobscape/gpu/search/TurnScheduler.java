package knobscape.gpu.search;

import knobscape.explore.Scheduler;

/// Whose turn it is among the kernels of a network, and how much a turn allows.
public interface TurnScheduler extends Scheduler {
    /// Measurements that the kernel whose turn it is may still take.
    int most();

    /// Measurements of a kernel's first round.
    int firstRound();
}
