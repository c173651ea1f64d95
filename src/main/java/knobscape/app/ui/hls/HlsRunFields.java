package knobscape.app.ui.hls;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.app.ui.run.Field;
import knobscape.app.ui.run.WorkFields;
import knobscape.evaluate.report.JsonFields;
import knobscape.hls.HlsSettings;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.vendor.ToolSettings;
import knobscape.hls.evaluate.vendor.VendorTools;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.space.Pruning;
import knobscape.project.Numbers;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.parameter.Values;

/// The part, the clock period and the tool's place, which a run of HLS work may change. Measured designs have none of
/// them, and no flow to wait for.
public final class HlsRunFields implements WorkFields {
    private static final double MAX_CLOCK_NS = 1000;
    private static final double MAX_OTHER = 100_000;
    private static final String NO = "no";
    private static final String YES = "yes";

    private final Field part;
    private final Field clock = Field.typed("Clock (ns)", "Target clock period in nanoseconds");
    private final Field pruning = new Field(
            "Pruning",
            "hard leaves out what the rules dislike; soft keeps it, and CGP expects less of it",
            Stream.of(Pruning.values()).map(JsonFields::word).toList());
    private final Field prior = new Field(
            "Prior mean",
            "What CGP expects before anything is measured: what the built-in estimator says, or nothing",
            List.of("none", "estimate"));
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
    private final Field cFlags = Field.typed("C flags", "Flags of the C compiler, separated by blanks");
    private final Field testbench =
            Field.typed("Testbench", "Files of the testbench, relative to the project, separated by commas");
    private final Field csim =
            new Field("C simulation", "Whether the testbench is run before C synthesis", List.of(NO, YES));
    private final Field cosim =
            new Field("Cosimulation", "Whether the testbench is run with the RTL after C synthesis", List.of(NO, YES));
    private final Field disk = Field.typed(
            "Disk (GiB)", "Room for the folders of designs; over it, old projects go and reports stay; 0 for no limit");
    private final Field script = new Field(
            "Script",
            "What drives the unified tools of 2024.2 and later: a Tcl script or a configuration file",
            Stream.of(ToolSettings.Script.values()).map(JsonFields::word).toList());
    private final Field leastGain = Field.typed(
            "Least gain (%/h)",
            "Ends the run where the method expects the next hour of tool time to bring the front nearer to the true one by less; CGP says what it expects; 0 never");
    private final Field hours = Field.typed(
            "Tool hours",
            "Ends the run once so many hours of tool time are spent; CGP puts no more than a third of them into its first designs; 0 for no limit");
    private final Field flow = new Field(
            "Flow",
            "What Vitis HLS makes of the kernel: a core for Vivado, or a kernel for the Vitis runtime with AXI master ports",
            Stream.of(Flow.values()).map(JsonFields::word).toList());
    private final Map<Field, Function<ToolSettings, String>> toolTexts = new LinkedHashMap<>();
    private final boolean choosesPart;

    /// @param parts names of the FPGA parts there are; the choice is absent where there are none
    public HlsRunFields(List<String> parts) {
        this.part = new Field("Part", "FPGA part", parts);
        this.choosesPart = !parts.isEmpty();
        toolTexts.put(engine, t -> JsonFields.word(t.engine()));
        toolTexts.put(limit, t -> plain(t.stageMinutes()));
        toolTexts.put(memory, t -> plain(t.budget().jobGb()));
        toolTexts.put(licences, t -> "" + t.budget().licences());
        toolTexts.put(disk, t -> plain(t.budget().diskGb()));
        toolTexts.put(
                uncertainty,
                t -> t.options().uncertainty().map(HlsRunFields::plain).orElse(""));
        toolTexts.put(cFlags, t -> String.join(" ", t.options().cFlags()));
        toolTexts.put(testbench, t -> String.join(", ", t.options().testbench()));
        toolTexts.put(csim, t -> t.options().csim() ? YES : NO);
        toolTexts.put(cosim, t -> t.options().cosim() ? YES : NO);
        toolTexts.put(script, t -> JsonFields.word(t.script()));
    }

    @Override
    public List<Field> fields() {
        return Stream.of(
                        choosesPart ? Stream.of(part) : Stream.<Field>empty(),
                        Stream.of(clock, flow, pruning, prior, hours, leastGain, tool),
                        toolTexts.keySet().stream())
                .flatMap(f -> f)
                .toList();
    }

