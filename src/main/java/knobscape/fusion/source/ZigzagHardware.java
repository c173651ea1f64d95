package knobscape.fusion.source;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.evaluate.YamlNode.Keys;

/// Hardware of ZigZag (`memories:`, `operational_array:`) and Stream (`cores:`, each such a file) as an accelerator.
///
/// The outermost memory is off chip. The buffer is what holds each operand next to it and serves the whole array; where
/// operands have memories of their own these are taken together. Cores of Stream are taken as one array with one
/// buffer.
/// The files count cycles: 1 GHz is taken. Register files are not read.
final class ZigzagHardware {
    private static final long LARGEST = 1 << 20;
    private static final int MOST_PORTS = 64;
    private static final int MOST_CORES = 1_024;
    private static final double GIGAHERTZ = 1e9;
    private static final long ENDLESS = 1_000_000_000_000_000L;
    private static final double PICO = 1e-12;
    private static final List<String> OPERANDS = List.of("I1", "I2", "O");

    /// A memory.
    ///
    /// @param bytes its size
    /// @param width bytes of all ports in a cycle
    /// @param joules of a byte, mean of reading and writing
    /// @param served dimensions of the array that share it
    private record Store(long bytes, double width, double joules, Set<String> operands, int served) {}

    /// A core.
    ///
    /// @param macs multiply-accumulates in a cycle
    /// @param dims dimensions of the array
    /// @param joules of a multiply-accumulate
    private record Core(String name, long macs, int dims, double joules, List<Store> stores) {}

    private final Path file;

    private ZigzagHardware(Path file) {
        this.file = file;
    }

    /// Reads a file. Throws [UserError] naming file and line of what is wrong.
    static Accelerator read(Path file) {
        return new ZigzagHardware(file).accelerator();
    }

