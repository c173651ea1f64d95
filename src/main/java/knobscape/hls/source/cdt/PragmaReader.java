package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.source.Function;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import org.eclipse.cdt.core.dom.ast.IASTFileLocation;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorPragmaStatement;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorStatement;

/// Reads `#pragma HLS`, and what `_Pragma` and macros make of it.
final class PragmaReader {
    private static final Pattern HLS =
            Pattern.compile("^\\s*(?:HLS|AP)\\s+(\\w+)(.*)$", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern OPERATOR = Pattern.compile("_Pragma\\s*\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*\\)");
    private static final Pattern KEY = Pattern.compile("\\s*([A-Za-z_]\\w*)\\s*=(?!=)\\s*");
    private static final Pattern WORD = Pattern.compile("\\s*([^\\s=]+)");
    private static final Set<String> NUMERIC = Set.of(
            "factor",
            "dim",
            "ii",
            "min",
            "max",
            "avg",
            "depth",
            "limit",
            "latency",
            "distance",
            "cycle",
            "off_chip_latency",
            "max_read_burst_length",
            "max_write_burst_length",
            "num_read_outstanding",
            "num_write_outstanding",
            "max_widen_bitwidth",
            "width",
            "position");
    private static final Map<String, Map<String, String>> BARE = Map.of(
            "ARRAY_PARTITION", Map.of("cyclic", "type", "block", "type", "complete", "type"),
            "ARRAY_RESHAPE", Map.of("cyclic", "type", "block", "type", "complete", "type"),
            "DEPENDENCE",
                    Map.of(
                            "inter",
                            "type",
                            "intra",
                            "type",
                            "raw",
                            "direction",
                            "war",
                            "direction",
                            "waw",
                            "direction",
                            "true",
                            "dependent",
                            "false",
                            "dependent",
                            "array",
                            "class",
                            "pointer",
                            "class"),
            "INTERFACE",
                    Map.of(
                            "m_axi",
                            "mode",
                            "s_axilite",
                            "mode",
                            "axis",
                            "mode",
                            "ap_none",
                            "mode",
                            "ap_memory",
                            "mode",
                            "ap_fifo",
                            "mode",
                            "bram",
                            "mode",
                            "ap_ctrl_none",
                            "mode",
                            "ap_ctrl_hs",
                            "mode",
                            "ap_ctrl_chain",
                            "mode"));
    private final TranslationUnits.Parsed parsed;
    private final MacroText macros;

    PragmaReader(TranslationUnits.Parsed parsed) {
        this.parsed = parsed;
        this.macros = new MacroText(parsed.unit());
    }

    /// A pragma before it is known where it belongs.
    record Found(String text, IASTPreprocessorPragmaStatement statement, boolean editable) {}

    /// Every active HLS pragma of the files a person wrote.
    List<Found> all() {
        var found = new ArrayList<Found>();
        Set<Location> operators = new HashSet<>();
        for (IASTPreprocessorStatement s : parsed.unit().getAllPreprocessorStatements()) {
            if (!(s instanceof IASTPreprocessorPragmaStatement p)
                    || parsed.positions().file(p).isEmpty()) {
                continue;
            }
            if (!p.isPragmaOperator()) {
                String text = String.valueOf(p.getMessage()).replaceAll("\\\\\\r?\\n", " ");
                if (HLS.matcher(text).matches()) {
                    found.add(new Found(text.strip(), p, true));
                }
                continue;
            }
            // One use of a macro may make several; each of them says only where the use is.
            if (operators.add(parsed.positions().of(p))) {
                Matcher m = OPERATOR.matcher(macros.expand(p.getRawSignature()));
                while (m.find()) {
                    String text = m.group(1).replace("\\\"", "\"").replace("\\\\", "\\");
                    if (HLS.matcher(text).matches()) {
                        found.add(new Found(text.strip(), p, false));
                    }
                }
            }
        }
        return found;
    }

    /// The pragmas of one function.
    List<Pragma> of(Function function, Instance instance, ConstantNames names, List<Found> all) {
        var pragmas = new ArrayList<Pragma>();
        IASTFileLocation body = instance.definition().getFileLocation();
        for (Found f : all) {
            IASTFileLocation at = f.statement().getFileLocation();
            if (body == null
                    || at == null
                    || !at.getFileName().equals(body.getFileName())
                    || at.getNodeOffset() < body.getNodeOffset()
                    || at.getNodeOffset() >= body.getNodeOffset() + body.getNodeLength()) {
                continue;
            }
            read(f, innermost(function, at.getNodeOffset()).map(Loop::id), function.name(), names::value)
                    .ifPresent(pragmas::add);
        }
        return pragmas;
    }

    /// Pragmas outside all functions.
    List<Pragma> atFileLevel(List<Found> all, List<Instance> instances) {
        var pragmas = new ArrayList<Pragma>();
        for (Found f : all) {
            IASTFileLocation at = f.statement().getFileLocation();
            boolean inside = at != null
                    && instances.stream()
                            .map(i -> i.definition().getFileLocation())
                            .anyMatch(b -> b != null
                                    && b.getFileName().equals(at.getFileName())
                                    && at.getNodeOffset() >= b.getNodeOffset()
                                    && at.getNodeOffset() < b.getNodeOffset() + b.getNodeLength());
            if (!inside) {
                read(f, Optional.empty(), "", n -> OptionalLong.empty()).ifPresent(pragmas::add);
            }
        }
        return pragmas;
    }

    /// The innermost loop around an offset. What stands between the header and a body without braces belongs to
    /// the loop.
    private static Optional<Loop> innermost(Function function, int offset) {
        Optional<Loop> found = Optional.empty();
        for (Loop l : function.allLoops()) {
            if (offset >= l.keyword().offset()
                    && offset
                            < Math.max(
                                    l.bodyEnd().offset(),
                                    l.bodyStart().offset() + l.bodyStart().length())) {
                found = Optional.of(l);
            }
        }
        return found;
    }

    private Optional<Pragma> read(
            Found f, Optional<String> loop, String function, java.util.function.Function<String, OptionalLong> names) {
        Matcher m = HLS.matcher(f.text());
        if (!m.matches()) {
            return Optional.empty();
        }
        String directive = m.group(1).toUpperCase(Locale.ROOT);
        Map<String, String> options = options(directive, m.group(2), names);
        return Optional.of(new Pragma(
                directive, options, loop, function, parsed.positions().of(f.statement()), f.editable(), f.text()));
    }

    private Map<String, String> options(
            String directive, String text, java.util.function.Function<String, OptionalLong> names) {
        var options = new LinkedHashMap<String, String>();
        int at = 0;
        while (at < text.length()) {
            Matcher key = KEY.matcher(text).region(at, text.length());
            if (key.lookingAt()) {
                String name = key.group(1).toLowerCase(Locale.ROOT);
                at = key.end();
                // Macros are expanded in the value only, so that keys keep their names.
                String rest = text.substring(at);
                Optional<Value> number = NUMERIC.contains(name) ? number(rest, names) : Optional.empty();
                if (number.isPresent()) {
                    options.put(name, number.get().text());
                    at += number.get().length();
                    continue;
                }
                Matcher word = WORD.matcher(rest);
                String value = word.lookingAt() ? word.group(1) : "";
                at += word.lookingAt() ? word.end() : rest.length();
                options.put(name, name.equals("type") || name.equals("mode") ? value.toLowerCase(Locale.ROOT) : value);
                continue;
            }
            Matcher word = WORD.matcher(text).region(at, text.length());
            if (!word.lookingAt()) {
                break;
            }
            at = word.end();
            String w = word.group(1).toLowerCase(Locale.ROOT);
            String meaning = BARE.getOrDefault(directive, Map.of()).get(w);
            if (meaning != null) {
                options.putIfAbsent(meaning, w);
            } else {
                options.put(w, "");
            }
        }
        return options;
    }

    private record Value(String text, int length) {}

    /// A number at the start of `rest`: tried with macros expanded, word by word, so that what follows the
    /// number stays.
    private Optional<Value> number(String rest, java.util.function.Function<String, OptionalLong> names) {
        return NumberText.read(rest, name -> {
                    OptionalLong direct = names.apply(name);
                    if (direct.isPresent()) {
                        return direct;
                    }
                    String expanded = macros.expand(name);
                    return expanded.equals(name) ? OptionalLong.empty() : whole(expanded, names);
                })
                .map(r -> expandedWhole(rest, r, names));
    }

    /// A macro is text: `2*N` with `#define N 4+4` is 12. So the words that make the number are expanded
    /// together.
    private Value expandedWhole(
            String rest, NumberText.Result r, java.util.function.Function<String, OptionalLong> names) {
        OptionalLong v = whole(macros.expand(rest.substring(0, r.end())), names);
        return new Value(String.valueOf(v.orElse(r.value())), r.end());
    }

    private static OptionalLong whole(String text, java.util.function.Function<String, OptionalLong> names) {
        Optional<NumberText.Result> r = NumberText.read(text, names);
        return r.isPresent() && text.substring(r.get().end()).isBlank()
                ? OptionalLong.of(r.get().value())
                : OptionalLong.empty();
    }
}
