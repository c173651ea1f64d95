/// True hardware of designs by open tools: this program makes the Verilog, runs it cycle by cycle against the kernel,
/// and
/// Yosys and nextpnr, where they are installed, say its area and clock.
///
/// Begin with [OpenFlow]; [OpenTools] says what is installed, [Fabric] for what.
package knobscape.hls.open;
