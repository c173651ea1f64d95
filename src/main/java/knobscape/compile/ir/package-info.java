/// LLVM's intermediate form as records: what a compiled source is after the passes that were asked for.
///
/// Begin with [IrModule]; an [IrFunction] has [IrBlock]s of [IrInstruction]s, an [IrValue] is an operand, an
/// [IrLoopMark]
/// says which loop of the source a back edge belongs to. Nothing here knows hardware.
package knobscape.compile.ir;
