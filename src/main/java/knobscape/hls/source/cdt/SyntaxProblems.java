package knobscape.hls.source.cdt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Location;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTProblem;

/// Finds places that the parser could not make sense of.
final class SyntaxProblems {
    private SyntaxProblems() {
    }

    /// Throws a [UserError] that names the first syntax error.
    static void check(TranslationUnits.Parsed parsed) {
        List<Location> found = find(parsed);
        if (!found.isEmpty()) {
            Location first = found.getFirst();
            String brace = unclosed(parsed.main()).map(l -> "; the brace opened on line " + l + " is never closed").orElse("");
            throw new UserError(first + ": syntax error near '" + near(parsed, first) + "'" + brace + "; mend it and open the file again.");
        }
    }

    private static String near(TranslationUnits.Parsed parsed, Location at) {
        String text = parsed.positions().textOf(at.file()).orElse("");
        int end = Math.min(text.length(), at.offset() + Math.clamp(at.length(), 1, 200));
        String s = text.substring(Math.min(at.offset(), end), end).strip().replaceAll("\\s+", " ");
        return s.length() <= 40 ? s : s.substring(0, 37) + "...";
    }

    /// Problems in files that a person wrote, in source order.
    static List<Location> find(TranslationUnits.Parsed parsed) {
        var found = new ArrayList<Location>();
        parsed.unit().accept(new ASTVisitor() {
            {
                shouldVisitProblems = true;
            }

            @Override
            public int visit(IASTProblem problem) {
                if (parsed.positions().file(problem).isPresent()) {
                    found.add(parsed.positions().of(problem));
                }
                return PROCESS_CONTINUE;
            }
        });
        String main = parsed.main().name();
        found.sort(Comparator.<Location, Boolean>comparing(l -> !l.file().equals(main)).thenComparingInt(Location::offset));
        return found;
    }

    /// Line of the innermost `{` that has no `}`, where braces do not match.
    static Optional<Integer> unclosed(SourceText file) {
        String code = Comments.blank(file.text());
        var open = new ArrayDeque<Integer>();
        for (int i = 0; i < code.length(); i++) {
            if (code.charAt(i) == '{') {
                open.push(i);
            } else if (code.charAt(i) == '}' && !open.isEmpty()) {
                open.pop();
            }
        }
        return open.isEmpty() ? Optional.empty() : Optional.of(file.line(open.peek()));
    }
}
