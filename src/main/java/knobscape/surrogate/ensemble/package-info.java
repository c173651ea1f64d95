/// Boosted trees as models: XGBoost's ([XgBoost], scored as a [TreeForest]) and Smile's ([BoostedTrees]).
package knobscape.surrogate.ensemble;
