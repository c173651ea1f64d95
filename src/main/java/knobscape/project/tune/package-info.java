/// Tuning the kernels of a network: what is tuned on which device, the run over all of them, its store and its files.
package knobscape.project.tune;
