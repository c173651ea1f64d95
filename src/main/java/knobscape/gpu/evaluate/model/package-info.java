/// Analytical models of GPUs: from the description of a kernel to a time, without a device.
package knobscape.gpu.evaluate.model;
