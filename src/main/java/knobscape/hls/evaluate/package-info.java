/// Evaluators of HLS directives: the built-in estimator, replayed measurements, the vendor's tool.
package knobscape.hls.evaluate;
