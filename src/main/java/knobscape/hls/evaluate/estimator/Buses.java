package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// AXI ports of the top function: what its INTERFACE pragmas say, and what the tool's flow does without them.
///
/// A request waits `latency` cycles as the pragma or the flow says, and 6 more until the first word is there, 4 more
/// until a write is answered (of a report of Vitis HLS 2021.2, kernel flow: 70 and 68 states of 64; a latency of 0
/// counts as 1). Each port reads a word and writes a word per cycle, of one argument after the other. Areas of slaves
/// are lines through those with 96 and 224 bits of registers; what synthesis makes of areas was not published and is
/// taken to be the same.
final class Buses {
    /// Bits of the widest port.
    static final int WIDEST = 1024;

    private static final int READ_STATES = 6;
    private static final int RESPONSE_STATES = 4;
    /// Words that a block RAM holds at the most bits.
    private static final int BLOCK_WORDS = 512;
    /// Bits that a word in a buffer has beside its data.
    private static final int MARKS = 2;
    private static final String DEFAULT_BUNDLE = "gmem";

    private final List<Port> ports = new ArrayList<>();
    private final Map<String, Integer> portOf = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final int slaveBits;
    private final Adapter adapter;

    /// Hardware of a port, as reports of several versions of the tool say: lines over the bits of its words, and block
    /// RAMs of its buffers.
    ///
    /// @param blocks block RAMs for each `blockBits` of a word in each direction
    private record Adapter(double ff, double ffPerBit, double lut, double lutPerBit, int blocks, int blockBits) {
        /// Vivado HLS 2019.2 and Vitis HLS 2020.2: 32 bits 512 FF 580 LUT, 512 bits 1415 FF 1585 LUT.
        static final Adapter OLD = new Adapter(452, 1.88, 513, 2.09, 1, 36);
        /// Vitis HLS 2021.2: 32 bits 566 FF 766 LUT, 256 bits 881 FF 1052 LUT.
        static final Adapter OF_2021 = new Adapter(521, 1.406, 725, 1.277, 2, 72);
        /// Vitis HLS 2022.1 and 2022.2: 32 bits 754 FF 1438 LUT, 256 bits 1079 FF 1746 LUT, 512 bits 1613 FF 2279 LUT.
        static final Adapter OF_2022 = new Adapter(700, 1.7, 1394, 1.6, 0, 72);
        /// Vitis HLS 2023.2: 32 bits 696 FF 720 LUT, 128 bits 1181 FF 1117 LUT, 512 bits 3521 FF 2695 LUT.
        static final Adapter OF_2023 = new Adapter(520, 5.8, 640, 4, 1, 36);
        /// Vitis HLS 2025.1: 32 bits 673 FF 636 LUT, 128 bits 770 FF 839 LUT.
        static final Adapter OF_2025 = new Adapter(640, 1.02, 568, 2.12, 1, 36);

        /// An unknown version of Vitis HLS counts as 2021.2.
        static Adapter of(EstimatorSettings settings) {
            int year = settings.unasked().year();
            if (settings.profile() == ToolProfile.VIVADO_HLS_2018 || year == 2020) {
                return OLD;
            }
            return year >= 2025 ? OF_2025 : year >= 2023 ? OF_2023 : year == 2022 ? OF_2022 : OF_2021;
        }

        double blockRams(double bits, Window read, Window write) {
            return blocks * Math.ceil((bits + MARKS) / blockBits) * (deep(read) + deep(write));
        }

        private static long deep(Window window) {
            return Math.max(1, Layout.ceilDiv(window.words(), BLOCK_WORDS));
        }
    }

    /// A master.
    ///
    /// @param name of the bundle
    /// @param widest bits up to which neighbouring elements are joined to a word
    /// @param elementBits bits of the widest element behind it
    record Port(String name, int widest, int elementBits, Channel read, Channel write) {}

    /// One direction of a master.
    ///
    /// @param states from a request to read until the first word comes, from the last word written to its answer
    /// @param window what may be under way at once
    /// @param single a request, a word and, where it is written, the answer
    /// @param beat a word of a burst
    record Channel(int states, Window window, FunctionalUnit single, FunctionalUnit beat) {}

    /// The bursts that a port keeps under way.
    ///
    /// @param requests that may wait for their answers at once
    /// @param length of the longest burst in words
    record Window(long requests, long length) {
        /// Words in the port's buffer.
        long words() {
            return requests * length;
        }

        /// Cycles by which `words` words come later than one a cycle: a request is only made when the one so many
        /// before it has got its last word. A burst is at most 256 words and 4 KB long (AXI4).
        ///
        /// @param states from a request to its first word, or from the last word to its answer
        /// @param bits of a word
        double stall(double words, int states, double bits) {
            double longest = Math.max(1, Math.min(Math.min(length, 256), Math.floor(4096 * 8 / Math.max(8, bits))));
            double lacking = states + longest - requests * longest;
            double rounds = Math.floor((Math.ceil(words / longest) - 1) / requests);
            return Math.max(0, rounds) * Math.max(0, lacking);
        }
    }

