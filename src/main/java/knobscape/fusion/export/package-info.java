/// Fusion strategies as files.
package knobscape.fusion.export;
