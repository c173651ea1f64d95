package knobscape.hls.export;

/// The flows of Vitis HLS for a kernel, with defaults of its own for each (UG1399, *Default Settings of Vivado/Vitis
/// Flows*).
public enum Flow {
    /// A core for a Vivado design: memories of arguments unless a pragma says `m_axi`, no latency of the bus reckoned
    /// with, ports as wide as the elements.
    VIVADO("vivado"),
    /// A kernel for the Vitis runtime: arguments that are memories are AXI master ports on one bundle, 64 cycles of
    /// latency, ports up to 512 bits wide.
    VITIS("vitis");

    private final String target;

    Flow(String target) {
        this.target = target;
    }

    /// The tool's word for it (`-flow_target`).
    String target() {
        return target;
    }
}
