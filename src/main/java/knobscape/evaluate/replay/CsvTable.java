package knobscape.evaluate.replay;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.GZIPInputStream;
import knobscape.evaluate.UserError;

/// A comma-separated file in memory (RFC 4180: quotes, doubled quotes, line breaks in quotes; CRLF or LF; gzip by the name's
/// ending). Rows are kept as text; bounded so that a hostile file cannot fill the memory.
public final class CsvTable {
    /// Most characters read, after unpacking.
    static final long MAX_CHARACTERS = 512L << 20;
    /// Most rows read.
    static final int MAX_ROWS = 5_000_000;
    /// Most columns.
    static final int MAX_COLUMNS = 10_000;

    private final String file;
    private final List<String> header;
    private final Map<String, Integer> indexByName;
    private final List<String[]> rows;
    private final int[] lines;

    private CsvTable(String file, List<String> header, List<String[]> rows, int[] lines) {
        this.file = file;
        this.header = List.copyOf(header);
        this.indexByName = new HashMap<>();
        for (int i = 0; i < header.size(); i++) {
            if (indexByName.put(header.get(i), i) != null) {
                throw new UserError(file + ": line 1: two columns are named '" + header.get(i) + "'; rename one of them.");
            }
        }
        this.rows = rows;
        this.lines = lines;
    }

    /// Reads a file. Throws [UserError] where it is absent, a folder, empty, too large, or a row has another number of cells than the header.
    public static CsvTable read(Path file) {
        return open(file, Scan::table);
    }

    @FunctionalInterface
    private interface Reading<T> {
        T from(Scan scan) throws IOException;
    }

