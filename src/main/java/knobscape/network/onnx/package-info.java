/// ONNX files, read without their weights. Begin with [OnnxImport]: [OnnxSkeleton] reads the messages,
/// [ConstantFolder] computes what shapes depend on, [OnnxOperators] translates operators,
/// [OperatorRecomposition] puts together what a file writes in several nodes. Nothing here writes
/// ONNX; other formats are in `network.table`.
package knobscape.network.onnx;
