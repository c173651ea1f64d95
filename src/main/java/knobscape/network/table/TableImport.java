package knobscape.network.table;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ForeignJson;
import knobscape.evaluate.report.JsonFields;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;
import knobscape.network.Network;
import tools.jackson.databind.JsonNode;

/// Networks from our own kinds of files, told apart by their ending and, for JSON, their `format`.
public final class TableImport {
    private static final int HEAD = 4096;
    private static final List<String> LAYERS = List.of("type", "K", "C");

    private TableImport() {}

    /// The lines of a table that is not packed and of a size that tables have; none for others.
    private static List<String> lines(Path file) {
        boolean plain = file.toString().endsWith(".csv")
                && Files.isRegularFile(file)
                && file.toFile().length() <= LayerTableFiles.LARGEST;
        if (!plain) {
            return List.of();
        }
        try {
            return InputFile.text(file, LayerTableFiles.LARGEST).lines().toList();
        } catch (IOException e) {
            throw new UserError("'" + file + "' cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /// True if a CSV file (packed or not) is a table of layers by its first line: one of ours, or a topology of
    /// SCALE-Sim. What cannot be read is none.
    public static boolean isLayers(Path file) {
        String head = head(file);
        return List.of(head.replace("\"", "").replace("\ufeff", "").split(",", -1))
                        .containsAll(LAYERS)
                || ScaleSimTopology.isOne(List.of(head));
    }

    /// True if a file is a topology of SCALE-Sim, which is one of a single sample.
    public static boolean isTopology(Path file) {
        return ScaleSimTopology.isOne(List.of(head(file)));
    }

    /// The first line of a CSV file; empty where there is none.
    private static String head(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (!name.matches(".*\\.csv(\\.gz)?") || !Files.isRegularFile(file)) {
            return "";
        }
        try (var raw = Files.newInputStream(file);
                InputStream in = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            return new String(in.readNBytes(HEAD), StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    /// Reads a CSV or JSON layer table, or a JSON graph. Throws [UserError] naming file and place of what is
    /// wrong.
    public static ImportedNetwork read(Path file, ImportOptions options) {
        long batch = options.batch().orElse(1);
        if (batch < 1) {
            throw new UserError("A batch of " + batch + " is too small; give 1 or more.");
        }
        if (!file.toString().endsWith(".json")) {
            List<String> lines = lines(file);
            if (ScaleSimTopology.isOne(lines)) {
                return ScaleSimTopology.read(
                        lines,
                        file.toString(),
                        file.getFileName().toString().replaceFirst("\\.csv(\\.gz)?$", ""),
                        batch);
            }
            return new ImportedNetwork(LayerTable.read(file).network(batch), List.of());
        }
        ForeignJson.firstLine(InputFile.required(file, LayerTableFiles.LARGEST)).ifPresent(line -> {
            throw new UserError(file + " is no network but " + ForeignJson.words(line)
                    + "; what other tuners measured is read by: knobscape history --import " + file + ".");
        });
        JsonNode root = JsonFields.read(file, LayerTableFiles.LARGEST).node();
        String name = file.getFileName().toString().replaceFirst("\\.json$", "");
        switch (root.path("format").asString("")) {
            case LayerTableFiles.FORMAT -> {
                return new ImportedNetwork(
                        LayerTableFiles.fromJson(root, file.toString(), name).network(batch), List.of());
            }
            case NetworkJson.FORMAT -> {
                Network network = new NetworkJson().read(root, file.toString());
                var notes = new ArrayList<String>();
                if (options.batch().isPresent() && network.batch() != batch) {
                    notes.add("The batch size is fixed in the file at " + network.batch() + " and stays so.");
                }
                return new ImportedNetwork(network, notes);
            }
            default ->
                throw new UserError(file + " names no format of a network: \"format\" must be \"" + NetworkJson.FORMAT
                        + "\" or \"" + LayerTableFiles.FORMAT + "\"; it looks like " + ForeignJson.words(root) + ".");
        }
    }
}
