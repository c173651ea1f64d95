/// Operator fusion: which nodes of a network one kernel computes.
package knobscape.network.subgraph;
