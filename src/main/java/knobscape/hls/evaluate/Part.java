package knobscape.hls.evaluate;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;

/// An FPGA as the tools name it: a device of the table and a speed grade.
///
/// @param device the row of the table
/// @param speed speed grade, 1 (slowest) to 3
/// @param orderingName with package, speed and temperature grade, as the tools' `set_part` wants it
/// (`xc7vx485tffg1761-2`)
public record Part(PartTable.Device device, int speed, String orderingName) {
    /// Name of the part used where none is given: the one of the VC707 board.
    public static final String DEFAULT = "xc7vx485t-2";

    /// The rest of a full name after the device: package, speed grade with its voltage class, temperature grade.
    private static final Pattern REST =
            Pattern.compile("-?([a-z]{2,4}\\d{3,4})?(?:-([123])[a-z]{0,3})?(?:-[a-z]{1,3}(?:-s)?)?");

    private static final Pattern VENDOR = Pattern.compile("xc(?:7[aksvz]|zu|[ku]|[kv]u|v[cehmp])[a-z]?\\d+[a-z0-9-]*");

    /// Families as scripts name them in the place of a part, with a device of each.
    private static final Map<String, String> FAMILIES = Map.ofEntries(
            Map.entry("spartan7", "xc7s100"),
            Map.entry("artix7", "xc7a200t"),
            Map.entry("kintex7", "xc7k325t"),
            Map.entry("virtex7", "xc7vx485t"),
            Map.entry("zynq", "xc7z020"),
            Map.entry("kintexu", "xcku040"),
            Map.entry("virtexu", "xcvu095"),
            Map.entry("kintexuplus", "xcku5p"),
            Map.entry("virtexuplus", "xcvu9p"),
            Map.entry("virtexuplushbm", "xcvu37p"),
            Map.entry("zynquplus", "xczu9eg"),
            Map.entry("versal", "xcvc1902"));

    /// A part as it was asked for.
    ///
    /// @param part the part that is used
    /// @param note a sentence where another part was asked for
    public record Choice(Part part, Optional<String> note) {}

    /// All devices that come with the program in their usual speed grade, the default first.
    public static List<Part> all() {
        return PartTable.devices().stream().map(d -> of(d, d.usualSpeed(), "")).toList();
    }

    /// The default part.
    public static Part byDefault() {
        return byName(DEFAULT);
    }

    /// The part of that name or the nearest one, the default part where empty. Throws [UserError] for a name that is
    /// none of the vendor's.
    public static Part named(Optional<String> name) {
        return nearest(name.orElse(DEFAULT)).part();
    }

    /// The part of that name (with or without package and speed grade) or board, in any case. Throws [UserError] naming
    /// the closest ones where there is none.
    public static Part byName(String name) {
        return find(name)
                .orElseThrow(() -> new UserError("no part is named '" + name + "'; choose one of "
                        + closest(name.toLowerCase(Locale.ROOT))
                                .limit(6)
                                .map(d -> d.name() + (d.board().isEmpty() ? "" : " (" + d.board() + ")"))
                                .collect(Collectors.joining(", "))
                        + ", or another of the " + PartTable.devices().size()
                        + " devices that 'knobscape doctor --parts' lists"));
    }

    /// The part of that name, or for an unknown device of the vendor the most similar name's, with a note that says
    /// so. Throws [UserError] for a name of another kind.
    public static Choice nearest(String name) {
        Optional<Part> known = find(name);
        if (known.isPresent()) {
            return new Choice(known.get(), Optional.empty());
        }
        String word = common(name);
        Part ofFamily = find(FAMILIES.getOrDefault(word, "")).orElse(null);
        if (ofFamily != null) {
            return new Choice(
                    ofFamily,
                    Optional.of("'" + name + "' is a family of parts; figures are those of " + ofFamily.name() + " ("
                            + ofFamily.lut() + " LUT, " + ofFamily.dsp() + " DSP)"));
        }
        if (!VENDOR.matcher(word).matches()) {
            return new Choice(byName(name), Optional.empty());
        }
        PartTable.Device device = closest(word).findFirst().orElseThrow();
        Matcher speed = Pattern.compile("-([123])").matcher(word);
        Part part = of(device, speed.find() ? Integer.parseInt(speed.group(1)) : device.usualSpeed(), name);
        return new Choice(
                part,
                Optional.of("'" + name + "' is not among the known parts; figures are those of " + part.name() + " ("
                        + device.lut() + " LUT, " + device.dsp() + " DSP)"));
    }

