/// Where networks come from: any file a person names, or the built-in ones.
package knobscape.network.source;
