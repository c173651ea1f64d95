/// HLS directives as knobs: which decisions a kernel offers, the directive file that names them, the tree-based pruning of
/// the thesis (Algorithm 1), and the way from a configuration to directives.
package knobscape.hls.directive;
