/// A deep Gaussian process: layers of sparse processes, trained by doubly stochastic variational inference in LibTorch.
///
/// Begin with [DeepGp], the model; [DeepGpGraph] is the arithmetic, [DeepGpTraining] how parameters are found. The
/// processes that are fitted to the designs of one run are `surrogate.gp`.
package knobscape.surrogate.deepgp;
