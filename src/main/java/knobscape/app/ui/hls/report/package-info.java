/// Results of outside tools for the selected design: their reports beside its figures, and their log. Begin with
/// [ToolReportViewModel]. Reports themselves are read by `hls.evaluate.vendor`.
package knobscape.app.ui.hls.report;
