package knobscape.hls.evaluate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// An FPGA as the tools name it. The parts that come with the program stand in `parts.json` next to this class;
/// resources are those of the vendor's data sheets.
///
/// @param name device and speed grade (`xc7vx485t-2`)
/// @param orderingName with package and temperature grade, as the tools' `set_part` wants it
/// (`xc7vx485tffg1761-2`)
/// @param board a board that carries it
/// @param family generation, decides over the shape of a DSP block and the floating-point cores
/// @param lut look-up tables
/// @param ff flip-flops
/// @param dsp DSP blocks
/// @param bram block RAMs in units of 18 Kbit
/// @param uram UltraRAMs
/// @param logicDelay delay of LUTs and carry chains relative to a Virtex-7 -2
/// @param dspDelay delay of DSP blocks and cores made of them, relative to a Virtex-7 -2
/// @param dynamicPower energy per toggling resource relative to a Virtex-7
/// @param staticWatts power of the configured, idle part at 25 degrees. Measured for xc7vx485t and xczu9eg,
/// guessed for the
///     others: replace it with the vendor's figure where that is known
/// @param maximumWatts power the estimator gives for a design that fills the part at 100 MHz; divisor of the
/// power objective
public record Part(
        String name,
        String orderingName,
        String board,
        Family family,
        int lut,
        int ff,
        int dsp,
        int bram,
        int uram,
        double logicDelay,
        double dspDelay,
        double dynamicPower,
        double staticWatts,
        double maximumWatts) {

    /// Device generations that the estimator tells apart.
    public enum Family {
        /// 28 nm, 25 x 18 bit multipliers.
        SERIES_7,
        /// 16 nm, 27 x 18 bit multipliers.
        ULTRASCALE_PLUS
    }

    /// Name of the part used where none is given: the one of the VC707 board.
    public static final String DEFAULT = "xc7vx485t-2";

    /// All parts that come with the program, the default first.
    public static List<Part> all() {
        try (InputStream in = Part.class.getResourceAsStream("parts.json")) {
            if (in == null) {
                throw new IllegalStateException("parts.json is missing from the program");
            }
            return JsonMapper.shared().readValue(in.readAllBytes(), new TypeReference<List<Part>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The default part.
    public static Part byDefault() {
        return byName(DEFAULT);
    }

    /// The part of that name, the default part where empty. Throws [UserError] where there is none.
    public static Part named(Optional<String> name) {
        return byName(name.orElse(DEFAULT));
    }

    /// The part of that name (with or without speed grade), ordering name or board, in any case. Throws
    /// [UserError] naming the known ones where there is none.
    public static Part byName(String name) {
        List<Part> parts = all();
        return parts.stream()
                .filter(p -> p.isCalled(name))
                .findFirst()
                .orElseThrow(() -> new UserError("no part is named '" + name + "'; choose one of "
                        + parts.stream().map(p -> p.name + " (" + p.board + ")").collect(Collectors.joining(", "))));
    }

    private boolean isCalled(String word) {
        return name.equalsIgnoreCase(word)
                || board.equalsIgnoreCase(word)
                || orderingName.equalsIgnoreCase(word)
                || name.substring(0, name.lastIndexOf('-')).equalsIgnoreCase(word);
    }
}
