/// What cost models see of a schedule: features of its loop nest. [LoopFeatures] is all there is; knob values
/// as features are `space.FeatureEncoder`.
package knobscape.gpu.space.feature;
