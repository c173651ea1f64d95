package knobscape.app.ui.hls;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.app.ui.run.Field;
import knobscape.app.ui.run.WorkFields;
import knobscape.evaluate.report.JsonFields;
import knobscape.hls.HlsSettings;
import knobscape.hls.evaluate.vendor.JobBudget;
import knobscape.hls.evaluate.vendor.ToolSettings;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.hls.export.ToolOptions;
import knobscape.work.Area;
import knobscape.work.WorkSettings;

/// The part, the clock period and the tool's place, which a run of HLS work may change. Measured designs have none of
/// them, and no flow to wait for.
public final class HlsRunFields implements WorkFields {
    private static final double MAX_CLOCK_NS = 1000;
    private static final double MAX_OTHER = 100_000;

    private final Field part;
    private final Field clock = Field.typed("Clock (ns)", "Target clock period in nanoseconds");
    private final Field tool = Field.typed(
            "Tool",
            "Your own program, or the folder of the vendor's installation; empty for the search path. The estimator needs none");
    private final Field engine = new Field(
            "Tools run on",
            "This machine, or a Slurm cluster that shares its files",
            Stream.of(ToolSettings.EngineKind.values()).map(JsonFields::word).toList());
    private final Field limit =
            Field.typed("Stage limit (min)", "Longest time of one stage of a tool; shorter limits are learned");
    private final Field memory =
            Field.typed("Memory per job (GiB)", "At most as many jobs run at once as fit into this machine's memory");
    private final Field licences =
            Field.typed("Licences", "Jobs that may run at once for want of licences; 0 for no limit");
    private final Field uncertainty = Field.typed(
            "Clock uncertainty (%)", "Part of the clock period that C synthesis keeps back; empty for the tool's own");
    private final boolean choosesPart;

    /// @param parts names of the FPGA parts there are; the choice is absent where there are none
    public HlsRunFields(List<String> parts) {
        this.part = new Field("Part", "FPGA part", parts);
        this.choosesPart = !parts.isEmpty();
    }

    @Override
    public List<Field> fields() {
        return Stream.concat(
                        choosesPart ? Stream.of(part) : Stream.empty(),
                        Stream.of(clock, tool, engine, limit, memory, licences, uncertainty))
                .toList();
    }

    @Override
    public String text(Area.Work work, Field field) {
        var kernel = (HlsSettings) work.settings();
        if (field == tool) {
            return VendorTools.place(work.run().toolchain()).orElse("");
        }
        ToolSettings t = kernel.tool();
        return field == part
                ? kernel.part().orElse("")
                : field == engine
                        ? JsonFields.word(t.engine())
                        : field == limit
                                ? plain(t.stageMinutes())
                                : field == memory
                                        ? plain(t.budget().jobGb())
                                        : field == licences
                                                ? "" + t.budget().licences()
                                                : field == uncertainty
                                                        ? t.options()
                                                                .uncertainty()
                                                                .map(HlsRunFields::plain)
                                                                .orElse("")
                                                        : plain(kernel.clockNs());
    }

    @Override
    public boolean isShown(WorkSettings settings, Field field) {
        return !((HlsSettings) settings).isMeasured() || (!fields().contains(field) && field != Field.WAIT);
    }

    @Override
    public String problem(Field field, String text) {
        if (field == part || field == tool || field == engine) {
            return "";
        }
        if (field == licences) {
            return text.strip().matches("\\d{1,6}") ? "" : "a whole number from 0";
        }
        if (field == uncertainty) {
            return text.isBlank() || (isNumber(text) && number(text) >= 0 && number(text) < 100)
                    ? ""
                    : "a number from 0 to 100, or empty";
        }
        double most = field == clock ? MAX_CLOCK_NS : MAX_OTHER;
        return isNumber(text) && number(text) > 0 && number(text) <= most
                ? ""
                : "a number above 0, at most " + plain(most);
    }

    private static boolean isNumber(String text) {
        try {
            return Double.isFinite(number(text));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    public Area.Work apply(Area.Work work, Function<Field, String> texts) {
        var kernel = (HlsSettings) work.settings();
        if (kernel.isMeasured()) {
            return work;
        }
        HlsSettings clocked = kernel.withClockNs(number(texts.apply(clock))).withTool(tool(kernel.tool(), texts));
        String name = choosesPart ? texts.apply(part) : "";
        return new Area.Work(
                name.isBlank() ? clocked : clocked.withPart(name),
                work.run().withToolchain(VendorTools.at(work.run().toolchain(), texts.apply(tool))));
    }

    private ToolSettings tool(ToolSettings t, Function<Field, String> texts) {
        String share = texts.apply(uncertainty);
        return new ToolSettings(
                number(texts.apply(limit)),
                t.learnedFactor(),
                t.crashRetries(),
                t.licenceHours(),
                t.pauseSeconds(),
                ToolSettings.EngineKind.valueOf(texts.apply(engine).toUpperCase(Locale.ROOT)),
                t.sbatch(),
                new ToolOptions(
                        share.isBlank() ? Optional.empty() : Optional.of(number(share)),
                        t.options().cFlags(),
                        t.options().testbench(),
                        t.options().csim(),
                        t.options().cosim()),
                new JobBudget(
                        number(texts.apply(memory)),
                        Integer.parseInt(texts.apply(licences).strip()),
                        t.budget().diskGb()),
                t.script());
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(',', '.'));
    }

    private static String plain(double v) {
        return v == Math.rint(v) ? Long.toString((long) v) : Double.toString(v);
    }
}
