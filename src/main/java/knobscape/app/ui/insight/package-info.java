/// Why designs differ, and what an untried one would give: a process fitted to the designs shown, the importance of
/// the knobs, the way from the baseline to a design. Start reading at [knobscape.app.ui.insight.Surrogate].
package knobscape.app.ui.insight;
