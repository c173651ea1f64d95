/// Settings, each declared once: name, words, unit, default, bounds or choices, and when it applies.
///
/// Begin with [knobscape.work.parameter.Parameter], then [knobscape.work.parameter.Values]. Options of the command
/// line, keys of project files, stored runs, fields of the window and the repeated command line follow from a
/// declaration; the room itself knows no area, no picocli and no JavaFX.
package knobscape.work.parameter;
