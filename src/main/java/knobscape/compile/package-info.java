/// Clang and LLVM behind one door: sources are compiled in a child process with limits, passes run in a worker process.
///
/// Begin with [knobscape.compile.ir.IrModule], what comes out.
package knobscape.compile;
