package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;

/// Class templates that a source uses and nobody declares. Without a declaration `foo_t<8> a[16];` parses as a
/// chain of comparisons and the array is lost, so they are declared for it.
///
/// @param names unknown templates, as written
/// @param declarations text that declares them
record UnknownTemplates(List<String> names, String declarations) {
    private static final Pattern USE = Pattern.compile("\\b([A-Za-z_]\\w*(?:\\s*::\\s*[A-Za-z_]\\w*)*)\\s*<");
    private static final Pattern AFTER = Pattern.compile("\\s*(?:const\\b)?\\s*[&*]?\\s*[A-Za-z_]\\w*\\s*[;,=(\\[{):]");
    private static final Set<String> NOT_TYPES = Set.of(
            "template",
            "operator",
            "static_cast",
            "reinterpret_cast",
            "const_cast",
            "dynamic_cast",
            "if",
            "while",
            "return",
            "for",
            "include",
            "case");

    /// Finds them in `text`, the main file of `unit`; `known` are already declared.
    static UnknownTemplates in(IASTTranslationUnit unit, String text, Set<String> known) {
        String code = Comments.blank(text);
        Set<String> declared = new HashSet<>();
        var found = new LinkedHashMap<String, String>();
        Matcher use = USE.matcher(code);
        boolean collected = false;
        while (use.find()) {
            String name = use.group(1).replaceAll("\\s", "");
            String last = name.substring(name.lastIndexOf(':') + 1);
            if (NOT_TYPES.contains(last) || known.contains(name) || found.containsKey(name)) {
                continue;
            }
            int end = closing(code, use.end());
            if (end < 0 || !AFTER.matcher(code).region(end, code.length()).lookingAt()) {
                continue;
            }
            if (!collected) {
                collected = true;
                declared.addAll(declaredNames(unit));
            }
            if (!declared.contains(last)) {
                found.put(name, declaration(name, arguments(code.substring(use.end(), end - 1)), declared));
            }
        }
        return new UnknownTemplates(List.copyOf(found.keySet()), String.join("", found.values()));
    }

    /// Offset behind the `>` that closes the list starting at `from`; -1 where what follows is no argument
    /// list.
    private static int closing(String code, int from) {
        int depth = 1;
        int round = 0;
        for (int i = from; i < code.length() && i < from + 400; i++) {
            switch (code.charAt(i)) {
                case '(' -> round++;
                case ')' -> round--;
                case '<' -> depth++;
                case '>' -> depth--;
                case ';', '{', '}', '=', '?', '"', '|' -> {
                    return -1;
                }
                default -> {}
            }
            if (round < 0) {
                return -1;
            }
            if (depth == 0) {
                return i + 1;
            }
        }
        return -1;
    }

    private static List<String> arguments(String list) {
        var arguments = new ArrayList<String>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                arguments.add(list.substring(start, i).strip());
                start = i + 1;
            }
        }
        arguments.add(list.substring(start).strip());
        return arguments;
    }

    private static String declaration(String name, List<String> arguments, Set<String> declared) {
        var parameters = new ArrayList<String>();
        for (String a : arguments) {
            boolean type = a.matches("(const\\s+)?(unsigned|signed|int|char|short|long|float|double|bool|half)\\b.*")
                    || a.contains("<")
                    || (a.matches("[A-Za-z_][\\w:]*")
                            && !a.matches("[A-Z0-9_]+|true|false")
                            && (!declared.contains(a) || a.endsWith("_t")));
            parameters.add((type ? "class T" : "int N") + parameters.size());
        }
        var text = new StringBuilder();
        String[] path = name.split("::");
        for (int i = 0; i < path.length - 1; i++) {
            text.append("namespace ").append(path[i]).append(" { ");
        }
        text.append("template<")
                .append(String.join(", ", parameters))
                .append("> struct ")
                .append(path[path.length - 1])
                .append(" { };");
        text.append(" }".repeat(path.length - 1)).append('\n');
        return text.toString();
    }

    /// Every name that something in the unit declares, and every macro.
    private static Set<String> declaredNames(IASTTranslationUnit unit) {
        var names = new HashSet<String>();
        unit.accept(new ASTVisitor() {
            {
                shouldVisitNames = true;
            }

            @Override
            public int visit(IASTName name) {
                if (name.isDeclaration() || name.isDefinition()) {
                    names.add(String.valueOf(name.getLastName().getSimpleID()));
                }
                return PROCESS_CONTINUE;
            }
        });
        for (IASTPreprocessorMacroDefinition m : unit.getMacroDefinitions()) {
            names.add(m.getName().toString());
        }
        return names;
    }
}
