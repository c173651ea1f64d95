/// Operator fusion: which nodes of a network one kernel computes. Begin with [OperatorFusion]. Layer fusion,
/// which keeps results of whole layers on chip, is another thing: `fusion`.
package knobscape.network.subgraph;
