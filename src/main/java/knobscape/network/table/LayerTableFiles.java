package knobscape.network.table;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.CsvTable;
import knobscape.evaluate.report.JsonFields;
import knobscape.network.chain.ChainLayer;
import knobscape.network.chain.Extents;
import knobscape.network.chain.Pooling;
import tools.jackson.databind.JsonNode;

/// Layer tables from CSV and JSON text. Both are read as named cells of text, so that one set of checks serves
/// both.
final class LayerTableFiles {
    static final String FORMAT = "knobscape-layers";
    static final int VERSION = 1;

    static final List<String> COLUMNS = List.of(
            "layer",
            "name",
            "type",
            "K",
            "C",
            "Y",
            "X",
            "R",
            "S",
            "stride",
            "pad",
            "Yo",
            "Xo",
            "pool",
            "Yp",
            "Xp",
            "skip_from",
            "skip_proj");
    private static final List<String> OPTIONAL = List.of("stride_x", "pad_x", "groups");
    /// Most bytes of a description of a network.
    static final long LARGEST = 64L << 20;

    private LayerTableFiles() {}

    static LayerTable read(Path file) {
        Path last = file.getFileName();
        String fileName = last == null ? file.toString() : last.toString();
        if (fileName.endsWith(".json")) {
            return fromJson(
                    JsonFields.read(file, LARGEST).node(), file.toString(), fileName.replaceFirst("\\.json$", ""));
        }
        return fromCsv(file, fileName.replaceFirst("\\.csv(\\.gz)?$", ""));
    }

    private static LayerTable fromCsv(Path file, String name) {
        InputFile.requireRegular(file);
        if (!Files.isRegularFile(file)) {
            throw new UserError(
                    Files.isDirectory(file)
                            ? "'" + file + "' is a folder; name a layer table."
                            : "There is no file '" + file + "'.");
        }
        if (file.toFile().length() > LARGEST) {
            throw new UserError(file + " is larger than 64 MB, which no layer table is; it is not read.");
        }
        CsvTable csv = CsvTable.read(file);
        for (String column : COLUMNS) {
            if (csv.column(column).isEmpty()) {
                throw new UserError(file + " is not a layer table: it has no column '" + column + "' (wanted are "
                        + String.join(", ", COLUMNS) + ").");
            }
        }
        for (String column : csv.header()) {
            if (!COLUMNS.contains(column) && !OPTIONAL.contains(column)) {
                throw new UserError(
                        file + ": line 1: a layer table has no column '" + column + "'; remove or rename it.");
            }
        }
        tooMany(csv.rowCount(), file.toString());
        var rows = new ArrayList<LayerRow>();
        for (int i = 0; i < csv.rowCount(); i++) {
            int row = i;
            var cells = new Cells(
                    file + ":" + csv.line(i),
                    column -> csv.column(column).isPresent()
                            ? csv.cell(row, csv.column(column).getAsInt()).strip()
                            : "");
            rows.add(cells.row(i + 1));
        }
        return new LayerTable(name, rows);
    }

    static LayerTable fromJson(JsonNode root, String file, String fallbackName) {
        new JsonFields(file, root, "").checkFormat(FORMAT, VERSION);
        JsonNode layers = root.path("layers");
        if (!layers.isArray()) {
            throw new UserError(file + " is not a layer table: \"layers\" must be a list.");
        }
        tooMany(layers.size(), file);
        var rows = new ArrayList<LayerRow>();
        for (JsonNode l : layers) {
            String at = file + ": layer " + (rows.size() + 1);
            l.propertyNames().forEach(k -> {
                if (!COLUMNS.contains(k) && !OPTIONAL.contains(k)) {
                    throw new UserError(at + ": a layer has no property '" + k + "'; remove or rename it.");
                }
            });
            rows.add(new Cells(at, column -> l.path(column).asString("")).row(rows.size() + 1));
        }
        return new LayerTable(root.path("name").asString(fallbackName), rows);
    }

    private static void tooMany(int rows, String file) {
        if (rows > LayerTable.MAX_ROWS) {
            throw new UserError(
                    file + " has more than " + LayerTable.MAX_ROWS + " layers, which no network does; it is not read.");
        }
    }

    /// The cells of one row by column name; an absent cell is an empty text.
    private record Cells(String at, Function<String, String> cell) {

