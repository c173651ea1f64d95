package knobscape.hls.open;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.HostPort;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.build.HardwareCheck.Vectors;
import knobscape.hls.rtl.build.HardwareDesign.ArgumentBank;

/// A design on a board with an ECP5, the ULX3S with an LFE5U-85F: a wrapper that fills the design's memories with the
/// inputs of the check, runs it once and compares what it left, and says so with lights; and the constraints for its
/// pins. The board's own 25 MHz are its clock.
final class BoardFiles {
    /// Name of the wrapper's module and of its files.
    static final String BOARD = "ulx3s";

    private static final String LOAD = "board-load.hex";
    private static final String EXPECTED = "board-expected.hex";
    private static final List<String> LIGHTS = List.of("B2", "C2", "C1", "D2", "D1", "E2", "E1", "H3");
    /// Bits of the counter of cycles.
    private static final int CYCLES = 32;

    private final RtlModule module;
    private final List<ArgumentBank> banks;
    private final Vectors vectors;
    private final long cycles;

    private BoardFiles(OpenKernel.Checked design) {
        module = design.design().module();
        banks = design.design().argumentBanks();
        vectors = design.run().vectors();
        cycles = design.run().cycles();
    }

    /// Texts by name of the file.
    static Map<String, String> of(OpenKernel.Checked design) {
        var board = new BoardFiles(design);
        var all = new LinkedHashMap<String, String>();
        all.put(BOARD + ".v", board.wrapper());
        all.put(BOARD + ".lpf", board.constraints());
        if (board.hosted()) {
            all.put(LOAD, board.words(board.vectors.before()));
            all.put(EXPECTED, board.words(board.vectors.after()));
        }
        return all;
    }

    private boolean hosted() {
        return module.outputs().contains(HostPort.OUT);
    }

    private int count() {
        return banks.stream().mapToInt(ArgumentBank::depth).sum();
    }

    private int width() {
        return banks.stream().mapToInt(ArgumentBank::width).max().orElse(1);
    }

    /// A word a line, bank after bank.
    private String words(Map<String, long[]> all) {
        var b = new StringBuilder();
        int digits = Math.ceilDiv(width(), 4);
        for (ArgumentBank a : banks) {
            long[] words = all.getOrDefault(a.name(), new long[0]);
            for (int i = 0; i < a.depth(); i++) {
                long word = i < words.length ? Expr.mask(words[i], a.width()) : 0;
                b.append(String.format(Locale.ROOT, "%0" + digits + "x", word)).append('\n');
            }
        }
        return b.toString();
    }

    private static String number(long value, int width) {
        return width + "'h" + Long.toHexString(Expr.mask(value, width));
    }

    private int widthOf(String input) {
        return module.inputs().stream()
                .filter(i -> i.name().equals(input))
                .mapToInt(Expr.Ref::width)
                .findFirst()
                .orElse(1);
    }

    private String wrapper() {
        var connected = new ArrayList<>(List.of(".clk(clk)", ".rst(rst)", ".start(start)", ".o_done(done)"));
        for (Expr.Ref in : module.inputs()) {
            Optional.ofNullable(vectors.scalars().get(in.name()))
                    .ifPresent(v -> connected.add("." + in.name() + "(" + number(v, in.width()) + ")"));
        }
        int resultBits = module.widths().getOrDefault("result", 0);
        boolean returns = vectors.result().isPresent() && resultBits > 0;
        if (returns) {
            connected.add(".o_result(result)");
        }
        if (hosted()) {
            connected.addAll(List.of(
                    ".host_on(filling | comparing)",
                    ".host_write(filling & ready)",
                    ".host_bank(bank)",
                    ".host_address(address)",
                    ".host_in(to_load)",
                    ".o_host_out(found)"));
        }
        return """
                // ULX3S: fills the memories of the design, runs it once and compares what it left with what the kernel left.
                // Lights: 0 all is right, 1 something differs, 2 it runs, 3 it took another number of cycles, 7 the clock.
                // Button 1 (fire 1) begins again.
                module %s(input clk_25mhz, input [6:0] btn, output [7:0] led, output wifi_gpio0);
                  assign wifi_gpio0 = 1'b1; // keeps the board on
                  wire clk = clk_25mhz;
                  reg [3:0] waiting = 0;
                  reg pressed = 0;
                  always @(posedge clk) begin
                    pressed <= btn[1];
                    waiting <= pressed ? 4'd0 : waiting[3] ? waiting : waiting + 4'd1;
                  end
                  wire rst = ~waiting[3];

                  reg filling = 0, starting = 0, running = 0, comparing = 0, ended = 0, wrong = 0, late = 0;
                  wire start = starting;
                  wire done;
                  reg [%d:0] cycles = 0;
                  reg [24:0] beat = 0;
                %s%s
                  %s dut(%s);

                  always @(posedge clk) begin
                    beat <= beat + 1;
                    if (rst) begin
                      filling <= %s; starting <= %s; running <= 0; comparing <= 0; ended <= 0; wrong <= 0; late <= 0; cycles <= 0;
                    end else begin
                      if (starting) begin starting <= 0; running <= 1; cycles <= 1; end
                      if (running) begin
                        cycles <= cycles + 1;
                        if (done) begin
                          running <= 0;
                          late <= cycles != %s;
                %s          %s <= 1;
                        end
                      end
                %s    end
                  end
                  assign led = {beat[24], 3'b000, late, running, ended & (wrong | late), ended & ~wrong & ~late};
                endmodule
                """.formatted(
                        BOARD,
                        CYCLES - 1,
                        returns ? "  wire [" + (resultBits - 1) + ":0] result;\n" : "",
                        hosted() ? memories() : "",
                        module.name(),
                        String.join(", ", connected),
                        hosted() ? "1" : "0",
                        hosted() ? "0" : "1",
                        number(cycles, CYCLES),
                        returns
                                ? "          if (result != "
                                        + number(vectors.result().getAsLong(), resultBits) + ") wrong <= 1;\n"
                                : "",
                        hosted() ? "comparing" : "ended",
                        hosted() ? walk() : "");
    }

