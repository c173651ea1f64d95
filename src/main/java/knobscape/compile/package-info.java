/// Clang and LLVM behind one door: sources are compiled in a child process with limits, passes run in a worker process.
///
/// Begin with [Clang] (a [CompileUnit] to bitcode) and [Llvm] (bitcode and a [Transformation] to an
/// [knobscape.compile.ir.IrModule]). Nothing here knows hardware.
package knobscape.compile;
