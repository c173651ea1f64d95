/// Evaluations, fidelities and the door to the outside: what it means to evaluate a configuration.
///
/// Begin with [Evaluator]: it is sent a [Request] and reports an [Evaluation] per [Fidelity]; an [Outcome] is
/// measured or a failure with its [FailureKind]. [UserError] is the exception whose message a person reads. The
/// evaluators themselves belong to the areas (`hls.evaluate`, `gpu.evaluate`, `fusion.evaluate`); who asks them
/// is `explore`.
package knobscape.evaluate;
