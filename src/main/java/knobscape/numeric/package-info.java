/// The numerical ground of the surrogates: small dense linear algebra, minimisation, the normal distribution, quasi-random points. Plain
/// Java, deterministic, no native library.
package knobscape.numeric;
