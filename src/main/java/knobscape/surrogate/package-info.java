/// Models that learn from evaluations and say what they believe elsewhere: a model gives a posterior, and knows
/// nothing of how it is used.
///
/// Begin with [Model] and [Posterior]; [FidelityLadder], [IndependentOutputs] and [Average] make models of models.
/// The kinds are in `surrogate.gp`, `surrogate.deepgp`, `surrogate.ensemble` and `surrogate.neural`; choosing what to
/// evaluate next is `explore`.
package knobscape.surrogate;
