/// What measures a configuration of a study: a person's own program, stage by stage.
package knobscape.study.evaluate;
