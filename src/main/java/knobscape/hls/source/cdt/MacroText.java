package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTFunctionStyleMacroParameter;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorFunctionStyleMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;

/// Expands macros in text that the parser leaves alone: what stands in pragmas.
final class MacroText {
    private static final int MAX_DEPTH = 40;
    private static final int MAX_LENGTH = 100_000;
    private final Map<String, List<IASTPreprocessorMacroDefinition>> macros = new HashMap<>();

    MacroText(IASTTranslationUnit unit) {
        for (IASTPreprocessorMacroDefinition m : unit.getBuiltinMacroDefinitions()) {
            macros.computeIfAbsent(m.getName().toString(), n -> new ArrayList<>())
                    .add(m);
        }
        for (IASTPreprocessorMacroDefinition m : unit.getMacroDefinitions()) {
            macros.computeIfAbsent(m.getName().toString(), n -> new ArrayList<>())
                    .add(m);
        }
    }

    /// `text` with every macro replaced, as text: `64*64` stays without parentheses.
    String expand(String text) {
        return expand(text, new HashSet<>(), 0);
    }

    private String expand(String text, Set<String> open, int depth) {
        if (depth > MAX_DEPTH) {
            return text;
        }
        var out = new StringBuilder();
        int i = 0;
        while (i < text.length() && out.length() < MAX_LENGTH) {
            char c = text.charAt(i);
            if (c == '"') {
                int end = endOfString(text, i);
                out.append(text, i, end);
                i = end;
            } else if (Character.isJavaIdentifierStart(c)) {
                int end = i;
                while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
                    end++;
                }
                i = word(text, i, end, out, open, depth);
            } else if (Character.isDigit(c)) {
                int end = i;
                while (end < text.length()
                        && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '.')) {
                    end++;
                }
                out.append(text, i, end);
                i = end;
            } else {
                out.append(c);
                i++;
            }
        }
        return out.toString();
    }

    private int word(String text, int start, int end, StringBuilder out, Set<String> open, int depth) {
        String name = text.substring(start, end);
        Optional<IASTPreprocessorMacroDefinition> macro = open.contains(name) ? Optional.empty() : last(name);
        if (macro.isEmpty()) {
            out.append(name);
            return end;
        }
        var inner = new HashSet<>(open);
        inner.add(name);
        if (!(macro.get() instanceof IASTPreprocessorFunctionStyleMacroDefinition f)) {
            out.append(expand(macro.get().getExpansion(), inner, depth + 1));
            return end;
        }
        int paren = end;
        while (paren < text.length() && Character.isWhitespace(text.charAt(paren))) {
            paren++;
        }
        if (paren == text.length() || text.charAt(paren) != '(') {
            out.append(name);
            return end;
        }
        var arguments = new ArrayList<String>();
        int behind = arguments(text, paren, arguments);
        out.append(expand(substitute(f, arguments, open, depth), inner, depth + 1));
        return behind;
    }

    private Optional<IASTPreprocessorMacroDefinition> last(String name) {
        List<IASTPreprocessorMacroDefinition> all = macros.get(name);
        return all == null ? Optional.empty() : Optional.of(all.getLast());
    }

    private static int arguments(String text, int paren, List<String> arguments) {
        int depth = 0;
        int start = paren + 1;
        for (int i = paren; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                i = endOfString(text, i) - 1;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && --depth == 0) {
                arguments.add(text.substring(start, i).strip());
                return i + 1;
            } else if (c == ',' && depth == 1) {
                arguments.add(text.substring(start, i).strip());
                start = i + 1;
            }
        }
        arguments.add(text.substring(Math.min(start, text.length())).strip());
        return text.length();
    }

    /// The expansion with parameters replaced; `#x` becomes a string, `##` glues.
    private String substitute(
            IASTPreprocessorFunctionStyleMacroDefinition f, List<String> arguments, Set<String> open, int depth) {
        Map<String, String> values = new HashMap<>();
        IASTFunctionStyleMacroParameter[] parameters = f.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            String name = parameters[i].getParameter();
            boolean rest = name.endsWith("...");
            String value = rest
                    ? String.join(", ", arguments.subList(Math.min(i, arguments.size()), arguments.size()))
                    : i < arguments.size() ? arguments.get(i) : "";
            values.put(rest ? name.equals("...") ? "__VA_ARGS__" : name.substring(0, name.length() - 3) : name, value);
        }
        String body = f.getExpansion();
        var out = new StringBuilder();
        int i = 0;
        while (i < body.length()) {
            char c = body.charAt(i);
            if (c == '"') {
                int end = endOfString(body, i);
                out.append(body, i, end);
                i = end;
            } else if (c == '#' && body.startsWith("##", i)) {
                while (!out.isEmpty() && out.charAt(out.length() - 1) == ' ') {
                    out.setLength(out.length() - 1);
                }
                i += 2;
                while (i < body.length() && body.charAt(i) == ' ') {
                    i++;
                }
            } else if (Character.isJavaIdentifierStart(c)) {
                int end = i;
                while (end < body.length() && Character.isJavaIdentifierPart(body.charAt(end))) {
                    end++;
                }
                String word = body.substring(i, end);
                int before = out.length() - 1;
                while (before >= 0 && out.charAt(before) == ' ') {
                    before--;
                }
                if (values.containsKey(word) && before >= 0 && out.charAt(before) == '#') {
                    out.setLength(before);
                    out.append('"')
                            .append(values.get(word).replace("\\", "\\\\").replace("\"", "\\\""))
                            .append('"');
                } else if (values.containsKey(word)) {
                    out.append(expand(values.get(word), open, depth + 1));
                } else {
                    out.append(word);
                }
                i = end;
            } else {
                out.append(c);
                i++;
            }
        }
        return out.toString();
    }

    private static int endOfString(String text, int start) {
        int i = start + 1;
        while (i < text.length() && text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(text.length(), i + 1);
    }
}
