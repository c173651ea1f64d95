package knobscape.hls.open;

import java.util.Optional;
import java.util.stream.Stream;

/// Resources of a design.
///
/// @param lut tables of four inputs on ECP5 (those of carry chains and small memories counted), of six on Xilinx 7
/// @param ff registers
/// @param dsp multipliers of 18 x 18 (ECP5) or blocks (Xilinx 7)
/// @param bram block memories of 18 Kbit
public record FabricArea(double lut, double ff, double dsp, double bram) {
    /// A part or a multiple.
    FabricArea scaled(double by) {
        return new FabricArea(by * lut, by * ff, by * dsp, by * bram);
    }

    /// The excess, in words; empty where it fits.
    Optional<String> over(FabricArea room) {
        return Stream.of(
                        over("LUT", lut, room.lut),
                        over("FF", ff, room.ff),
                        over("DSP", dsp, room.dsp),
                        over("BRAM", bram, room.bram))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> over(String what, double needs, double has) {
        return needs > has ? Optional.of("needs " + (long) needs + " " + what + " of " + (long) has) : Optional.empty();
    }
}
