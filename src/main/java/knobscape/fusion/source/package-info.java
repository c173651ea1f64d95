/// What a fusion search is about: a network as a row of layers, and the accelerator it runs on with its file.
package knobscape.fusion.source;
