/// Small neural networks as models, and the door to LibTorch ([TorchRuntime]). The sequence models of layer
/// fusion are in `fusion.search.sequence`.
package knobscape.surrogate.neural;
