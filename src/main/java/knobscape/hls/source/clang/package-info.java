/// Sources through the compiler: directives as calls, headers of the tool in our own words, what was compiled with the
/// texts behind it, and the facts of a kernel.
///
/// Begin with [ClangFront], which makes a [knobscape.hls.source.CompiledSource].
package knobscape.hls.source.clang;