    /// An argument of a compiled top behind a master.
    ///
    /// @param name key by which [#of(String)] finds it
    /// @param elementBits of one element
    /// @param options of its INTERFACE pragma
    record Master(String name, int elementBits, Map<String, String> options) {}

    /// @param masters arguments behind masters
    /// @param scalarBits of numbers that come over the AXI slave
    Buses(List<Master> masters, int scalarBits, EstimatorSettings settings) {
        var byBundle = new TreeMap<String, List<Master>>();
        int bits = scalarBits;
        for (Master m : masters) {
            byBundle.computeIfAbsent(bundle(m.options()), _ -> new ArrayList<>())
                    .add(m);
            String offset = m.options().getOrDefault("offset", "slave");
            bits += offset.equals("off") || offset.equals("direct") ? 0 : 64;
        }
        byBundle.forEach((bundle, of) -> {
            of.forEach(m -> portOf.put(m.name(), ports.size()));
            Port port = port(
                    bundle,
                    of.stream().mapToInt(Master::elementBits).max().orElse(32),
                    of.stream().map(Master::options).toList(),
                    settings);
            ports.add(port);
            notes.add(note(port, of.stream().map(Master::name).collect(Collectors.joining(", "))));
        });
        slaveBits = bits;
        adapter = Adapter.of(settings);
    }

    /// Name of the port that the options of an INTERFACE pragma choose.
    static String bundle(Map<String, String> options) {
        return options.getOrDefault("bundle", DEFAULT_BUNDLE);
    }

    private static String note(Port port, String arguments) {
        return "AXI master port " + port.name() + " serves " + arguments + "; a request is taken to wait "
                + port.read().states() + " cycles for its first word, and memory to keep up";
    }

    private static Port port(
            String bundle, int elementBits, List<Map<String, String>> pragmas, EstimatorSettings settings) {
        int latency = Math.clamp(most(pragmas, "latency", settings.profile().masterLatency()), 1, 100_000);
        int request = latency + READ_STATES;
        int response = latency + RESPONSE_STATES;
        // Words are joined where pointers are known to be aligned, which the other flow does not assume
        // (`m_axi_alignment_byte_size`, UG1399).
        int flow = settings.profile().widestMaster();
        int widest = flow > 0 ? (int) most(pragmas, "max_widen_bitwidth", flow) : 0;
        double budget = settings.budgetNs();
        return new Port(
                bundle,
                widest,
                elementBits,
                new Channel(
                        request,
                        window(pragmas, "num_read_outstanding", "max_read_burst_length"),
                        access("axi.read", request + 1, budget),
                        access("axi.readbeat", 1, budget)),
                new Channel(
                        response,
                        window(pragmas, "num_write_outstanding", "max_write_burst_length"),
                        access("axi.write", 2 + response, budget),
                        access("axi.writebeat", 1, budget)));
    }

    private static Window window(List<Map<String, String>> pragmas, String requests, String length) {
        return new Window(Math.max(1, most(pragmas, requests, 16)), Math.max(1, most(pragmas, length, 16)));
    }

    /// The largest number that the pragmas of a bundle give an option.
    private static long most(List<Map<String, String>> pragmas, String option, int otherwise) {
        return pragmas.stream()
                .map(p -> p.getOrDefault(option, ""))
                .filter(t -> t.matches("\\d{1,6}"))
                .mapToLong(Long::parseLong)
                .max()
                .orElse(otherwise);
    }

    /// The scheduler gives each word a state of its own.
    private static FunctionalUnit access(String name, int states, double budget) {
        return new FunctionalUnit(-1, name, states, budget, 0, FunctionalUnit.Area.NONE, 0, -1, 1);
    }

    /// The assumptions about the buses, a sentence each.
    List<String> notes() {
        return notes;
    }

    /// Masters.
    List<Port> ports() {
        return ports;
    }

    /// Master of an argument of a compiled top by index, -1 for none.
    int of(String argument) {
        return portOf.getOrDefault(argument, -1);
    }

    /// Adds the adapters; returns their block RAMs (18 Kbit).
    ///
    /// @param arrays all of the kernel
    double addTo(Usage u, List<Layout.Store> arrays) {
        double blocks = 0;
        for (int p = 0; p < ports.size(); p++) {
            Port port = ports.get(p);
            double bits = port.elementBits();
            for (Layout.Store s : arrays) {
                bits = s.bus() == p ? Math.max(bits, u.joinedBits[s.id()]) : bits;
            }
            add(u, adapter.ff() + adapter.ffPerBit() * bits, adapter.lut() + adapter.lutPerBit() * bits);
            blocks += adapter.blockRams(bits, port.read().window(), port.write().window());
        }
        if (slaveBits > 0) {
            add(u, 34 + 1.148 * slaveBits, 38 + 2.016 * slaveBits);
        }
        return blocks;
    }

    private static void add(Usage u, double ff, double lut) {
        u.reportedFf += ff;
        u.realFf += ff;
        u.reportedLut += lut;
        u.realLut += lut;
    }
}
