package knobscape.app.ui.hls.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.Figure.Axis;
import knobscape.app.ui.plot.Figure.AxisLabel;
import knobscape.app.ui.plot.Figure.Bar;
import knobscape.app.ui.plot.Figure.Item;
import knobscape.app.ui.plot.Figure.Key;
import knobscape.app.ui.plot.Figure.Panel;
import knobscape.app.ui.plot.Figure.Rule;
import knobscape.app.ui.plot.Figure.Shape;
import knobscape.app.ui.task.ScreenThread;
import knobscape.app.ui.theme.Hue;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.LoopEstimate;
import knobscape.hls.evaluate.estimator.LoopSchedule;
import knobscape.hls.evaluate.estimator.LoopSchedule.Step;
import knobscape.hls.open.Fabric;
import knobscape.hls.open.FabricArea;
import knobscape.hls.open.OpenFlow;
import knobscape.project.Design;
import knobscape.work.RunSettings;

/// A design as a report of synthesis shows it: how much of the part it uses, what is left of the clock period, its
/// loops, and when the operations of each run.
///
/// @param source where its figures come from (`impl, built-in estimate`)
/// @param part name of the part
/// @param uses resources of the design at its highest stage
/// @param timing empty where no clock period is known
/// @param loops what the built-in estimator finds of every loop
/// @param schedules of the loops that are left, by the same
record DesignReport(
        String source,
        String part,
        List<Use> uses,
        Optional<Timing> timing,
        List<LoopEstimate> loops,
        List<LoopSchedule> schedules) {
    /// Rows of a schedule that can still be read.
    static final int MOST_ROWS = 32;

    private static final Pattern LINKER = Pattern.compile("\\b_ZL?(\\d{1,3})(\\w+)");

    DesignReport {
        uses = List.copyOf(uses);
        loops = List.copyOf(loops);
        schedules = List.copyOf(schedules);
    }

    /// How much of a resource is used.
    ///
    /// @param available what the part has of it, above 0
    record Use(String name, double used, long available) {
        double percent() {
            return 100 * used / available;
        }
    }

    /// Clock periods in ns.
    record Timing(double target, double period) {
        double slack() {
            return target - period;
        }
    }

    /// Reports on a design of a kernel that is open.
    static DesignReport of(HlsWorkbench bench, Design design) {
        ScreenThread.mustNotBe("reporting on a design");
        Part target = Part.named(bench.settings().part());
        // The open tools make it for a device of their own.
        Optional<Fabric> fabric =
                design.highest().flatMap(e -> OpenFlow.fabric(e.provenance().toolchain()));
        String part = fabric.map(Fabric::device).orElse(target.name());
        FabricArea room =
                fabric.map(Fabric::room).orElse(new FabricArea(target.lut(), target.ff(), target.dsp(), target.bram()));
        var uses = new ArrayList<Use>();
        use(uses, "LUT", design.value("lut"), room.lut());
        use(uses, "FF", design.value("ff"), room.ff());
        use(uses, "DSP", design.value("dsp"), room.dsp());
        use(uses, "BRAM", design.value("bram"), room.bram());
        OptionalDouble period = design.value("clock");
        try (Evaluator tool =
                bench.evaluator(HlsSettings.defaultRun().with(RunSettings.TOOLCHAIN, EstimatorEvaluator.NAME))) {
            boolean estimated = tool instanceof EstimatorEvaluator;
            return new DesignReport(
                    DesignSet.source(design),
                    part,
                    uses,
                    period.isPresent()
                            ? Optional.of(new Timing(bench.settings().clockNs(), period.getAsDouble()))
                            : Optional.empty(),
                    estimated
                            ? ((EstimatorEvaluator) tool)
                                    .explain(design.configuration())
                                    .loops()
                            : List.of(),
                    estimated ? ((EstimatorEvaluator) tool).schedules(design.configuration()) : List.of());
        } catch (UserError e) {
            // No built-in estimate of this kernel: what was measured is shown.
            return new DesignReport(DesignSet.source(design), part, uses, Optional.empty(), List.of(), List.of());
        }
    }

    private static void use(List<Use> all, String name, OptionalDouble used, double available) {
        if (used.isPresent() && available > 0) {
            all.add(new Use(name, used.getAsDouble(), Math.round(available)));
        }
    }

    /// The schedule of a loop, where one is left of it.
    Optional<LoopSchedule> schedule(String loop) {
        return schedules.stream().filter(s -> s.loop().equals(loop)).findFirst();
    }

    /// The operations shown: all, or where they are too many those that set the interval and the first others.
    static List<Step> rows(LoopSchedule s) {
        return s.steps().stream()
                .sorted(Comparator.comparing(Step::limits).reversed())
                .limit(MOST_ROWS)
                .sorted(Comparator.comparingInt(Step::first).thenComparingInt(Step::last))
                .toList();
    }

    /// Operations over the cycles of an iteration, from top to bottom as they start.
    static Figure figure(LoopSchedule s) {
        List<Step> rows = rows(s);
        var items = new ArrayList<Item>();
        var names = new ArrayList<AxisLabel>();
        for (int i = 0; i < rows.size(); i++) {
            Step o = rows.get(i);
            double bottom = rows.size() - 1 - i;
            items.add(new Bar(
                    o.first(),
                    o.last() + 1.0,
                    bottom + 0.12,
                    bottom + 0.88,
                    o.limits() ? Hue.INVALID : Hue.FRONT,
                    1,
                    tip(o),
                    Figure.NO_KEY));
            names.add(new AxisLabel(bottom + 0.5, name(o)));
        }
        if (s.interval() > 0) {
            items.add(new Rule(true, s.interval(), Hue.MUTED, true, "next iteration"));
        }
        int hidden = s.steps().size() - rows.size();
        var legend = new ArrayList<Key>(List.of(new Key("operation", Hue.FRONT, Shape.BOX, 0)));
        if (s.steps().stream().anyMatch(Step::limits)) {
            legend.add(new Key("\u2022 sets the interval", Hue.INVALID, Shape.BOX, 0));
        }
        return new Figure(
                List.of(new Panel(
                        Axis.linear("Cycle of an iteration", 0, Math.max(s.depth(), s.interval() + 0.5)),
                        Axis.words("", 0, Math.max(1, rows.size()), names),
                        1,
                        items)),
                legend,
                hidden > 0 ? rows.size() + " of " + s.steps().size() + " rows" : "");
    }

    private static String name(Step o) {
        return (o.limits() ? "\u2022 " : "") + (o.count() > 1 ? o.count() + " \u00d7 " : "") + plain(o.name());
    }

    /// As the source has it: the linker calls a static variable `_ZL6memory`.
    private static String plain(String words) {
        return LINKER.matcher(words)
                .replaceAll(m -> m.group(2).substring(0, Math.min(m.group(2).length(), Integer.parseInt(m.group(1)))));
    }

    private static String tip(Step o) {
        return name(o)
                + (o.first() == o.last() ? "\ncycle " + o.first() : "\ncycles " + o.first() + " to " + o.last())
                + (o.line().isPresent() ? "\nline " + o.line().getAsInt() : "")
                + (o.limits() ? "\nsets the initiation interval" : "");
    }

    /// A schedule in a sentence.
    static String words(LoopSchedule s) {
        return (s.interval() > 0
                        ? "II " + s.interval() + (s.limit().isEmpty() ? "" : ", " + plain(s.limit()))
                                + "; an iteration takes "
                        : "Not pipelined; an iteration takes ")
                + s.depth() + (s.depth() == 1 ? " cycle" : " cycles") + " (built-in estimate)";
    }

    /// `9.97 %`.
    static String percent(double percent) {
        return String.format(Locale.ROOT, percent > 0 && percent < 10 ? "%.2g %%" : "%.0f %%", percent);
    }
}
