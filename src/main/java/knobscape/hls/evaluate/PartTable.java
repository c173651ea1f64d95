package knobscape.hls.evaluate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The devices that come with the program (`parts.csv` beside this class). Resources are those of the vendor's product
/// tables: DS180 (7 series), DS190 (Zynq-7000), DS890 (UltraScale, UltraScale+), DS891 (MPSoC), DS889 (RFSoC), DS962 to
/// DS964 (Alveo), DS987 (Kria), DS950 (Versal).
public final class PartTable {
    private PartTable() {}

    /// Device generations that the estimator tells apart.
    public enum Family {
        /// 28 nm, 25 x 18 bit multipliers.
        SERIES_7,
        /// 20 nm, 27 x 18 bit multipliers.
        ULTRASCALE,
        /// 16 nm, 27 x 18 bit multipliers.
        ULTRASCALE_PLUS,
        /// 7 nm, 27 x 24 bit multipliers; estimated as UltraScale+, without its AI engines.
        VERSAL
    }

    /// The silicon of a device. Delays relative to a Virtex-7 -2: of 7 series by the LUT delays of DS181, DS182 and
    /// DS183; of the others guessed from published designs.
    public enum Fabric {
        ARTIX_7(Family.SERIES_7, new double[] {2.0, 1.75, 1.6}, new double[] {1.5, 1.3, 1.15}, 1),
        KINTEX_7(Family.SERIES_7, new double[] {1.2, 1.0, 0.9}, new double[] {1.2, 1.0, 0.88}, 1),
        ULTRASCALE(Family.ULTRASCALE, new double[] {0.95, 0.85, 0.75}, new double[] {0.9, 0.8, 0.7}, 0.75),
        ULTRASCALE_PLUS(Family.ULTRASCALE_PLUS, new double[] {0.85, 0.75, 0.65}, new double[] {0.75, 0.65, 0.6}, 0.45),
        VERSAL(Family.VERSAL, new double[] {0.75, 0.65, 0.6}, new double[] {0.65, 0.55, 0.5}, 0.35);

        private final Family family;
        private final double[] logic;
        private final double[] dsp;
        private final double dynamicPower;

        Fabric(Family family, double[] logic, double[] dsp, double dynamicPower) {
            this.family = family;
            this.logic = logic;
            this.dsp = dsp;
            this.dynamicPower = dynamicPower;
        }

        Family family() {
            return family;
        }

        double logicDelay(int speed) {
            return logic[speed - 1];
        }

        double dspDelay(int speed) {
            return dsp[speed - 1];
        }

        double dynamicPower() {
            return dynamicPower;
        }
    }

    /// A row of the table.
    ///
    /// @param name without package and grades (`xc7vx485t`)
    /// @param bram block RAMs in units of 18 Kbit
    /// @param uram UltraRAMs
    /// @param order package, usual speed grade and temperature grade
    /// @param board a well-known board that carries it, or empty
    public record Device(
            String name, Fabric fabric, int lut, int ff, int dsp, int bram, int uram, Order order, String board) {
        int usualSpeed() {
            return order.speed().charAt(0) - '0';
        }

        String orderingName(int speed) {
            String grade = speed + order.speed().substring(1);
            return fabric.family() == Family.SERIES_7
                    ? name + order.packaging() + "-" + grade
                    : name + "-" + order.packaging() + "-" + grade + "-" + order.grade();
        }

        double staticWatts() {
            return switch (name) {
                case "xc7vx485t" -> 0.24;
                case "xczu9eg" -> 0.62;
                case "xczu7ev" -> 0.6;
                case "xcvu9p" -> 2.5;
                case "xc7z020" -> 0.11;
                default -> fabric.family() == Family.SERIES_7 ? 0.08 + 0.52e-6 * lut : 0.1 + 2e-6 * lut;
            };
        }

        /// The estimator's law of power (see `Physics.power`) at every resource.
        double maximumWatts() {
            double dynamic = 8.98e-5 * Math.pow(lut, 0.75) + 0.00142 * dsp + 0.00141 * bram;
            return Math.ceil(10 * (staticWatts() + dynamic * fabric.dynamicPower())) / 10;
        }
    }

    /// How a device is ordered where no full name is given.
    ///
    /// @param packaging package and pins
    /// @param speed speed grade with its voltage class (`2L`)
    /// @param grade temperature grade, empty for 7 series
    public record Order(String packaging, String speed, String grade) {}

    /// All devices, the default first, otherwise by generation and size.
    public static List<Device> devices() {
        return Rows.ALL;
    }

    /// The table, read when it is first asked for.
    private static final class Rows {
        static final List<Device> ALL = read();
    }

    private static List<Device> read() {
        try (InputStream in = PartTable.class.getResourceAsStream("parts.csv")) {
            if (in == null) {
                throw new IllegalStateException("parts.csv is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(PartTable::device)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Device device(String line) {
        String[] c = line.split(",", -1);
        int[] n = new int[5];
        for (int i = 0; i < n.length; i++) {
            n[i] = Integer.parseInt(c[i + 2]);
        }
        return new Device(c[0], Fabric.valueOf(c[1]), n[0], n[1], n[2], n[3], n[4], new Order(c[7], c[8], c[9]), c[10]);
    }
}
