/// The cost models' view of a schedule: features of its loop nest. [LoopFeatures] of its loops, [ScheduleSizes] of
/// what decides its speed, whatever layer it is of; knob values
/// as features are `space.FeatureEncoder`.
package knobscape.gpu.space.feature;
