package knobscape.fusion.source;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Accelerators as JSON files.
///
/// ```json
/// {"format": "knobscape-accelerator", "formatVersion": 1, "name": "edge", "pes": 1024, "macsPerPe": 4096,
/// "frequencyGHz": 1.0, "offChipGBps": 900, "onChipGBps": 9000,
///  "buffer": "64MB", "weightCapacity": "64MB", "launchCycles": 250, "bytesPerElement": 1,
///  "model": {"memoryTime": "serial", "lastMicroBatch": "short", "networkInput": "free", "residuals": "free",
/// "execution": "interleaved"}}
/// ```
///
/// `pes`, `frequencyGHz`, `offChipGBps`, `onChipGBps` and `buffer` are needed; the rest has the values of
/// [Accelerator#calibrated()], but one MAC per PE and cycle. A `.yaml` file is hardware of ZigZag or Stream.
public final class AcceleratorFile {
    /// Name of the file in a project folder.
    public static final String FILE_NAME = "accelerator.json";
    private static final String FORMAT = "knobscape-accelerator";
    private static final int VERSION = 1;
    private static final long LARGEST = 1 << 20;
    private static final double GIGA = 1e9;
    private static final double PICO = 1e-12;
    private static final Set<String> KEYS = Set.of(
            "format",
            "formatVersion",
            "name",
            "description",
            "pes",
            "macsPerPe",
            "frequencyGHz",
            "offChipGBps",
            "onChipGBps",
            "buffer",
            "weightCapacity",
            "launchCycles",
            "bytesPerElement",
            "model",
            "array",
            "bits",
            "energy",
            "doubleBuffered",
            "perLayerTime",
            "columnStripes",
            "onlineSoftmax",
            "source");
    private static final Set<String> MODEL_KEYS =
            Set.of("memoryTime", "lastMicroBatch", "networkInput", "residuals", "execution");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private AcceleratorFile() {}

    /// A preset's name (`calibrated`, `paper-literal`) or the file that `text` names. Throws [UserError] where
    /// it is neither.
    public static Accelerator named(String text, Path here) {
        Optional<Accelerator> preset = Accelerator.preset(text);
        if (preset.isPresent()) {
            return preset.get();
        }
        Path file;
        try {
            file = here.resolve(text);
        } catch (java.nio.file.InvalidPathException e) {
            throw new UserError(
                    "'" + text + "' is neither a file nor one of the accelerators " + Accelerator.presetNames() + ".",
                    e);
        }
        if (!java.nio.file.Files.exists(file)) {
            throw new UserError(
                    "There is no file '" + text + "', and no accelerator of that name is built in; built in are "
                            + Accelerator.presetNames() + ".");
        }
        return read(file);
    }

    /// Reads a file. Throws [UserError] naming file and key where it is malformed or describes an accelerator
    /// that cannot be.
    public static Accelerator read(Path file) {
        if (file.toString().endsWith(".yaml") || file.toString().endsWith(".yml")) {
            return ZigzagHardware.read(file);
        }
        return of(JsonFields.read(file, LARGEST));
    }

    /// Reads the outermost object of such a file.
    public static Accelerator of(JsonFields f) {
        f.checkFormat(FORMAT, VERSION);
        f.onlyKnown(KEYS);
        Accelerator d = Accelerator.calibrated();
        try {
            int bytes = count(f, "bytesPerElement", Optional.of(d.bytesPerElement()));
            return new Accelerator(
                            f.text("name").orElse("accelerator"),
                            count(f, "pes", Optional.empty()),
                            f.number("macsPerPe").orElse(1.0),
                            needed(f, "frequencyGHz") * GIGA,
                            needed(f, "offChipGBps") * GIGA,
                            needed(f, "onChipGBps") * GIGA,
                            size(f, "buffer", Optional.empty()),
                            size(f, "weightCapacity", Optional.of(d.weightBytes())),
                            f.number("launchCycles").orElse(d.launchCycles()),
                            bytes,
                            options(f))
                    .with(hardware(f, Accelerator.Hardware.plain(bytes)));
        } catch (IllegalArgumentException e) {
            throw new UserError(f.file() + ": " + e.getMessage() + ".", e);
        }
    }

    private static Accelerator.Hardware hardware(JsonFields f, Accelerator.Hardware d) {
        Optional<StripMachine.Unrolling> array = f.object("array").map(a -> {
            a.onlyKnown(Set.of("K", "C", "X", "Y"));
            Optional<Integer> one = Optional.of(1);
            return new StripMachine.Unrolling(
                    count(a, "K", one), count(a, "C", one), count(a, "X", one), count(a, "Y", one));
        });
        StripMachine.Widths widths = f.object("bits")
                .map(w -> {
                    w.onlyKnown(Set.of("activation", "weight", "cache"));
                    int activation =
                            count(w, "activation", Optional.of(d.widths().activation()));
                    return new StripMachine.Widths(
                            activation,
                            count(w, "weight", Optional.of(d.widths().weight())),
                            count(w, "cache", Optional.of(activation)));
                })
                .orElse(d.widths());
        StripMachine.Energy energy = f.object("energy")
                .map(e -> {
                    e.onlyKnown(Set.of("macPj", "offChipPjPerByte", "onChipPjPerByte"));
                    return new StripMachine.Energy(
                            e.number("macPj")
                                    .map(v -> v * PICO)
                                    .orElse(d.energy().mac()),
                            e.number("offChipPjPerByte")
                                    .map(v -> v * PICO)
                                    .orElse(d.energy().offByte()),
                            e.number("onChipPjPerByte")
                                    .map(v -> v * PICO)
                                    .orElse(d.energy().onByte()));
                })
                .orElse(d.energy());
        StripMachine.Counting c = d.counting();
        return new Accelerator.Hardware(
                array,
                widths,
                energy,
                new StripMachine.Counting(
                        f.flag("doubleBuffered", c.doubleBuffered()),
                        f.flag("onlineSoftmax", c.onlineSoftmax()),
                        f.flag("perLayerTime", c.perLayer()),
                        count(f, "columnStripes", Optional.of(c.columns()))),
                f.text("source").orElse(d.source()));
    }

