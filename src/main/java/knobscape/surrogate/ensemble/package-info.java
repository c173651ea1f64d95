/// Ensembles of trees: boosted ones of XGBoost ([XgBoost], [BoostedTrees]) and forests of Smile ([TreeForest]), as
/// models.
package knobscape.surrogate.ensemble;
