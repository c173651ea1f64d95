/// Networks in files of our own: layer tables (CSV or JSON) for chains with skips, and JSON graphs for
/// everything. Begin with [TableImport]. Nothing here writes them; ONNX is `network.onnx`.
package knobscape.network.table;
