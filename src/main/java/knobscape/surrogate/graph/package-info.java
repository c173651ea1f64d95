/// A cost model of graphs with rows of statistics: graph convolutions, self-attention, a perceptron (GTuner,
/// DAC 2022; thesis chapter 5), its training and its files. It knows nothing of GPUs: `gpu.space.feature` makes
/// graphs and statistics.
package knobscape.surrogate.graph;
