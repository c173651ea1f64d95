package knobscape.hls.source.cdt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Location;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.file.SourceFiles;
import knobscape.hls.source.file.SourceText;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTProblem;

/// Finds places that the parser could not make sense of.
final class SyntaxProblems {
    private SyntaxProblems() {}

    private static final int MOST_NOTES = 5;
    private static final int MOST_SOURCES = 200;

    /// Throws a [UserError] that names the first syntax error of the main file. One in a header alone, where a
    /// macro of a header that is not there may be the reason, is a warning: what can be read is read.
    static void check(TranslationUnits.Parsed parsed, Notes notes) {
        List<Location> found = find(parsed);
        if (found.isEmpty()) {
            return;
        }
        Location first = found.getFirst();
        if (first.file().equals(parsed.main().name())) {
            String brace = unclosed(parsed.main())
                    .map(l -> "; the brace opened on line " + l + " is never closed")
                    .orElse("");
            String header = parsed.missing().stream()
                    .map(i -> i.getName().toString())
                    .distinct()
                    .limit(3)
                    .collect(java.util.stream.Collectors.joining("', '"));
            String hint = brace.isEmpty() && !header.isEmpty()
                    ? "; it may need a macro of '" + header + "', which was not found"
                    : "";
            Optional<Path> whole = includer(Path.of(parsed.main().name()));
            if (whole.isPresent()) {
                throw new UserError(first + ": syntax error" + near(parsed, first) + "; this file is a part of "
                        + whole.get().getFileName() + ", which includes it: open that one.");
            }
            throw new UserError(first + ": syntax error" + near(parsed, first) + brace + hint
                    + "; correct it and open the file again.");
        }
        found.stream()
                .limit(MOST_NOTES)
                .forEach(l -> notes.warn(l, "syntax error" + near(parsed, l) + "; what stands there is lost"));
    }

    /// A source beside the file that includes it: alone it need not be complete.
    private static Optional<Path> includer(Path file) {
        Pattern include = Pattern.compile(
                "(?m)^[ \\t]*#[ \\t]*include[ \\t]*\"" + Pattern.quote(String.valueOf(file.getFileName())) + "\"");
        Path folder = file.toAbsolutePath().getParent();
        try (Stream<Path> beside = folder == null ? Stream.empty() : Files.list(folder)) {
            return beside.filter(p -> SourceEndings.isSource(p) && !p.equals(file.toAbsolutePath()))
                    .sorted()
                    .limit(MOST_SOURCES)
                    .filter(p -> SourceFiles.readHeader(p)
                            .filter(t -> include.matcher(t).find())
                            .isPresent())
                    .findFirst();
        } catch (IOException e) {
            // Only a hint, and none is needed.
            return Optional.empty();
        }
    }

    private static String near(TranslationUnits.Parsed parsed, Location at) {
        String text = parsed.positions().textOf(at.file()).orElse("");
        int end = Math.min(text.length(), at.offset() + Math.clamp(at.length(), 1, 200));
        int begin = Math.min(at.offset(), end);
        // Whole words, where the parser stopped in one.
        while (begin > 0 && inWord(text, begin - 1) && inWord(text, begin)) {
            begin--;
        }
        while (end > begin && end < text.length() && inWord(text, end - 1) && inWord(text, end)) {
            end++;
        }
        String s = text.substring(begin, end).strip().replaceAll("\\s+", " ").replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
        return s.isEmpty() ? "" : " near '" + (s.length() <= 40 ? s : s.substring(0, 37) + "...") + "'";
    }

    private static boolean inWord(String text, int at) {
        return at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_');
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
        found.sort(Comparator.<Location, Boolean>comparing(l -> !l.file().equals(main))
                .thenComparingInt(Location::offset));
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
