/// What cost models see of a schedule: features of its loop nest.
package knobscape.gpu.space.feature;
