package knobscape.app.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.TripCount;
import knobscape.space.Knob;

/// The space of a kernel as a person reads it: functions, loops, arrays, knobs, size.
final class KernelSpace {
    private KernelSpace() {}

    /// Prints it, with what is noticed and assumed as notes.
    static void print(HlsWorkbench bench, PrintWriter out, PrintWriter err) {
        var k = bench.kernel();
        out.println("Top function " + k.top() + (k.topGuessed() ? " (guessed; --top names another)" : "") + " in "
                + k.file());
        for (Function f : k.functions()) {
            out.println();
            out.println("Function " + f.name() + ", line " + f.location().line()
                    + (f.callees().isEmpty() ? "" : ", calls " + String.join(", ", f.callees())));
            if (!f.allLoops().isEmpty()) {
                var t = new TextTable("  loop", ">line", ">iterations", "label", "accesses");
                for (Loop l : f.allLoops()) {
                    t.add(
                            "  " + "  ".repeat(l.depth()) + l.id(),
                            "" + l.keyword().line(),
                            trip(l.trip()),
                            l.labelled() ? l.label() : l.label() + " (to be inserted)",
                            accesses(l, k));
                }
                out.print(t.text());
            }
            arrays(f.arrays(), k, out);
        }
        if (!k.globals().isEmpty()) {
            out.println();
            out.println("Global arrays");
            arrays(k.globals(), k, out);
        }
        out.println();
        var knobs = new TextTable("knob", "values");
        for (Knob knob : bench.directives().space().knobs().list()) {
            knobs.add(knob.name(), String.join(" ", knob.domain().labels()));
        }
        out.print(knobs.text());
        out.println();
        if (!bench.directives().pruning().isEmpty()) {
            var pruning = new TextTable("pruning", ">before", ">after");
            bench.directives()
                    .pruning()
                    .forEach(p -> pruning.add(p.subject(), SpaceJson.shown(p.before()), SpaceJson.shown(p.after())));
            out.print(pruning.text());
            out.println();
        }
        out.println("Space: " + SpaceJson.shown(bench.directives().space().fullSize())
                + " configurations before pruning, "
                + SpaceJson.shown(bench.directives().space().size()) + " after.");
        bench.asItStands().filter(r -> !r.loops().isEmpty()).ifPresent(r -> {
            out.println();
            out.println("Loops of " + bench.kernelWork().stated() + ", by the built-in estimate:");
            out.print(LoopRows.table(r).text());
        });
        bench.kernelWork().nearestMeasured().ifPresent(n -> out.println("Built-in estimate: " + n.sentence() + "."));
        k.notes().forEach(n -> err.println("Note: " + n));
        bench.assumptions().forEach(a -> err.println("Note: " + SpaceJson.assumption(a)));
        out.flush();
        err.flush();
    }

    private static void arrays(List<ArrayVariable> arrays, Kernel k, PrintWriter out) {
        if (!arrays.isEmpty()) {
            var t = new TextTable("  array", ">line", "size", "element");
            arrays.forEach(a -> t.add(
                    "  " + a.id(),
                    "" + a.location().line(),
                    a.dims().stream().map(d -> "[" + (d == 0 ? "?" : d) + "]").collect(Collectors.joining())
                            + SpaceJson.depth(a, k)
                                    .map(p -> " depth " + p.options().get("depth") + " by the pragma in line "
                                            + p.location().line())
                                    .orElse(""),
                    a.element().spelling() + " (" + a.element().bits() + " bit)"));
            out.print(t.text());
        }
    }

    private static String accesses(Loop loop, Kernel k) {
        return SpaceJson.accesses(loop, k).stream()
                .map(a -> a.array().substring(a.array().indexOf('/') + 1)
                        + switch (a.kind()) {
                            case READ -> " read";
                            case WRITE -> " written";
                            case READ_WRITE -> " updated";
                        })
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String trip(TripCount t) {
        if (t.min().isEmpty() && t.max().isEmpty() && t.average().isEmpty()) {
            return "unknown";
        }
        if (t.isExact()) {
            return "" + t.max().getAsLong();
        }
        String range = (t.min().isPresent() ? "" + t.min().getAsLong() : "?") + ".."
                + (t.max().isPresent() ? "" + t.max().getAsLong() : "?");
        return switch (t.certainty()) {
            case STATED -> range + " (stated)";
            case MEASURED ->
                range
                        + String.format(
                                Locale.ROOT,
                                ", mean %.1f (measured trip count)",
                                t.average().orElse(0));
            case EXACT, BOUNDED, UNKNOWN -> range;
        };
    }
}
