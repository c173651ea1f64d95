/// The numerical ground of the surrogates: what Hipparchus lacks or does too slowly of dense linear algebra and
/// minimisation, quasi-random points, and loops over threads. Deterministic, no native library.
///
/// There is no place to begin: each class stands alone. Models are in `surrogate`.
package knobscape.numeric;
