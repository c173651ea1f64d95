/// Explorers that measure once, learn, predict the whole space and run the predicted front: the regression
/// baselines of the thesis (section 3.6.3).
///
/// Begin with [RegressionExplorer]; [RegressionMethods] names the models it is offered with.
package knobscape.explore.regression;
