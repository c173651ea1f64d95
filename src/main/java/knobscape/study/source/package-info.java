/// Study files: what they say and how they are read. Start with [knobscape.study.source.StudyReader].
package knobscape.study.source;