    private static <T> T open(Path file, Reading<T> reading) {
        if (Files.isDirectory(file)) {
            throw new UserError(file + " is a folder; name a CSV file in it.");
        }
        if (!Files.isRegularFile(file)) {
            throw new UserError(file + " does not exist; check the path of the measured designs.");
        }
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream in = file.getFileName().toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
                Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            return reading.from(new Scan(file.toString(), reader));
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /// The column names alone, without reading the rows. Throws [UserError] as [#read] does.
    static List<String> readHeader(Path file) {
        return open(file, Scan::header);
    }

    /// Column names in order.
    public List<String> header() {
        return header;
    }

    /// Position of a column.
    public OptionalInt column(String name) {
        Integer i = indexByName.get(name);
        return i == null ? OptionalInt.empty() : OptionalInt.of(i);
    }

    /// Number of rows, the header not counted.
    public int rowCount() {
        return rows.size();
    }

    /// Text of a cell; an absent value is the empty text.
    public String cell(int row, int column) {
        return rows.get(row)[column];
    }

    /// 1-based line on which a row starts.
    public int line(int row) {
        return lines[row];
    }

    /// Name of the file, for messages.
    public String file() {
        return file;
    }

    /// One pass over the characters. Most cells of a measured space have occurred before, so that their text is looked up by its characters before any object is made.
    private static final class Scan {
        private static final int SHARED_LENGTH = 24;
        private static final int MOST_SHARED = 100_000;

        private final String file;
        private final Reader in;
        private final char[] buffer = new char[1 << 16];
        private int position;
        private int filled;
        private long read;
        private int line = 1;
        /// Characters of the cell being read.
        private char[] cell = new char[256];
        private int length;
        /// Texts met so far, by hash, at most half full.
        private final String[] shared = new String[1 << 18];
        private int sharedCount;

        Scan(String file, Reader in) {
            this.file = file;
            this.in = in;
        }

        List<String> header() throws IOException {
            List<String> header = record();
            if (header.isEmpty() || header.size() == 1 && header.getFirst().isEmpty()) {
                throw new UserError(file + " is empty; a header line with column names is expected.");
            }
            if (header.getFirst().startsWith("\uFEFF")) {
                header = new ArrayList<>(header);
                header.set(0, header.getFirst().substring(1));
            }
            return header;
        }

        CsvTable table() throws IOException {
            List<String> header = header();
            var rows = new ArrayList<String[]>();
            int[] lines = new int[1024];
            while (true) {
                int start = line;
                List<String> cells = record();
                if (cells.isEmpty()) {
                    break;
                }
                if (cells.size() == 1 && cells.getFirst().isEmpty()) {
                    continue;
                }
                if (cells.size() != header.size()) {
                    throw new UserError(file + ":" + start + ": " + cells.size() + " cells where the header names " + header.size()
                            + "; mend this line.");
                }
                if (rows.size() == MAX_ROWS) {
                    throw new UserError(file + " has more than " + MAX_ROWS + " rows; split it.");
                }
                if (rows.size() == lines.length) {
                    lines = Arrays.copyOf(lines, 2 * lines.length);
                }
                lines[rows.size()] = start;
                rows.add(cells.toArray(String[]::new));
            }
            return new CsvTable(file, header, rows, Arrays.copyOf(lines, rows.size()));
        }

        private int next() throws IOException {
            if (position == filled && !fill()) {
                return -1;
            }
            char c = buffer[position++];
            if (c == '\n') {
                line++;
            }
            return c;
        }

        /// The character that [#next] gives; -1 at the end.
        private int peek() throws IOException {
            return position < filled || fill() ? buffer[position] : -1;
        }

        private boolean fill() throws IOException {
            filled = Math.max(0, in.read(buffer, 0, buffer.length));
            position = 0;
            read += filled;
            if (read > MAX_CHARACTERS) {
                throw new UserError(file + " is larger than " + (MAX_CHARACTERS >> 20) + " MB once unpacked; split it.");
            }
            return filled > 0;
        }

        private void append(char c) {
            if (length == cell.length) {
                cell = Arrays.copyOf(cell, 2 * length);
            }
            cell[length++] = c;
        }

        /// The cell's text; the cell is empty afterwards.
        private String text() {
            int n = length;
            length = 0;
            if (n >= SHARED_LENGTH) {
                return new String(cell, 0, n);
            }
            int hash = n;
            for (int i = 0; i < n; i++) {
                hash = hash * 31 + cell[i];
            }
            int at = (hash * 0x9E3779B9) >>> 14;
            while (shared[at] != null) {
                if (isCell(shared[at], n)) {
                    return shared[at];
                }
                at = at + 1 & shared.length - 1;
            }
            String text = new String(cell, 0, n);
            if (sharedCount < MOST_SHARED) {
                sharedCount++;
                shared[at] = text;
            }
            return text;
        }

        private boolean isCell(String text, int n) {
            if (text.length() != n) {
                return false;
            }
            for (int i = 0; i < n; i++) {
                if (text.charAt(i) != cell[i]) {
                    return false;
                }
            }
            return true;
        }

        /// The next record, or an empty list at the end of the file.
        private List<String> record() throws IOException {
            var cells = new ArrayList<String>(16);
            int c = next();
            if (c < 0) {
                return List.of();
            }
            while (true) {
                if (c == '"' && length == 0) {
                    quoted();
                } else if (c == ',' || c == '\n' || c < 0) {
                    cells.add(text());
                    if (cells.size() > MAX_COLUMNS) {
                        throw new UserError(file + ":" + line + ": more than " + MAX_COLUMNS + " columns; this is not a table of designs.");
                    }
                    if (c != ',') {
                        return cells;
                    }
                } else if (c == '\r') {
                    if (peek() != '\n') {
                        append('\r');
                    }
                } else if (c == 0) {
                    throw new UserError(file + ":" + line + ": a binary file is not a table of designs.");
                } else {
                    append((char) c);
                }
                c = next();
            }
        }

        private void quoted() throws IOException {
            int start = line;
            while (true) {
                int c = next();
                if (c < 0) {
                    throw new UserError(file + ":" + start + ": a quoted cell is not closed.");
                }
                if (c == '"') {
                    if (peek() != '"') {
                        return;
                    }
                    next();
                }
                append((char) c);
            }
        }
    }
}
