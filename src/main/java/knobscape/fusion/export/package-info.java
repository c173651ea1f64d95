/// Fusion strategies as files: begin with [StrategyFile], which also reads them back. The accelerator's part of
/// the document is in `fusion.source`.
package knobscape.fusion.export;