    private static Optional<Part> find(String name) {
        String word = common(name);
        for (PartTable.Device d : PartTable.devices()) {
            if (!d.board().isEmpty() && d.board().equalsIgnoreCase(name)) {
                return Optional.of(of(d, d.usualSpeed(), ""));
            }
            if (word.startsWith(d.name())) {
                Matcher rest = REST.matcher(word.substring(d.name().length()));
                if (rest.matches()) {
                    int speed = rest.group(2) == null ? d.usualSpeed() : Integer.parseInt(rest.group(2));
                    return Optional.of(of(d, speed, rest.group(1) == null ? "" : name));
                }
            }
        }
        return Optional.empty();
    }

    /// Lower case; automotive and defence devices by their commercial twins; variants of an MPSoC that differ in the
    /// processors alone by the one in the table.
    private static String common(String name) {
        String word = name.strip().toLowerCase(Locale.ROOT).replaceFirst("^x[aq](?=[7kvz])", "xc");
        Matcher mpsoc = Pattern.compile("^(xczu(\\d+))(?:cg|eg|ev)").matcher(word);
        if (mpsoc.find()) {
            String variant = PartTable.devices().stream()
                    .map(PartTable.Device::name)
                    .filter(n -> n.matches(mpsoc.group(1) + "e[gv]"))
                    .findFirst()
                    .orElse(mpsoc.group());
            return mpsoc.replaceFirst(variant);
        }
        return word;
    }

    private static java.util.stream.Stream<PartTable.Device> closest(String word) {
        return PartTable.devices().stream().sorted(Comparator.comparingInt(d -> -sharedPrefix(d.name(), word)));
    }

    private static int sharedPrefix(String a, String b) {
        int n = 0;
        while (n < Math.min(a.length(), b.length()) && a.charAt(n) == b.charAt(n)) {
            n++;
        }
        return n;
    }

    private static Part of(PartTable.Device d, int speed, String full) {
        return new Part(d, speed, full.isEmpty() ? d.orderingName(speed) : full);
    }

    /// Device and speed grade (`xc7vx485t-2`).
    public String name() {
        return device.name() + "-" + speed;
    }

    /// A board that carries it, empty where none is well known.
    public String board() {
        return device.board();
    }

    /// The generation, which decides over the shape of a DSP block and the floating-point cores.
    public PartTable.Family family() {
        return device.fabric().family();
    }

    /// Look-up tables.
    public int lut() {
        return device.lut();
    }

    /// Flip-flops.
    public int ff() {
        return device.ff();
    }

    /// DSP blocks.
    public int dsp() {
        return device.dsp();
    }

    /// Block RAMs in units of 18 Kbit.
    public int bram() {
        return device.bram();
    }

    /// UltraRAMs.
    public int uram() {
        return device.uram();
    }

    /// Delay of LUTs and carry chains relative to a Virtex-7 -2.
    public double logicDelay() {
        return device.fabric().logicDelay(speed);
    }

    /// Delay of DSP blocks and cores made of them, relative to a Virtex-7 -2.
    public double dspDelay() {
        return device.fabric().dspDelay(speed);
    }

    /// Energy per toggling resource relative to a Virtex-7.
    public double dynamicPower() {
        return device.fabric().dynamicPower();
    }

    /// Power of the configured, idle part at 25 degrees, in W. Measured for xc7vx485t and xczu9eg; a line through
    /// the known ones for the others.
    public double staticWatts() {
        return device.staticWatts();
    }

    /// Power that the estimator gives for a design that fills the part at 100 MHz, in W; divisor of the power
    /// objective.
    public double maximumWatts() {
        return device.maximumWatts();
    }
}
