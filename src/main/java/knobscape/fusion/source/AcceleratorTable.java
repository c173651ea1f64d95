package knobscape.fusion.source;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Published accelerators, each with its source, from a table that ships.
final class AcceleratorTable {
    private static final String FILE = "/knobscape/fusion/accelerators.csv";
    private static final double GIGA = 1e9;
    private static final double MEGA = 1e6;
    private static final int NAME = 0;
    private static final int MACS = 1;
    private static final int MHZ = 2;
    private static final int OFF = 3;
    private static final int ON = 4;
    private static final int BUFFER = 5;
    private static final int BITS = 6;
    private static final int ARRAY = 7;
    private static final int SOURCE = 11;

    private AcceleratorTable() {}

    /// The accelerators in the order of the table.
    static List<Accelerator> read() {
        try (InputStream in = requireNonNull(AcceleratorTable.class.getResourceAsStream(FILE))) {
            var all = new ArrayList<Accelerator>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .forEach(line -> all.add(row(line.split(",", SOURCE + 1))));
            return List.copyOf(all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Accelerator row(String[] cells) {
        int bits = Integer.parseInt(cells[BITS]);
        long buffer = ByteSize.parse(cells[BUFFER]);
        Optional<StripMachine.Unrolling> array = cells[ARRAY].isEmpty()
                ? Optional.empty()
                : Optional.of(new StripMachine.Unrolling(
                        Integer.parseInt(cells[ARRAY]),
                        Integer.parseInt(cells[ARRAY + 1]),
                        Integer.parseInt(cells[ARRAY + 2]),
                        Integer.parseInt(cells[ARRAY + 3])));
        return new Accelerator(
                cells[NAME],
                new Accelerator.Compute(Integer.parseInt(cells[MACS]), 1, Double.parseDouble(cells[MHZ]) * MEGA),
                new Accelerator.Memory(
                        Double.parseDouble(cells[OFF]) * GIGA, Double.parseDouble(cells[ON]) * GIGA, buffer, buffer),
                0,
                Math.ceilDiv(bits, 8),
                CostOptions.defaults(),
                new Accelerator.Hardware(
                        array,
                        StripMachine.Widths.of(bits),
                        StripMachine.Energy.of(bits),
                        StripMachine.Counting.DEFAULT,
                        cells[SOURCE].replace("\"", "")));
    }
}
