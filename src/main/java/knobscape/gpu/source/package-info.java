/// What is tuned: the kernels of a network, its tasks by their templates with what it fuses behind them, or a measured set.
package knobscape.gpu.source;
