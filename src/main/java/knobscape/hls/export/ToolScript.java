package knobscape.hls.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The script that synthesises an exported design: opens a project, adds the files, sets top, part and clock,
/// reads the directives and runs C synthesis and, where asked, implementation.
///
/// @param dialect tool that runs it
/// @param project name of the tool's project folder
/// @param top top function
/// @param part ordering name of the part as the tool wants it (`xc7vx485tffg1761-2`)
/// @param clockNs target clock period in nanoseconds, positive
/// @param files what it reads
/// @param implement whether to run implementation too
/// @param options what the tool is told else; the testbench by absolute paths
public record ToolScript(
        Dialect dialect,
        String project,
        String top,
        String part,
        double clockNs,
        Files files,
        boolean implement,
        ToolOptions options) {
    public ToolScript {
        if (!(clockNs > 0) || Double.isInfinite(clockNs)) {
            throw new IllegalArgumentException("the clock period must be positive, was " + clockNs);
        }
    }

    /// The files that the tool reads; paths are relative to the script, `/` between folders.
    ///
    /// @param sources files to add
    /// @param compilerFlags flags for each of them (`-Isrc`, `-DSIZE=64`)
    /// @param directives file of directives
    public record Files(List<String> sources, List<String> compilerFlags, Optional<String> directives) {
        public Files {
            sources = List.copyOf(sources);
            compilerFlags = List.copyOf(compilerFlags);
        }
    }

    /// The file `run_hls.tcl`, lines ended by `\n`.
    public String text() {
        var b = new StringBuilder();
        b.append("# Run it with: ").append(dialect.command()).append(" -f run_hls.tcl\n");
        b.append("cd [file dirname [file normalize [info script]]]\n");
        b.append("open_project -reset ").append(TclWords.quoted(project)).append('\n');
        b.append("set_top ").append(TclWords.quoted(top)).append('\n');
        for (String source : files.sources) {
            b.append("add_files ").append(TclWords.quoted(source));
            if (!files.compilerFlags.isEmpty()) {
                b.append(" -cflags ").append(TclWords.quoted(String.join(" ", files.compilerFlags)));
            }
            b.append('\n');
        }
        for (String file : options.testbench()) {
            b.append("add_files -tb ").append(TclWords.quoted(file));
            if (!files.compilerFlags.isEmpty()) {
                b.append(" -cflags ").append(TclWords.quoted(String.join(" ", files.compilerFlags)));
            }
            b.append('\n');
        }
        b.append(
                dialect == Dialect.VITIS_HLS
                        ? "open_solution -reset -flow_target " + options.flow().target() + " \"solution\"\n"
                        : "open_solution -reset \"solution\"\n");
        b.append("set_part ").append(TclWords.quoted(part)).append('\n');
        b.append("create_clock -period ").append(clock()).append(" -name default\n");
        b.append("set_clock_uncertainty ")
                .append(options.uncertaintyNs(dialect, clockNs))
                .append('\n');
        if (files.directives.isEmpty()) {
            options.unasked(dialect, false).forEach(c -> b.append(c).append('\n'));
        }
        files.directives.ifPresent(
                d -> b.append("source ").append(TclWords.quoted(d)).append('\n'));
        if (options.csim()) {
            b.append("csim_design\n");
        }
        b.append("csynth_design\n");
        if (options.cosim()) {
            b.append("cosim_design\n");
        }
        if (implement) {
            b.append("export_design -flow impl -rtl verilog -format ip_catalog\n");
        }
        b.append("exit\n");
        return b.toString();
    }

    /// The file `hls_config.cfg` for `v++ -c --mode hls` and `vitis-run --mode hls` (UG1399).
    ///
    /// @param directives lines of the `[hls]` section, with comments
    String config(String directives) {
        List<String> lines = directives.lines().toList();
        // Whose the file is, is read from its first line.
        int head = (int) lines.stream().takeWhile(l -> l.startsWith("#")).count();
        var all = new ArrayList<>(lines.subList(0, head));
        all.add("part=" + part);
        all.add("");
        all.add("[hls]");
        all.add("flow_target=" + options.flow().target());
        all.add("clock=" + clock() + "ns");
        all.add("clock_uncertainty=" + options.uncertaintyNs(Dialect.VITIS_HLS, clockNs) + "ns");
        all.add("syn.top=" + top);
        files.sources.forEach(source -> all.add("syn.file=" + source));
        if (!files.compilerFlags.isEmpty()) {
            all.add("syn.cflags=" + String.join(" ", files.compilerFlags));
        }
        options.testbench().forEach(file -> all.add("tb.file=" + file));
        if (!options.testbench().isEmpty() && !files.compilerFlags.isEmpty()) {
            all.add("tb.cflags=" + String.join(" ", files.compilerFlags));
        }
        all.add("vivado.flow=" + (implement ? "impl" : "syn"));
        all.addAll(lines.subList(head, lines.size()));
        return String.join("\n", all) + "\n";
    }

    private String clock() {
        return clockNs == Math.rint(clockNs) && clockNs < 1e6
                ? Long.toString((long) clockNs)
                : Double.toString(clockNs);
    }
}
