/// The tuned work: the kernels of a network, its tasks by their templates with what it fuses behind them, or a
/// measured set. Begin with [TunableNetwork]. How networks are read and split into tasks is in `network`.
package knobscape.gpu.source;
