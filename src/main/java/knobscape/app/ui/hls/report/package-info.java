/// What tools outside say of the selected design: their reports beside its figures, and their log. Begin with
/// [ToolReportViewModel]. Reports themselves are read by `hls.evaluate.vendor`.
package knobscape.app.ui.hls.report;
