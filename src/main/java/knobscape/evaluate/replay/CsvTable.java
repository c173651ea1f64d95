package knobscape.evaluate.replay;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.DesignCsv;
import tools.jackson.core.FormatSchema;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.dataformat.csv.CsvFactory;
import tools.jackson.dataformat.csv.CsvReadFeature;
import tools.jackson.dataformat.csv.CsvSchema;

/// A comma-separated file in memory (RFC 4180: quotes, doubled quotes, line breaks in quotes; CRLF or LF; gzip
/// by the name's ending). Where the header has none but semicolons or tabs, these separate; beside semicolons, as
/// spreadsheets write in countries with a decimal comma, `2,5` is two and a half. Cells mean what [DesignCsv#text]
/// says. Rows are kept as text; bounded so that a
/// hostile file cannot fill the memory.
public final class CsvTable {
    /// Most characters read, after unpacking.
    static final long MAX_CHARACTERS = 512L << 20;
    /// Most rows read.
    static final int MAX_ROWS = 5_000_000;
    /// Most columns.
    static final int MAX_COLUMNS = 10_000;
    /// Of the header, what is looked at for the first separator.
    private static final int HEADER_CHARACTERS = 1 << 12;
    private static final Set<String> MISSING = Set.of(
            "",
            "nan",
            "inf",
            "-inf",
            "+inf",
            "infinity",
            "-infinity",
            "null",
            "none",
            "na",
            "n/a",
            "#n/a",
            "-",
            "--",
            "nil",
            "<na>",
            "nat");
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?\\d+,\\d+(?:[eE][+-]?\\d+)?");

