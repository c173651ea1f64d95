/// A network as a row of layers with edges between them, the form in which layer fusion sees it. Begin with
/// [Linearization], which makes a [LayerChain]. Fusion itself is `fusion`.
package knobscape.network.chain;
