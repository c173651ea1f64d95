/// The only place that knows Eclipse CDT's parser: turns its syntax tree into the records of
/// [knobscape.hls.source].
///
/// A file is read in these steps: [SourceFiles] loads it, [TranslationUnits] parses it with stub headers for
/// what the vendor's tool would bring, [Program] finds functions, template instances and who calls whom,
/// [FunctionReader] walks each function once from top to bottom with the values of integers known so far,
/// [KernelAssembly] links arrays over calls, and attaches pragmas.
///
/// The readers of a function are layers: [FunctionContext] is what they share, [Arithmetic] and [Memory] say
/// what operators, loads and stores make, [Locator] finds what an expression refers to, [AssignmentReader] and
/// [CallReader] read particular expressions, [ExpressionReader] all of them, [StatementReader] statements. The
/// lower ones ask for operands through [Reading]. Begin with [CdtKernelReader]; what directives make of a
/// kernel is not here but in `hls.space`.
package knobscape.hls.source.cdt;
