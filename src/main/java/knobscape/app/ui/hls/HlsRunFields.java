package knobscape.app.ui.hls;

import java.util.List;
import java.util.function.Function;
import knobscape.app.ui.run.Field;
import knobscape.app.ui.run.WorkFields;
import knobscape.hls.HlsSettings;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.work.Area;
import knobscape.work.WorkSettings;

/// The part, the clock period and the tool's place, which a run of HLS work may change. Measured designs have none of
/// them, and no flow to wait for.
public final class HlsRunFields implements WorkFields {
    private static final double MAX_CLOCK_NS = 1000;

    private final Field part;
    private final Field clock = Field.typed("Clock (ns)", "Target clock period in nanoseconds");
    private final Field tool = Field.typed(
            "Tool",
            "Your own program, or the folder of the vendor's installation; empty for the search path. The estimator needs none");
    private final boolean choosesPart;

    /// @param parts names of the FPGA parts there are; the choice is absent where there are none
    public HlsRunFields(List<String> parts) {
        this.part = new Field("Part", "FPGA part", parts);
        this.choosesPart = !parts.isEmpty();
    }

    @Override
    public List<Field> fields() {
        return choosesPart ? List.of(part, clock, tool) : List.of(clock, tool);
    }

    @Override
    public String text(Area.Work work, Field field) {
        var kernel = (HlsSettings) work.settings();
        if (field == tool) {
            return VendorTools.place(work.run().toolchain()).orElse("");
        }
        return field == part ? kernel.part().orElse("") : plain(kernel.clockNs());
    }

    @Override
    public boolean isShown(WorkSettings settings, Field field) {
        return !((HlsSettings) settings).isMeasured()
                || (field != part && field != clock && field != tool && field != Field.WAIT);
    }

    @Override
    public String problem(Field field, String text) {
        try {
            double v = field == part || field == tool ? 1 : number(text);
            return v > 0 && v <= MAX_CLOCK_NS ? "" : wrong();
        } catch (NumberFormatException e) {
            return wrong();
        }
    }

    private static String wrong() {
        return "a number above 0, at most 1000";
    }

    @Override
    public Area.Work apply(Area.Work work, Function<Field, String> texts) {
        var kernel = (HlsSettings) work.settings();
        if (kernel.isMeasured()) {
            return work;
        }
        HlsSettings clocked = kernel.withClockNs(number(texts.apply(clock)));
        String name = choosesPart ? texts.apply(part) : "";
        return new Area.Work(
                name.isBlank() ? clocked : clocked.withPart(name),
                work.run().withToolchain(VendorTools.at(work.run().toolchain(), texts.apply(tool))));
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(',', '.'));
    }

    private static String plain(double v) {
        return v == Math.rint(v) ? Long.toString((long) v) : Double.toString(v);
    }
}