        LayerRow row(int index) {
            if (!text("layer", String.valueOf(index)).equals(String.valueOf(index))) {
                throw new UserError(at + ": layer is '" + cell.apply("layer") + "' where " + index
                        + " is next; number layers 1, 2, 3, ...");
            }
            ChainLayer.Type type = Stream.of(ChainLayer.Type.CONV, ChainLayer.Type.DWCONV, ChainLayer.Type.FC)
                    .filter(t -> t.name().equals(text("type", "CONV")))
                    .findFirst()
                    .orElseThrow(() -> new UserError(
                            at + ": type is '" + cell.apply("type") + "'; CONV, DWCONV or FC is wanted."));
            boolean fc = type == ChainLayer.Type.FC;
            long k = number("K", -1, 1);
            long c = number("C", -1, 1);
            long y = number("Y", fc ? 1 : -1, 1);
            long x = number("X", fc ? 1 : -1, 1);
            int r = small("R", fc ? 1 : -1, 1);
            int s = small("S", fc ? 1 : r, 1);
            int stride = small("stride", 1, 1);
            int strideX = small("stride_x", stride, 1);
            int pad = small("pad", 0, 0);
            int padX = small("pad_x", pad, 0);
            long yo = number("Yo", fc ? 1 : (y + 2L * pad - r) / stride + 1, 1);
            long xo = number("Xo", fc ? 1 : (x + 2L * padX - s) / strideX + 1, 1);
            int groups = small("groups", type == ChainLayer.Type.DWCONV ? (int) Math.min(c, Integer.MAX_VALUE) : 1, 1);
            if (type == ChainLayer.Type.DWCONV && (k != c || groups != c)) {
                throw new UserError(
                        at + ": a depthwise layer has K = C (and as many groups), not K = " + k + ", C = " + c + ".");
            }
            var pooling = poolingCell();
            long yp = number("Yp", pooling.isEmpty() ? yo : pooling.get().global() ? 1 : -1, 1);
            long xp = number("Xp", pooling.isEmpty() ? xo : pooling.get().global() ? 1 : -1, 1);
            if (pooling.isEmpty() && (yp != yo || xp != xo)) {
                throw new UserError(at + ": without pooling Yp, Xp = " + yp + ", " + xp + " must be Yo, Xo = " + yo
                        + ", " + xo + ".");
            }
            OptionalInt skip =
                    cell.apply("skip_from").isEmpty() ? OptionalInt.empty() : OptionalInt.of(small("skip_from", -1, 0));
            if (skip.isPresent() && skip.getAsInt() >= index) {
                throw new UserError(at + ": skip_from = " + skip.getAsInt() + " is not an earlier layer.");
            }
            int projected = small("skip_proj", 0, 0);
            if (projected > 1 || (projected == 1 && skip.isEmpty())) {
                throw new UserError(at + ": skip_proj is 0 or 1, and 1 only with skip_from.");
            }
            return new LayerRow(
                    index,
                    text("name", "layer" + index),
                    new Extents(
                            type,
                            k,
                            c,
                            new Extents.Size(y, x),
                            new Extents.Taps(r, s, stride, strideX, pad, padX),
                            groups,
                            new Extents.Size(yo, xo)),
                    pooling,
                    yp,
                    xp,
                    skip,
                    projected == 1);
        }

        private Optional<Pooling> poolingCell() {
            String label = cell.apply("pool");
            try {
                return label.isEmpty() || label.equals("none") ? Optional.empty() : Optional.of(Pooling.parse(label));
            } catch (IllegalArgumentException e) {
                throw new UserError(at + ": " + e.getMessage() + ".", e);
            }
        }

        private String text(String column, String otherwise) {
            String t = cell.apply(column);
            return t.isEmpty() ? otherwise : t;
        }

        private int small(String column, long otherwise, long least) {
            long v = number(column, otherwise, least);
            if (v > 1 << 20) {
                throw new UserError(at + ": " + column + " = " + v + " is out of range.");
            }
            return (int) v;
        }

        /// A whole number from `least` to 2^40; `otherwise` where the cell is empty, unless that is negative.
        private long number(String column, long otherwise, long least) {
            String t = cell.apply(column);
            if (t.isEmpty() && otherwise >= least) {
                return otherwise;
            }
            try {
                long v = Long.parseLong(t);
                if (v >= least && v <= 1L << 40) {
                    return v;
                }
            } catch (NumberFormatException e) {
                throw new UserError(at + ": " + column + " is '" + t + "'; a whole number is wanted.", e);
            }
            throw new UserError(at + ": " + column + " = " + t + " is out of range; " + least + " or more is wanted.");
        }
    }
}
