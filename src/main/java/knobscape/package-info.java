/// Knobscape: hardware engineers open a piece of work, see the space of its knobs, let a learning optimiser
/// explore it, and carry the chosen design away.
///
/// The packages form floors; each imports only from floors below its own: `space`, `pareto`, `evaluate`, `numeric` <
/// `surrogate` < `compile` < `explore`, `network` < `work` < `hls`, `gpu`, `fusion` < `project` < `app`.
package knobscape;