    private static CostOptions options(JsonFields f) {
        CostOptions d = CostOptions.defaults();
        Optional<JsonFields> m = f.object("model");
        if (m.isEmpty()) {
            return d;
        }
        JsonFields o = m.get();
        o.onlyKnown(MODEL_KEYS);
        return new CostOptions(
                o.choice("memoryTime", CostOptions.MemoryTime.class).orElse(d.memoryTime()),
                o.choice("lastMicroBatch", CostOptions.LastMicroBatch.class).orElse(d.lastMicroBatch()),
                o.choice("networkInput", CostOptions.NetworkInput.class).orElse(d.networkInput()),
                o.choice("residuals", CostOptions.Residuals.class).orElse(d.residuals()),
                o.choice("execution", CostOptions.Execution.class).orElse(d.execution()));
    }

    private static double needed(JsonFields f, String key) {
        return f.number(key).orElseThrow(() -> missing(f, key));
    }

    private static int count(JsonFields f, String key, Optional<Integer> otherwise) {
        long v = f.whole(key).or(() -> otherwise.map(Integer::longValue)).orElseThrow(() -> missing(f, key));
        if (v < 1 || v > Integer.MAX_VALUE) {
            throw f.wrong(key, "a count from 1");
        }
        return (int) v;
    }

    private static long size(JsonFields f, String key, Optional<Long> otherwise) {
        return f.text(key)
                .map(text -> {
                    try {
                        return ByteSize.parse(text);
                    } catch (IllegalArgumentException e) {
                        throw new UserError(f.file() + ": " + key + ": " + e.getMessage() + ".", e);
                    }
                })
                .or(() -> otherwise)
                .orElseThrow(() -> missing(f, key));
    }

    private static UserError missing(JsonFields f, String key) {
        return new UserError(f.file() + " has no " + key + ", which an accelerator needs.");
    }

    /// The number that times 10^-12 gives exactly `value`, where there is one.
    private static double pico(double value) {
        double p = value / PICO;
        for (double near : new double[] {Math.rint(p * 1000) / 1000, p, Math.nextUp(p), Math.nextDown(p)}) {
            if (near * PICO == value) {
                return near;
            }
        }
        return p;
    }

    /// The number that times 10^9 gives exactly `value`, where there is one.
    private static double giga(double value) {
        double g = value / GIGA;
        for (double near : new double[] {g, Math.nextUp(g), Math.nextDown(g)}) {
            if (near * GIGA == value) {
                return near;
            }
        }
        return g;
    }

    /// The document of an accelerator; [#of] reads it back exactly.
    public static ObjectNode json(Accelerator a) {
        ObjectNode root = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("formatVersion", VERSION)
                .put("name", a.name())
                .put("pes", a.pes())
                .put("macsPerPe", a.macsPerPe())
                .put("frequencyGHz", giga(a.frequencyHz()))
                .put("offChipGBps", giga(a.offChipBandwidth()))
                .put("onChipGBps", giga(a.onChipBandwidth()))
                .put("buffer", ByteSize.text(a.bufferBytes()))
                .put("weightCapacity", ByteSize.text(a.weightBytes()))
                .put("launchCycles", a.launchCycles())
                .put("bytesPerElement", a.bytesPerElement());
        Accelerator.Hardware h = a.hardware();
        Accelerator.Hardware plain = Accelerator.Hardware.plain(a.bytesPerElement());
        h.array()
                .ifPresent(u -> root.putObject("array")
                        .put("K", u.k())
                        .put("C", u.c())
                        .put("X", u.x())
                        .put("Y", u.y()));
        if (!h.widths().equals(plain.widths())) {
            root.putObject("bits")
                    .put("activation", h.widths().activation())
                    .put("weight", h.widths().weight())
                    .put("cache", h.widths().cache());
        }
        if (!h.energy().equals(plain.energy())) {
            root.putObject("energy")
                    .put("macPj", pico(h.energy().mac()))
                    .put("offChipPjPerByte", pico(h.energy().offByte()))
                    .put("onChipPjPerByte", pico(h.energy().onByte()));
        }
        if (!h.counting().equals(plain.counting())) {
            root.put("doubleBuffered", h.counting().doubleBuffered())
                    .put("onlineSoftmax", h.counting().onlineSoftmax())
                    .put("perLayerTime", h.counting().perLayer())
                    .put("columnStripes", h.counting().columns());
        }
        if (!h.source().isEmpty()) {
            root.put("source", h.source());
        }
        CostOptions o = a.options();
        root.putObject("model")
                .put("memoryTime", JsonFields.word(o.memoryTime()))
                .put("lastMicroBatch", JsonFields.word(o.lastMicroBatch()))
                .put("networkInput", JsonFields.word(o.networkInput()))
                .put("residuals", JsonFields.word(o.residuals()))
                .put("execution", JsonFields.word(o.execution()));
        return root;
    }
}
