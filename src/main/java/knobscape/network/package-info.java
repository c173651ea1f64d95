/// The graph of a neural network: operators with their attributes, tensors with their shapes, what they cost;
/// and how such a graph is read from files. Weights are known by shape only. Uses nothing of GPU schedules and
/// layer fusion, both of which build on it.
///
/// Begin with [Network], [Node] and [Operator]; [NetworkBuilder] makes one, [ShapeInference] fills in shapes.
/// Opening what a person names is `network.source`.
package knobscape.network;
