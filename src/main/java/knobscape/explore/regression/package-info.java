/// Explorers that measure once, learn, predict the whole space and run the predicted front: the regression baselines of the thesis (section 3.6.3).
package knobscape.explore.regression;
