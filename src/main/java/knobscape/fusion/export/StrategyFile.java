package knobscape.fusion.export;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.DesignCsv;
import knobscape.evaluate.report.JsonFields;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.space.Strategy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A strategy as a JSON document that is read back exactly, with everything that explains it; and as a CSV
/// table, a row a layer.
///
/// @param accelerator what it was made for, with the buffer
public record StrategyFile(String network, int batch, Accelerator accelerator, Strategy strategy) {
    private static final String FORMAT = "knobscape-fusion";
    private static final int VERSION = 1;
    private static final long LARGEST = 64L << 20;
    private static final Set<String> KEYS = Set.of(
            "format",
            "formatVersion",
            "network",
            "batch",
            "strategy",
            "valid",
            "verdict",
            "latencySeconds",
            "baselineSeconds",
            "speedup",
            "peakBytes",
            "bufferBytes",
            "offChipBytes",
            "onChipBytes",
            "peakGroup",
            "accelerator",
            "groups",
            "proven",
            "lowerBoundSeconds",
            "remark");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// The document of a strategy.
    public static ObjectNode json(FusionCostModel model, Strategy strategy) {
        FusionReport r = model.report(strategy);
        ObjectNode root = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("formatVersion", VERSION)
                .put("network", model.network().name())
                .put("batch", model.batch());
        var entries = root.putArray("strategy");
        for (int v : strategy.toArray()) {
            entries.add(v);
        }
        root.put("valid", r.isValid())
                .put("verdict", r.verdict())
                .put("latencySeconds", r.cost().seconds())
                .put("baselineSeconds", r.baselineSeconds())
                .put("speedup", r.speedup())
                .put("peakBytes", r.cost().peakBytes())
                .put("bufferBytes", r.budgetBytes())
                .put("offChipBytes", r.cost().offChipBytes())
                .put("onChipBytes", r.cost().onChipBytes())
                .put("peakGroup", r.peakGroup() + 1);
        root.set("accelerator", AcceleratorFile.json(model.accelerator()));
        var groups = root.putArray("groups");
        for (FusionReport.Group g : r.groups()) {
            ObjectNode group = groups.addObject()
                    .put("first", g.first())
                    .put("last", g.last())
                    .put("seconds", g.cost().seconds())
                    .put("peakBytes", g.cost().peakBytes())
                    .put("offChipBytes", g.cost().offChipBytes())
                    .put("onChipBytes", g.cost().onChipBytes())
                    .put("weightBytes", g.weightBytes())
                    .put("weightsFit", g.weightsFit());
            var layers = group.putArray("layers");
            for (FusionReport.Layer l : g.layers()) {
                layers.addObject()
                        .put("layer", l.index())
                        .put("name", l.name())
                        .put("microBatch", l.microBatch())
                        .put("launches", l.launches())
                        .put("seconds", l.seconds())
                        .put("computeSeconds", l.times().computeSeconds())
                        .put("offChipSeconds", l.times().offChipSeconds())
                        .put("onChipSeconds", l.times().onChipSeconds())
                        .put("launchSeconds", l.times().launchSeconds())
                        .put("offChipBytes", l.traffic().offChipBytes())
                        .put("onChipBytes", l.traffic().onChipBytes())
                        .put("stagedBytes", l.stagedBytes())
                        .put("bound", JsonFields.word(l.bound()));
            }
        }
        return root;
    }

    /// The document as text.
    public static String text(FusionCostModel model, Strategy strategy) {
        return text(json(model, strategy));
    }

    /// A document as text.
    public static String text(ObjectNode document) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
    }

    /// Reads a document back. Throws [UserError] naming file and key of what is wrong. The figures in it are
    /// not taken over: whoever needs them asks a cost model.
    public static StrategyFile read(Path file) {
        JsonFields f = JsonFields.read(file, LARGEST);
        f.checkFormat(FORMAT, VERSION);
        f.onlyKnown(KEYS);
        long batch = f.whole("batch").orElseThrow(() -> missing(f, "batch"));
        if (batch < 1 || batch > FusionCostModel.MAX_BATCH) {
            throw f.wrong("batch", "1 to " + FusionCostModel.MAX_BATCH);
        }
        JsonNode entries = f.get("strategy").orElseThrow(() -> missing(f, "strategy"));
        if (!entries.isArray() || !entries.valueStream().allMatch(v -> v.isIntegralNumber() && v.canConvertToInt())) {
            throw f.wrong("strategy", "a list of whole numbers");
        }
        Accelerator accelerator =
                AcceleratorFile.of(f.object("accelerator").orElseThrow(() -> missing(f, "accelerator")));
        try {
            Strategy strategy = Strategy.of(
                    entries.valueStream().mapToInt(JsonNode::intValue).toArray());
            if (strategy.largest() > batch) {
                throw new UserError(file + ": strategy has a micro-batch of " + strategy.largest()
                        + ", more than the batch of " + batch + ".");
            }
            return new StrategyFile(f.text("network").orElse(""), (int) batch, accelerator, strategy);
        } catch (IllegalArgumentException e) {
            throw new UserError(file + ": " + e.getMessage() + ".", e);
        }
    }

    private static UserError missing(JsonFields f, String key) {
        return new UserError(f.file() + " has no " + key + ", which a fusion strategy needs.");
    }

    /// A row a layer, the network's input as row 0 (RFC 4180).
    public static String csv(FusionCostModel model, Strategy strategy) {
        FusionReport r = model.report(strategy);
        var b = new StringBuilder(
                "layer,name,micro_batch,group,launches,seconds,compute_seconds,off_chip_seconds,on_chip_seconds,launch_seconds,off_chip_bytes,on_chip_bytes,staged_bytes,bound\r\n");
        b.append("0,input,").append(strategy.get(0)).append(",,,,,,,,,,,\r\n");
        for (int g = 0; g < r.groups().size(); g++) {
            for (FusionReport.Layer l : r.groups().get(g).layers()) {
                b.append(String.format(
                        Locale.ROOT,
                        "%d,%s,%d,%d,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d,%d,%s\r\n",
                        l.index(),
                        DesignCsv.cell(l.name()),
                        strategy.get(l.index()),
                        g + 1,
                        l.launches(),
                        l.seconds(),
                        l.times().computeSeconds(),
                        l.times().offChipSeconds(),
                        l.times().onChipSeconds(),
                        l.times().launchSeconds(),
                        l.traffic().offChipBytes(),
                        l.traffic().onChipBytes(),
                        l.stagedBytes(),
                        JsonFields.word(l.bound())));
            }
        }
        return b.toString();
    }

    /// Why the strategy cannot be used for a model, or empty.
    public Optional<String> mismatch(FusionCostModel model) {
        if (strategy.layers() != model.layers()) {
            return Optional.of("it is for " + strategy.layers() + " layers, and '"
                    + model.network().name() + "' has " + model.layers());
        }
        return strategy.largest() > model.batch()
                ? Optional.of(
                        "its micro-batches go up to " + strategy.largest() + ", and the batch is " + model.batch())
                : Optional.empty();
    }
}
