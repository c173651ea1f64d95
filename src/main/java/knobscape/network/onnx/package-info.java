/// ONNX files: read without their weights, and written.
package knobscape.network.onnx;
