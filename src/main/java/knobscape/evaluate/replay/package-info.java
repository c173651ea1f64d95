/// Measured designs from a file as an evaluator with a finite design space: `--toolchain replay:FILE`.
package knobscape.evaluate.replay;
