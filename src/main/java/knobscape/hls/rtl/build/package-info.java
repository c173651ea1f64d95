/// From a compiled kernel whose directives are applied to hardware: memories with banks, regions (states of a machine,
/// or a pipelined loop), a schedule for a target clock, and the [knobscape.hls.rtl.RtlModule] of it.
///
/// Begin with [HardwareBuilder]; [HardwareCheck] runs a design against the kernel itself.
package knobscape.hls.rtl.build;
