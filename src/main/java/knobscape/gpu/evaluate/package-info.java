/// The evaluators of kernels: devices and models by name.
package knobscape.gpu.evaluate;
