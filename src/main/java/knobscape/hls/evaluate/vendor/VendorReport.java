package knobscape.hls.evaluate.vendor;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The report of Vivado HLS, Vitis HLS or Vivado about one design. Figures it does not state are absent, never zero.
///
/// @param stage the stage it reports on
/// @param version of the tool that wrote it (`2022.1`)
/// @param top top function or module
/// @param part as the tool names it
/// @param figures what it says
/// @param available what the part has, for the resources among the figures
/// @param loops outer before inner, those of functions of their own after those of the top
/// @param notes what a person should know: figures that the tool could not tell and why
public record VendorReport(
        Stage stage,
        Optional<String> version,
        Optional<String> top,
        Optional<String> part,
        Map<Figure, Double> figures,
        Map<Figure, Double> available,
        List<VendorLoop> loops,
        List<String> notes) {
    public VendorReport {
        figures = copy(figures);
        available = copy(available);
        loops = List.copyOf(loops);
        notes = List.copyOf(notes);
    }

    private static Map<Figure, Double> copy(Map<Figure, Double> m) {
        return m.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(m));
    }

    /// A stage of the flow that has reports of its own.
    public enum Stage {
        /// C synthesis.
        HLS("hls", "C synthesis"),
        /// Simulation of the hardware on the testbench; its cycles stand beside those of C synthesis.
        COSIM("hls", "co-simulation"),
        /// Logic synthesis.
        SYN("syn", "logic synthesis"),
        /// Placement and routing.
        IMPL("impl", "implementation");

        private final String fidelity;
        private final String words;

        Stage(String fidelity, String words) {
            this.fidelity = fidelity;
            this.words = words;
        }

        /// Name of the fidelity.
        public String fidelity() {
            return fidelity;
        }

        /// For a person.
        public String words() {
            return words;
        }
    }

    /// A quantity in a report.
    public enum Figure {
        CLOCK_TARGET("Target clock period", "ns"),
        CLOCK_UNCERTAINTY("Clock uncertainty", "ns"),
        /// As C synthesis estimates it.
        CLOCK_ESTIMATED("Estimated clock period", "ns"),
        CLOCK_SYN("Clock period after synthesis", "ns"),
        CLOCK_IMPL("Achieved clock period", "ns"),
        LATENCY_MIN("Latency, min", "cycles"),
        LATENCY_AVG("Latency, average", "cycles"),
        LATENCY_MAX("Latency, max", "cycles"),
        INTERVAL_MIN("Interval, min", "cycles"),
        INTERVAL_MAX("Interval, max", "cycles"),
        LUT("LUT", ""),
        FF("FF", ""),
        DSP("DSP", ""),
        /// In units of 18 Kbit.
        BRAM("BRAM", ""),
        URAM("URAM", ""),
        POWER("Power", "W"),
        POWER_DYNAMIC("Dynamic power", "W"),
        POWER_STATIC("Static power", "W");

        private final String label;
        private final String unit;

        Figure(String label, String unit) {
            this.label = label;
            this.unit = unit;
        }

        /// The resource of that name in any of the tools' reports; null where it is none.
        static @Nullable Figure resource(String name) {
            return switch (name) {
                case "LUT" -> LUT;
                case "FF" -> FF;
                case "DSP", "DSP48E", "DSP48" -> DSP;
                case "BRAM_18K", "BRAM" -> BRAM;
                case "URAM" -> URAM;
                default -> null;
            };
        }

        /// For a person.
        public String label() {
            return label;
        }

        /// `ns`, `cycles`, `W`, or empty for a count.
        public String unit() {
            return unit;
        }
    }

    /// The tool's result for one loop.
    ///
    /// @param module function whose report holds it
    /// @param name the loop's label, or a name made from its line; flattened loops are joined by `_`
    /// @param depth loops around it within the module
    /// @param line line in the source where the name holds it (`VITIS_LOOP_28_1`)
    /// @param pipelined whether iterations overlap, where the report says so
    /// @param figures by name: `trip min`, `trip max`, `latency min`, `latency max`,
    /// `iteration latency`, `interval`, `target interval`
    /// @param limit what keeps the interval from being shorter, in one phrase, where the tool's log says so
    public record VendorLoop(
            String module,
            String name,
            int depth,
            OptionalInt line,
            Optional<Boolean> pipelined,
            Map<String, Double> figures,
            Optional<String> limit) {
        public VendorLoop {
            figures = Map.copyOf(figures);
        }

        /// As a report has it, which says nothing of limits.
        public VendorLoop(
                String module,
                String name,
                int depth,
                OptionalInt line,
                Optional<Boolean> pipelined,
                Map<String, Double> figures) {
            this(module, name, depth, line, pipelined, figures, Optional.empty());
        }

        /// A figure where the report has it.
        public OptionalDouble figure(String key) {
            Double v = figures.get(key);
            return v == null ? OptionalDouble.empty() : OptionalDouble.of(v);
        }
    }

    /// The same with what the tool's log says: limits at their loops, ignored pragmas and loops not flattened as notes.
    public VendorReport with(List<ToolGuidance.Finding> findings) {
        var limited = loops.stream()
                .map(l -> new VendorLoop(
                        l.module(),
                        l.name(),
                        l.depth(),
                        l.line(),
                        l.pipelined(),
                        l.figures(),
                        ToolGuidance.limit(findings, l.module(), l.name())))
                .toList();
        var all = new java.util.ArrayList<>(notes);
        findings.stream()
                .filter(f -> f.kind() == ToolGuidance.Kind.IGNORED_PRAGMA
                        || f.kind() == ToolGuidance.Kind.NOT_FLATTENED
                        || f.kind() == ToolGuidance.Kind.INFERRED)
                .map(f -> (f.loop().isEmpty() ? "" : "loop " + f.loop() + ": ")
                        + f.words()
                        + (f.line().isPresent() ? " (line " + f.line().getAsInt() + ")" : ""))
                .filter(n -> !all.contains(n))
                .forEach(all::add);
        return new VendorReport(stage, version, top, part, figures, available, limited, all);
    }

    /// A figure where the report has it.
    public OptionalDouble figure(Figure figure) {
        Double v = figures.get(figure);
        return v == null ? OptionalDouble.empty() : OptionalDouble.of(v);
    }

    /// The clock period that counts at this stage: achieved, after synthesis, or estimated.
    public OptionalDouble clock() {
        return figure(
                switch (stage) {
                    case HLS, COSIM -> Figure.CLOCK_ESTIMATED;
                    case SYN -> Figure.CLOCK_SYN;
                    case IMPL -> Figure.CLOCK_IMPL;
                });
    }

    /// The latency that counts: the average, else the mean of both ends, else the largest.
    public OptionalDouble latency() {
        OptionalDouble min = figure(Figure.LATENCY_MIN);
        OptionalDouble max = figure(Figure.LATENCY_MAX);
        if (figure(Figure.LATENCY_AVG).isPresent()) {
            return figure(Figure.LATENCY_AVG);
        }
        return min.isPresent() && max.isPresent()
                ? OptionalDouble.of((min.getAsDouble() + max.getAsDouble()) / 2)
                : max;
    }
}
