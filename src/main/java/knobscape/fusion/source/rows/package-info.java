/// A network as rows and edges, the form in which strip fusion sees it. Begin with [RowGraph]; [RowReader] makes one
/// from a network.
package knobscape.fusion.source.rows;
