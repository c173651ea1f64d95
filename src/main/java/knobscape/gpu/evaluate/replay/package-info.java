/// Measured tuning spaces as devices: every answer is looked up in a file of measurements. Begin with
/// [MeasuredSet]; families of files are told apart by mappings among the resources. Tables of HLS designs are
/// replayed by `evaluate.replay`.
package knobscape.gpu.evaluate.replay;
