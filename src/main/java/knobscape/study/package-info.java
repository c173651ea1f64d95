/// Studies: parameters that a person declares, measured by a program of their own or told. Start with
/// [knobscape.study.StudyArea]; what a study file says is in [knobscape.study.source.Study].
package knobscape.study;