    /// Most cells of a measured space repeat earlier ones: of each text, the last of its place among 2^14 is
    /// used again.
    private static final int SHARED_BITS = 14;
    private static final CsvFactory CSV = CsvFactory.builder()
            .enable(CsvReadFeature.WRAP_AS_ARRAY)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxDocumentLength(MAX_CHARACTERS)
                    .build())
            .build();

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
            // Tables of pandas have an index without a name, spreadsheets write separators behind the last column.
            if (indexByName.putIfAbsent(header.get(i), i) != null
                    && !header.get(i).isEmpty()) {
                throw new UserError(
                        file + ": line 1: two columns are named '" + header.get(i) + "'; rename one of them.");
            }
        }
        this.rows = rows;
        this.lines = lines;
    }

    /// Reads a file. Throws [UserError] where it is absent, a folder, empty, too large, or a row has another
    /// number of cells than the header.
    public static CsvTable read(Path file) {
        return open(file, Scan::table);
    }

    /// A table whose cells come from elsewhere, each row with as many as the header. Throws [UserError] for two
    /// columns of one name.
    ///
    /// @param file for messages
    public static CsvTable of(String file, List<String> header, List<String[]> rows) {
        return new CsvTable(
                file, header, rows, IntStream.rangeClosed(2, rows.size() + 1).toArray());
    }

    /// The column names alone, without reading the rows. Throws [UserError] as [#read] does.
    static List<String> readHeader(Path file) {
        return open(file, Scan::header);
    }

    @FunctionalInterface
    private interface Reading<T> {
        T from(Scan scan);
    }

    private static <T> T open(Path file, Reading<T> reading) {
        if (Files.isDirectory(file)) {
            throw new UserError(file + " is a folder; name a CSV file in it.");
        }
        InputFile.requireRegular(file);
        if (!Files.exists(file)) {
            throw new UserError(file + " does not exist; check the path of the measured designs.");
        }
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream in =
                        file.getFileName().toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
                InputStream text = new BufferedInputStream(in);
                Reader reader = new BufferedReader(new InputStreamReader(text, charset(text)))) {
            char separator = separator(reader);
            JsonParser cells = CSV.createParser(separatedBy(separator), reader);
            var scan = new Scan(file.toString(), cells, separator == ';');
            try {
                return reading.from(scan);
            } catch (StreamConstraintsException e) {
                throw new UserError(
                        file + " is larger than " + (MAX_CHARACTERS >> 20) + " MB once unpacked; split it.", e);
            } catch (StreamReadException e) {
                throw new UserError(
                        file + ":" + scan.line + ": "
                                + (e.getOriginalMessage().startsWith("Missing closing quote")
                                        ? "a quoted cell is not closed."
                                        : "this is no valid CSV: " + e.getOriginalMessage() + "."),
                        e);
            }
        } catch (IOException | JacksonException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static Charset charset(InputStream text) throws IOException {
        text.mark(Long.BYTES);
        byte[] beginning = text.readNBytes(Long.BYTES);
        text.reset();
        return InputFile.charset(beginning);
    }

    /// The separator of the cells of the header, which stays to be read.
    private static char separator(Reader reader) throws IOException {
        reader.mark(HEADER_CHARACTERS + 1);
        char found = ',';
        for (int i = 0; i < HEADER_CHARACTERS; i++) {
            int c = reader.read();
            if (c == ',' || c < 0 || c == '\n' || c == '\r') {
                found = c == ',' ? ',' : found;
                break;
            }
            found = found == ',' && (c == ';' || c == '\t') ? (char) c : found;
        }
        reader.reset();
        return found;
    }

    private static ObjectReadContext separatedBy(char separator) {
        return new ObjectReadContext.Base() {
            @Override
            public FormatSchema getSchema() {
                return CsvSchema.emptySchema().withColumnSeparator(separator);
            }
        };
    }

    private static final Pattern SPAN = Pattern.compile("(-?\\d{1,6}) days \\+?(\\d\\d):(\\d\\d):(\\d\\d(?:\\.\\d+)?)");

    /// The number that a cell is, NaN where it is none; of a time span as pandas writes it (`0 days 00:00:12.5`) the
    /// seconds.
    static double number(String cell) {
        String text = cell.strip();
        if (text.isEmpty() || text.length() > 40 || "+-.0123456789".indexOf(text.charAt(0)) < 0) {
            return Double.NaN;
        }
        try {
            double v = Double.parseDouble(text);
            return Double.isFinite(v) ? v : Double.NaN;
        } catch (NumberFormatException e) {
            Matcher span = SPAN.matcher(text);
            return span.matches()
                    ? ((Integer.parseInt(span.group(1)) * 24.0 + Integer.parseInt(span.group(2))) * 60
                                            + Integer.parseInt(span.group(3)))
                                    * 60
                            + Double.parseDouble(span.group(4))
                    : Double.NaN;
        }
    }

    /// True if a cell holds no value: it is empty, or says so as Python, R, databases and spreadsheets write it.
    static boolean isMissing(String cell) {
        return MISSING.contains(cell.strip().toLowerCase(Locale.ROOT));
    }

    /// Column names in order.
    public List<String> header() {
        return header;
    }

    /// Position of a column; the first of those without a name.
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

    /// One pass over the file.
    private static final class Scan {
        private final String file;
        private final JsonParser in;
        private final boolean decimalComma;
        private final String[] shared = new String[1 << SHARED_BITS];
        /// Line on which the record being read starts.
        private int line = 1;

        /// @param decimalComma whether numbers have a comma where others have a point
        Scan(String file, JsonParser in, boolean decimalComma) {
            this.file = file;
            this.in = in;
            this.decimalComma = decimalComma;
            in.nextToken();
        }

        List<String> header() {
            List<String> header = record();
            if (header.isEmpty() || (header.size() == 1 && header.getFirst().isEmpty())) {
                throw new UserError(file + " is empty; a header line with column names is expected.");
            }
            header.set(0, header.getFirst().replaceFirst("^\uFEFF", ""));
            return header;
        }

        CsvTable table() {
            List<String> header = header();
            var rows = new ArrayList<String[]>();
            int[] lines = new int[1024];
            for (List<String> cells = record(); !cells.isEmpty(); cells = record()) {
                if (cells.size() == 1 && cells.getFirst().isEmpty()) {
                    continue;
                }
                if (cells.size() != header.size()) {
                    throw new UserError(file + ":" + line + ": " + cells.size() + " cells where the header names "
                            + header.size() + "; correct this line.");
                }
                if (rows.size() == MAX_ROWS) {
                    throw new UserError(file + " has more than " + MAX_ROWS + " rows; split it.");
                }
                if (rows.size() == lines.length) {
                    lines = Arrays.copyOf(lines, 2 * lines.length);
                }
                lines[rows.size()] = line;
                rows.add(cells.toArray(String[]::new));
            }
            return new CsvTable(file, header, rows, Arrays.copyOf(lines, rows.size()));
        }

        /// The next record, or an empty list at the end of the file.
        private List<String> record() {
            var cells = new ArrayList<String>(16);
            if (in.nextToken() != JsonToken.START_ARRAY) {
                return cells;
            }
            line = in.currentLocation().getLineNr();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                String cell = in.getString();
                if (cell.indexOf(0) >= 0) {
                    throw new UserError(file + ":" + line + ": a binary file is not a table of designs.");
                }
                if (cells.size() == MAX_COLUMNS) {
                    throw new UserError(file + ":" + line + ": more than " + MAX_COLUMNS
                            + " columns; this is not a table of designs.");
                }
                String text = DesignCsv.text(cell);
                cells.add(share(decimalComma && DECIMAL_COMMA.matcher(text).matches() ? text.replace(',', '.') : text));
            }
            return cells;
        }

        private String share(String cell) {
            int place = (cell.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - SHARED_BITS);
            String known = shared[place];
            if (cell.equals(known)) {
                return known;
            }
            shared[place] = cell;
            return cell;
        }
    }
}
