/// The elements of a study's texts: numbers, and names in braces. Used by those who read a study, run it and
/// export from it.
package knobscape.study.text;
