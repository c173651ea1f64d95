/// Hardware as typed records, whoever made it: wires, registers with enable, memories with ports, and instances of
/// modules. Two printers read the same records: [Verilog] and [RtlSimulator], which makes byte code of them.
///
/// Begin with [RtlModule] and [Expr]; [FloatCores] and [WholeCores] are pipelined operators for a target clock.
package knobscape.hls.rtl;
