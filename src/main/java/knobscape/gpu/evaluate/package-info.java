/// What evaluates kernels: devices and models by name.
package knobscape.gpu.evaluate;
