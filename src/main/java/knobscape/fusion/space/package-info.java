/// Fusion strategies, and the design space they make.
package knobscape.fusion.space;
