/// Evaluators of HLS directives: [Part] is the target device; the built-in estimator is in
/// `hls.evaluate.estimator`. Replayed measurements are in `evaluate.replay`.
package knobscape.hls.evaluate;
