/// Runs compiled code on a memory of its own: nothing outside it is read, written or called.
///
/// Begin with [IrMachine].
package knobscape.compile.run;
