/// The measurement of a study's configuration: a person's own program, stage by stage.
package knobscape.study.evaluate;
