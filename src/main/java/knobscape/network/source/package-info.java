/// Where networks come from: any file a person names, or the built-in ones. [NetworkSource] is the door to
/// `network.onnx`, `network.table` and `network.zoo`.
package knobscape.network.source;
