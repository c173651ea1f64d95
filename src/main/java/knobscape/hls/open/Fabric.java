package knobscape.hls.open;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The devices that the open tools make hardware for.
public enum Fabric {
    /// Lattice ECP5, LFE5U-85F.
    ECP5("ecp5", "ECP5", "LFE5U-85F", 83_640, 83_640, 156, 208),
    /// AMD's series 7, an XC7A200T; Yosys tells its area, no open tool places it.
    XC7("xc7", "Xilinx 7", "XC7A200T", 134_600, 269_200, 740, 730);

    private static final Pattern OLD = Pattern.compile("^\\s+([\\w$\\\\.]*[A-Za-z_]\\w*)\\s+(\\d+)\\s*$");
    private static final Pattern NEW =
            Pattern.compile("^\\s+(\\d+)\\s+(?:[\\d.e+-]+\\s+)?([\\w$\\\\.]*[A-Za-z_]\\w*)\\s*$");
    private static final Pattern TOTAL = Pattern.compile("Number of cells:\\s+(\\d+)|^\\s+(\\d+)\\s.*\\bcells\\s*$");

    private final String word;
    private final String label;
    private final String device;
    private final int lut;
    private final int ff;
    private final int dsp;
    private final int bram;

    Fabric(String word, String label, String device, int lut, int ff, int dsp, int bram) {
        this.word = word;
        this.label = label;
        this.device = device;
        this.lut = lut;
        this.ff = ff;
        this.dsp = dsp;
        this.bram = bram;
    }

    /// As on the command line.
    public String word() {
        return word;
    }

    /// For a person.
    public String label() {
        return label;
    }

    /// The device that designs must fit.
    public String device() {
        return device;
    }

    /// The resources of the device.
    public FabricArea room() {
        return new FabricArea(lut, ff, dsp, bram);
    }

    /// The fabric of that word; empty where there is none.
    static Optional<Fabric> named(String word) {
        return Stream.of(values()).filter(f -> f.word.equals(word)).findFirst();
    }

    /// True if open tools place it.
    boolean isPlaced() {
        return this == ECP5;
    }

    /// The script of Yosys.
    ///
    /// @param top the module
    List<String> synthesis(String top) {
        return this == ECP5
                ? List.of("synth_ecp5 -top " + top + " -json netlist.json")
                : List.of("synth_xilinx -family xc7 -flatten -noiopad -top " + top, "write_json netlist.json");
    }

    /// The area by the last statistics in a text of Yosys; empty where there are none, or where they name fewer cells
    /// than they count, so that a part is missing.
    Optional<FabricArea> area(String text) {
        int at = text.lastIndexOf("Number of cells");
        if (at < 0) {
            at = text.lastIndexOf(" cells");
        }
        if (at < 0) {
            return Optional.empty();
        }
        var cells = new LinkedHashMap<String, Integer>();
        String table = text.substring(text.lastIndexOf('\n', at) + 1);
        Matcher total = TOTAL.matcher(table.lines().findFirst().orElse(""));
        if (!total.find()) {
            return Optional.empty();
        }
        table.lines().skip(1).forEach(l -> {
            Matcher m = OLD.matcher(l);
            Matcher n = NEW.matcher(l);
            if (m.matches()) {
                cells.put(m.group(1), Integer.parseInt(m.group(2)));
            } else if (n.matches()) {
                cells.put(n.group(2), Integer.parseInt(n.group(1)));
            }
        });
        long told = Long.parseLong(total.group(1) == null ? total.group(2) : total.group(1));
        long named = cells.values().stream().mapToLong(n -> n).sum();
        return named < told ? Optional.empty() : Optional.of(this == ECP5 ? ecp5(cells) : xc7(cells));
    }

    private static FabricArea ecp5(Map<String, Integer> cells) {
        // A carry cell is two tables, a small memory four and the two that write it.
        return new FabricArea(
                of(cells, "LUT4") + 2 * of(cells, "CCU2C") + 6 * of(cells, "TRELLIS_DPR16X4"),
                of(cells, "TRELLIS_FF"),
                of(cells, "MULT18X18D"),
                of(cells, "DP16KD") + of(cells, "PDPW16KD"));
    }

    private static FabricArea xc7(Map<String, Integer> cells) {
        double lut = 0;
        double ff = 0;
        for (var e : cells.entrySet()) {
            String name = e.getKey();
            double n = e.getValue();
            if (name.matches("LUT[1-6]|INV")) {
                lut += n;
            } else if (name.matches("RAM(32|64)X1D|RAM128X1S")) {
                lut += 2 * n;
            } else if (name.matches("RAM32M|RAM64M|RAM128X1D|RAM256X1S")) {
                lut += 4 * n;
            } else if (name.matches("SRL16E?|SRLC32E|RAM(32|64)X1S")) {
                lut += n;
            } else if (name.matches("FD[RSCP]E(_1)?")) {
                ff += n;
            }
        }
        return new FabricArea(lut, ff, of(cells, "DSP48E1"), of(cells, "RAMB18E1") + 2 * of(cells, "RAMB36E1"));
    }

    private static double of(Map<String, Integer> cells, String name) {
        return cells.getOrDefault(name, 0);
    }
}
