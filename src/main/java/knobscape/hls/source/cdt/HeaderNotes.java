package knobscape.hls.source.cdt;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import knobscape.hls.source.Location;
import knobscape.hls.source.SourceNote;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorIfdefStatement;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorIfndefStatement;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorIncludeStatement;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorStatement;
import org.eclipse.cdt.core.dom.ast.IASTProblem;

/// Tells about headers that are missing or were found by searching, other sources that are read, and other complaints
/// of the preprocessor.
final class HeaderNotes {
    private static final Pattern SYNTHESIS = Pattern.compile("[A-Za-z]\\w*_SYNTHESIS");

    private HeaderNotes() {}

    static void add(TranslationUnits.Parsed parsed, Notes notes) {
        for (IASTPreprocessorIncludeStatement include : parsed.missing()) {
            notes.warn(
                    parsed.positions().of(include),
                    SourceNote.missingHeader(include.getName().toString()));
        }
        for (IASTPreprocessorIncludeStatement include : parsed.unit().getIncludeDirectives()) {
            var at = parsed.foundBySearch().get(include.getName().toString());
            if (at != null
                    && include.isResolved()
                    && parsed.positions().file(include).isPresent()) {
                notes.info(
                        parsed.positions().of(include),
                        "header '" + include.getName() + "' was found by searching, as " + at);
            }
        }
        parsed.others()
                .forEach((file, functions) -> notes.info(
                        parsed.main().location(0, 0),
                        "source '" + file.getFileName() + "' is read too, as it holds what is called here: "
                                + String.join(", ", functions.stream().limit(8).toList())
                                + (functions.size() > 8 ? ", ..." : "")));
        undefinedSwitches(parsed)
                .forEach((name, at) -> notes.warn(
                        at,
                        "'" + name + "' is not defined, so that what is read here may be for simulation; -D " + name
                                + " reads what is synthesised"));
        for (String template : parsed.declaredTemplates()) {
            notes.warn(
                    parsed.main().location(0, 0),
                    "template '" + template + "' is not declared in any header found; "
                            + (Types.GROWING.contains(template.replaceFirst("^std::", ""))
                                    ? "where it is the standard library's, it allocates memory as it runs, which no tool synthesises; what it holds is not followed"
                                    : "its size in bits is not known"));
        }
        for (IASTProblem p : parsed.unit().getPreprocessorProblems()) {
            if (p.getID() != IASTProblem.PREPROCESSOR_INCLUSION_NOT_FOUND
                    && parsed.positions().file(p).isPresent()) {
                notes.warn(parsed.positions().of(p), words(p));
            }
        }
    }

    /// Macros of a library's own by which it tells synthesis from simulation.
    private static Map<String, Location> undefinedSwitches(TranslationUnits.Parsed parsed) {
        var found = new LinkedHashMap<String, Location>();
        for (IASTPreprocessorStatement s : parsed.unit().getAllPreprocessorStatements()) {
            String asked = switch (s) {
                case IASTPreprocessorIfdefStatement i when !i.taken() -> new String(i.getCondition());
                case IASTPreprocessorIfndefStatement i when i.taken() -> new String(i.getCondition());
                default -> "";
            };
            if (SYNTHESIS.matcher(asked.strip()).matches()
                    && parsed.positions().file(s).isPresent()) {
                found.putIfAbsent(asked.strip(), parsed.positions().of(s));
            }
        }
        return found;
    }

    /// The parser has no words for some of its complaints.
    private static String words(IASTProblem p) {
        if (p.getID() == IASTProblem.PREPROCESSOR_CIRCULAR_INCLUSION
                || p.getID() == IASTProblem.PREPROCESSOR_EXCEEDS_MAXIMUM_INCLUSION_DEPTH) {
            return "this file includes itself, directly or by way of others; the inner inclusion is left out";
        }
        String told = p.getMessage().strip();
        return told.isEmpty() ? "the preprocessor does not understand this line" : "preprocessor: " + told;
    }
}