    private static Keys root(Path file) {
        try {
            return YamlNode.keys(
                    file.toString(),
                    YamlNode.parseLenient(file.toString(), InputFile.text(file, LARGEST), "hardware file"));
        } catch (IOException e) {
            throw new UserError("'" + file + "' cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private Accelerator accelerator() {
        Keys root = root(file);
        var compute = new ArrayList<Core>();
        Optional<Store> off;
        if (root.values().get("cores") instanceof Keys cores) {
            off = cores(root, cores, compute);
        } else {
            Core only = core(file, root);
            if (only.stores().size() < 2) {
                throw YamlNode.error(file.toString(), root.line(), "a memory off chip and one on chip are wanted");
            }
            off = Optional.of(only.stores().getLast());
            compute.add(new Core(
                    only.name(),
                    only.macs(),
                    only.dims(),
                    only.joules(),
                    only.stores().subList(0, only.stores().size() - 1)));
        }
        compute.removeIf(c -> c.macs() < 1);
        Store outside = off.orElseThrow(() -> YamlNode.error(
                file.toString(), root.line(), "no off-chip core with a memory is named ('offchip_core_id')"));
        var buffers = compute.stream()
                .map(ZigzagHardware::buffers)
                .flatMap(Set::stream)
                .toList();
        if (compute.isEmpty() || buffers.isEmpty()) {
            throw YamlNode.error(file.toString(), root.line(), "no array with a buffer beside it is described");
        }
        long macs = compute.stream().mapToLong(Core::macs).sum();
        long bytes = buffers.stream().mapToLong(Store::bytes).sum();
        double width = buffers.stream().mapToDouble(Store::width).sum();
        String name =
                root.values().get("name") instanceof YamlNode.Text t ? t.text() : String.valueOf(file.getFileName());
        var energy = new StripMachine.Energy(
                compute.getFirst().joules(),
                outside.joules(),
                buffers.stream().mapToDouble(Store::joules).max().orElse(0));
        Accelerator.Hardware plain = Accelerator.Hardware.plain(1);
        try {
            return new Accelerator(
                            name,
                            Math.toIntExact(macs),
                            1,
                            GIGAHERTZ,
                            outside.width() * GIGAHERTZ,
                            Math.max(width, outside.width()) * GIGAHERTZ,
                            bytes,
                            bytes,
                            0,
                            1,
                            CostOptions.defaults())
                    .with(new Accelerator.Hardware(
                            Optional.empty(),
                            plain.widths(),
                            energy,
                            plain.counting(),
                            "read from " + file.getFileName() + " (ZigZag or Stream): 1 GHz is taken, " + compute.size()
                                    + (compute.size() == 1 ? " core, " : " cores taken together, ") + buffers.size()
                                    + (buffers.size() == 1 ? " buffer" : " buffers taken together")
                                    + "; register files and the mapping are not read"));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new UserError(file + ": " + e.getMessage() + ".", e);
        }
    }

    /// The cores of a Stream file.
    ///
    /// @return the memory of the core that is off chip
    private Optional<Store> cores(Keys root, Keys cores, List<Core> compute) {
        String outside = root.values().get("offchip_core_id") instanceof YamlNode.Text t
                ? t.text().strip()
                : "";
        if (cores.values().size() > MOST_CORES) {
            throw YamlNode.error(file.toString(), cores.line(), "more than " + MOST_CORES + " cores");
        }
        Path folder = Optional.ofNullable(file.toAbsolutePath().normalize().getParent())
                .orElse(Path.of("/"));
        var read = new java.util.HashMap<Path, Core>();
        Optional<Store> off = Optional.empty();
        for (Map.Entry<String, YamlNode> c : cores.values().entrySet()) {
            String text = YamlNode.word(file.toString(), c.getValue());
            Path at;
            try {
                at = folder.resolve(text).normalize();
            } catch (InvalidPathException e) {
                throw YamlNode.error(file.toString(), c.getValue().line(), "'" + text + "' is no file name");
            }
            if (!at.toFile().exists()) {
                // Files written for Stream's own folders name cores without theirs, or from the root of its sources.
                at = folder.resolve("cores")
                        .resolve(text.substring(text.lastIndexOf('/') + 1))
                        .normalize();
            }
            if (!at.startsWith(folder)) {
                throw YamlNode.error(
                        file.toString(), c.getValue().line(), "'" + text + "' lies outside the folder of this file");
            }
            Core core = read.computeIfAbsent(at, p -> core(p, root(p)));
            if (c.getKey().equals(outside)) {
                off = core.stores().isEmpty()
                        ? Optional.empty()
                        : Optional.of(core.stores().getLast());
            } else if (core.stores().stream().anyMatch(s -> s.operands().size() > 1) && core.dims() > 1) {
                compute.add(core);
            }
        }
        return off;
    }

    private static Core core(Path at, Keys root) {
        String file = at.toString();
        Keys array = YamlNode.keys(file, YamlNode.needed(file, root, "operational_array"));
        long macs = 1;
        List<YamlNode> sizes = YamlNode.list(file, YamlNode.needed(file, array, "sizes"));
        for (YamlNode s : sizes) {
            String text = YamlNode.word(file, s);
            macs = Math.multiplyExact(macs, text.matches("0+") ? 0 : YamlNode.count(file, s));
            if (macs > Integer.MAX_VALUE) {
                throw YamlNode.error(file, s.line(), "an array of more than 2 147 483 647 elements");
            }
        }
        var stores = new ArrayList<Store>();
        if (root.values().get("memories") instanceof Keys memories) {
            for (YamlNode m : memories.values().values()) {
                stores.add(store(file, YamlNode.keys(file, m)));
            }
        }
        double unit = 0;
        for (String key : List.of("unit_energy", "multiplier_energy")) {
            if (array.values().containsKey(key)) {
                unit = number(file, YamlNode.needed(file, array, key)) * PICO;
            }
        }
        return new Core(
                root.values().get("name") instanceof YamlNode.Text t ? t.text() : file,
                macs,
                sizes.size(),
                unit,
                stores);
    }

    private static Store store(String file, Keys m) {
        YamlNode size = YamlNode.needed(file, m, "size");
        // Memories without end are written with more digits than any has.
        boolean endless = size instanceof YamlNode.Text t && t.text().matches("[1-9][\\d_]{15,}");
        long bits = endless ? ENDLESS : YamlNode.count(file, size);
        double width = 0;
        double widest = 1;
        for (double bandwidth : bandwidths(file, m)) {
            width += bandwidth / 8;
            widest = Math.max(widest, bandwidth);
        }
        double access =
                (number(file, YamlNode.needed(file, m, "r_cost")) + number(file, YamlNode.needed(file, m, "w_cost")))
                        / 2
                        * PICO;
        var operands = new LinkedHashSet<String>();
        YamlNode.list(file, YamlNode.needed(file, m, "operands")).forEach(o -> operands.add(YamlNode.word(file, o)));
        int served = m.values().get("served_dimensions") instanceof YamlNode.Items d
                ? d.items().size()
                : 0;
        return new Store(Math.max(1, bits / 8), width, access * 8 / widest, operands, served);
    }

    /// Bits a cycle of every port; older files count ports that are alike.
    private static List<Double> bandwidths(String file, Keys m) {
        var all = new ArrayList<Double>();
        if (m.values().containsKey("r_bw")) {
            double reads = number(file, YamlNode.needed(file, m, "r_bw"));
            double writes = number(file, YamlNode.needed(file, m, "w_bw"));
            all.addAll(Collections.nCopies(ports(file, m, "r_port"), reads));
            all.addAll(Collections.nCopies(ports(file, m, "w_port"), writes));
            all.addAll(Collections.nCopies(ports(file, m, "rw_port"), Math.max(reads, writes)));
            return all;
        }
        for (YamlNode p : YamlNode.list(file, YamlNode.needed(file, m, "ports"))) {
            all.add((double) YamlNode.count(file, YamlNode.needed(file, YamlNode.keys(file, p), "bandwidth_max")));
        }
        return all;
    }

    private static int ports(String file, Keys m, String kind) {
        return m.values().containsKey(kind)
                ? (int) Math.min(MOST_PORTS, number(file, YamlNode.needed(file, m, kind)))
                : 0;
    }

    /// The memories that hold the operands next to what is off chip.
    private static Set<Store> buffers(Core c) {
        var buffers = new LinkedHashSet<Store>();
        for (String operand : OPERANDS) {
            c.stores().reversed().stream()
                    .filter(s -> s.operands().contains(operand) && s.served() == c.dims())
                    .findFirst()
                    .ifPresent(buffers::add);
        }
        return buffers;
    }

    private static double number(String file, YamlNode n) {
        String text = YamlNode.word(file, n);
        try {
            double v = Double.parseDouble(text.replace("_", ""));
            if (v >= 0 && v < 1e12) {
                return v;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw YamlNode.error(file, n.line(), "'" + text + "' is no number from 0");
    }
}
