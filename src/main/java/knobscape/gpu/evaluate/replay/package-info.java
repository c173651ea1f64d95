/// Measured tuning spaces as devices: every answer is looked up in a file of measurements.
package knobscape.gpu.evaluate.replay;
