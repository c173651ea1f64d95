/// The loop of a run and the searches that any area may use. An explorer knows no screen, no file and no clock
/// but the one it is given.
///
/// Begin with [Exploration], the loop over [Subject]s, and [Explorer], what a search is: it proposes, is told
/// what came back, and is asked again. Model-based searches are in `explore.bayes`, `explore.regression` and
/// `explore.active`; searches of one area only are in `gpu.search` and `fusion.search`; storing and resuming
/// runs is `project`.
package knobscape.explore;
