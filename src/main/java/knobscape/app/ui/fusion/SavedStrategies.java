package knobscape.app.ui.fusion;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The strategies that a person kept by hand, as a file beside the runs of the network's project.
final class SavedStrategies {
    private static final String FILE = "strategies.json";
    private static final String LIST = "strategies";
    private static final int MOST = 500;
    private static final long LARGEST = 16L << 20;

    private SavedStrategies() {}

    /// A strategy with where it comes from and the buffer it was kept for.
    record SavedStrategy(String origin, long bufferBytes, Strategy strategy) {}

    /// Those of the table that a person made.
    static List<SavedStrategy> of(List<Candidate> candidates) {
        return candidates.stream()
                .map(c -> new SavedStrategy(c.origin(), c.target(), c.strategy()))
                .toList();
    }

    /// Reads what was kept of a network; those of another one are left out. Throws [UserError] where the file
    /// is damaged.
    static List<SavedStrategy> read(Path folder, FusionCostModel model) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return List.of();
        }
        JsonFields all = JsonFields.read(file, LARGEST);
        JsonNode list =
                all.get(LIST).filter(JsonNode::isArray).orElseThrow(() -> all.wrong(LIST, "a list of strategies"));
        var kept = new ArrayList<SavedStrategy>();
        for (JsonNode k : list) {
            try {
                Strategy s = Strategy.parse(k.path("strategy").asString(""));
                if (s.layers() == model.layers()) {
                    kept.add(new SavedStrategy(
                            k.path("origin").asString(""), k.path("buffer").asLong(model.budget()), s));
                }
            } catch (IllegalArgumentException e) {
                throw new UserError(file + ": " + e.getMessage() + ".", e);
            }
        }
        return kept.subList(Math.max(0, kept.size() - MOST), kept.size());
    }

    /// Writes them.
    static void write(Path folder, List<SavedStrategy> kept) {
        var root = JsonMapper.shared().createObjectNode();
        var list = root.putArray(LIST);
        kept.forEach(k -> list.addObject()
                .put("origin", k.origin())
                .put("buffer", k.bufferBytes())
                .put("strategy", k.strategy().text()));
        FileOutput.write(folder.resolve(FILE), root.toPrettyString() + "\n");
    }
}
