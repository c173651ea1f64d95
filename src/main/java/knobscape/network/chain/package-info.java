/// A network as a row of layers with edges between them, the form in which layer fusion sees it.
package knobscape.network.chain;