    @Override
    public String text(Area.Work work, Field field) {
        var kernel = (HlsSettings) work.settings();
        if (field == tool) {
            return VendorTools.place(work.run().toolchain()).orElse("");
        }
        if (field == leastGain) {
            return Numbers.shortest(100 * work.run().leastGain());
        }
        if (field == hours) {
            return Numbers.shortest(work.run().values().get(RunSettings.HOURS));
        }
        if (field == part) {
            // A bare source is for the part that the program takes by itself.
            return kernel.part().orElseGet(() -> Part.byDefault().name());
        }
        if (field == flow) {
            return JsonFields.word(kernel.tool().options().flow());
        }
        if (field == pruning) {
            return JsonFields.word(kernel.pruning());
        }
        if (field == prior) {
            return kernel.isEstimatePrior() ? "estimate" : "none";
        }
        return field == clock
                ? plain(kernel.clockNs())
                : requireNonNull(toolTexts.get(field)).apply(kernel.tool());
    }

    @Override
    public boolean isShown(WorkSettings settings, Field field) {
        return !((HlsSettings) settings).isMeasured()
                || field == leastGain
                || field == hours
                || (!fields().contains(field) && field != Field.WAIT);
    }

    /// The estimator needs no tool.
    @Override
    public boolean isShown(Field field, String evaluator) {
        return evaluator.equals(VendorTools.VITIS)
                || evaluator.equals(VendorTools.COMMAND)
                || (field != tool && !toolTexts.containsKey(field));
    }

    @Override
    public String problem(Field field, Function<Field, String> texts) {
        String text = texts.apply(field);
        if (field == csim || field == cosim) {
            return text.equals(YES) && files(texts).isEmpty() ? "no, or name the files of the testbench" : "";
        }
        if (field == part
                || field == tool
                || field == testbench
                || !field.choices().isEmpty()) {
            return "";
        }
        if (field == cFlags) {
            return flags(texts).stream().allMatch(ToolOptions::isFlag)
                    ? ""
                    : "flags that begin with - and have no quotes, separated by blanks (for example -std=c++14 -Isrc)";
        }
        if (field == licences) {
            return text.strip().matches("\\d{1,6}") ? "" : "a whole number from 0";
        }
        if (field == disk || field == hours) {
            return isNumber(text) && number(text) >= 0 && number(text) <= MAX_OTHER
                    ? ""
                    : "a number from 0 to " + plain(MAX_OTHER);
        }
        if (field == leastGain) {
            return isNumber(text) && number(text) >= 0 && number(text) < 100
                    ? ""
                    : "a number of percent from 0 to below 100";
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
        RunSettings run = work.run()
                .with(RunSettings.LEAST_GAIN, number(texts.apply(leastGain)) / 100)
                .with(RunSettings.HOURS, number(texts.apply(hours)));
        if (kernel.isMeasured()) {
            return new Area.Work(kernel, run);
        }
        HlsSettings clocked = new HlsSettings(tool(
                kernel.values()
                        .with(HlsSettings.CLOCK, number(texts.apply(clock)))
                        .typed(HlsSettings.PRUNING, "", texts.apply(pruning))
                        .typed(HlsSettings.PRIOR, "", texts.apply(prior)),
                texts));
        String name = choosesPart ? texts.apply(part) : "";
        boolean asBefore = name.isBlank()
                || (kernel.part().isEmpty() && name.equals(Part.byDefault().name()));
        return new Area.Work(
                asBefore ? clocked : clocked.with(HlsSettings.PART, name),
                run.with(RunSettings.TOOLCHAIN, VendorTools.at(run.toolchain(), texts.apply(tool))));
    }

    private Values tool(Values v, Function<Field, String> texts) {
        return v.typed(ToolSettings.STAGE_MINUTES, "", texts.apply(limit))
                .typed(ToolSettings.ENGINE, "", texts.apply(engine))
                .typed(ToolOptions.UNCERTAINTY, "", texts.apply(uncertainty))
                .with(ToolOptions.C_FLAGS, flags(texts))
                .with(ToolOptions.TESTBENCH, files(texts))
                .typed(ToolOptions.CSIM, "", texts.apply(csim))
                .typed(ToolOptions.COSIM, "", texts.apply(cosim))
                .typed(ToolOptions.FLOW, "", texts.apply(flow))
                .typed(ToolSettings.JOB_GB, "", texts.apply(memory))
                .typed(ToolSettings.LICENCES, "", texts.apply(licences))
                .typed(ToolSettings.DISK_GB, "", texts.apply(disk))
                .typed(ToolSettings.SCRIPT, "", texts.apply(script));
    }

    private List<String> flags(Function<Field, String> texts) {
        return parts(texts.apply(cFlags), "\\s+");
    }

    private List<String> files(Function<Field, String> texts) {
        return parts(texts.apply(testbench), "\\s*,\\s*");
    }

    private static List<String> parts(String text, String separator) {
        return Stream.of(text.strip().split(separator))
                .filter(p -> !p.isEmpty())
                .toList();
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(',', '.'));
    }

    private static String plain(double v) {
        return v == Math.rint(v) ? Long.toString((long) v) : Double.toString(v);
    }
}