    private static String range(int width) {
        return width == 1 ? "" : "[" + (width - 1) + ":0] ";
    }

    private String memories() {
        int w = width();
        int places = widthOf(HostPort.ADDRESS);
        var last = new StringBuilder();
        for (int k = 0; k < banks.size(); k++) {
            last.append("      %d: last = %s;\n"
                    .formatted(k, number(banks.get(k).depth() - 1L, places)));
        }
        int index = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(count()));
        return """
                  // What goes in and what has to come out, a word a line, bank after bank.
                  reg %sloads [0:%d];
                  reg %sexpected [0:%d];
                  initial begin
                    $readmemh("%s", loads);
                    $readmemh("%s", expected);
                  end
                  reg %sbank = 0;
                  reg %saddress = 0;
                  reg %sword = 0;
                  reg %sto_load = 0;
                  reg %sto_find = 0;
                  reg ready = 0;
                  wire %sfound;
                  reg %slast;
                  always @* case (bank)
                %s      default: last = 0;
                  endcase
                  wire whole = address == last && bank == %s;
                  always @(posedge clk) begin
                    to_load <= loads[word];
                    to_find <= expected[word];
                  end
                """.formatted(
                        range(w),
                        count() - 1,
                        range(w),
                        count() - 1,
                        LOAD,
                        EXPECTED,
                        range(widthOf(HostPort.BANK)),
                        range(places),
                        range(index),
                        range(w),
                        range(w),
                        range(module.widths().getOrDefault(HostPort.OUT, w)),
                        range(places),
                        last,
                        number(banks.size() - 1L, widthOf(HostPort.BANK)));
    }

    /// Two clocks a word: its place stands still while both memories answer, then it is written or compared.
    private static String walk() {
        return """
                      if (filling | comparing) begin
                        ready <= ~ready;
                        if (ready) begin
                          if (comparing && found != to_find) wrong <= 1;
                          if (whole) begin
                            bank <= 0; address <= 0; word <= 0;
                            if (filling) begin filling <= 0; starting <= 1; end
                            else begin comparing <= 0; ended <= 1; end
                          end else begin
                            word <= word + 1;
                            if (address == last) begin bank <= bank + 1; address <= 0; end
                            else address <= address + 1;
                          end
                        end
                      end else begin
                        ready <= 0; bank <= 0; address <= 0; word <= 0;
                      end
                """;
    }

    private String constraints() {
        var b = new StringBuilder("""
                # ULX3S: the clock, the buttons and the lights.
                BLOCK RESETPATHS;
                BLOCK ASYNCPATHS;
                LOCATE COMP "clk_25mhz" SITE "G2";
                IOBUF PORT "clk_25mhz" PULLMODE=NONE IO_TYPE=LVCMOS33;
                FREQUENCY PORT "clk_25mhz" 25 MHZ;
                LOCATE COMP "wifi_gpio0" SITE "L2";
                IOBUF PORT "wifi_gpio0" PULLMODE=UP IO_TYPE=LVCMOS33 DRIVE=4;
                """);
        List<String> buttons = List.of("D6", "R1", "T1", "R18", "V1", "U1", "H16");
        for (int k = 0; k < buttons.size(); k++) {
            b.append("LOCATE COMP \"btn[%d]\" SITE \"%s\";\n".formatted(k, buttons.get(k)))
                    .append("IOBUF PORT \"btn[%d]\" PULLMODE=%s IO_TYPE=LVCMOS33;\n"
                            .formatted(k, k == 0 ? "UP" : "DOWN"));
        }
        for (int k = 0; k < LIGHTS.size(); k++) {
            b.append("LOCATE COMP \"led[%d]\" SITE \"%s\";\n".formatted(k, LIGHTS.get(k)))
                    .append("IOBUF PORT \"led[%d]\" PULLMODE=NONE IO_TYPE=LVCMOS33 DRIVE=4;\n".formatted(k));
        }
        return b.toString();
    }
}
