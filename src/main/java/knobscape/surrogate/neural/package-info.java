/// Small neural networks in plain Java.
package knobscape.surrogate.neural;
