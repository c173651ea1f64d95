/// How much a design is expected to improve on what is known: what searches of every area rank candidates by.
///
/// [ExpectedImprovement] is all there is; several objectives compose it (see `explore.bayes`).
package knobscape.explore.acquisition;
