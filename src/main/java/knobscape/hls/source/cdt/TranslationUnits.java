package knobscape.hls.source.cdt;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.file.ProjectTree;
import knobscape.hls.source.file.SourceText;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorIncludeStatement;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.gnu.c.GCCLanguage;
import org.eclipse.cdt.core.dom.ast.gnu.cpp.GPPLanguage;
import org.eclipse.cdt.core.dom.parser.AbstractCLikeLanguage;
import org.eclipse.cdt.core.parser.ExtendedScannerInfo;
import org.eclipse.cdt.core.parser.FileContent;
import org.eclipse.cdt.core.parser.NullLogService;
import org.eclipse.core.runtime.CoreException;

/// Parses one file, again where a missing header or the source of a called function was found by searching, or an
/// unknown template had to be declared first.
final class TranslationUnits {
    private static final String GENERATED = StubHeaders.FOLDER + "/generated-templates.h";
    private static final int MAX_ROUNDS = 8;
    private static final int MAX_HEADERS = 1_000;
    private static final Pattern INCLUDE =
            Pattern.compile("(?m)^[ \\t]*#[ \\t]*include[ \\t]*[\"<]([^\">\\x00-\\x1f]+)[\">]");
    private final StubHeaders stubs = new StubHeaders();

    /// A parsed file.
    ///
    /// @param unit syntax tree
    /// @param main text of the main file
    /// @param positions places in all files
    /// @param cpp whether it was read as C++
    /// @param foundBySearch header as written to the file it was found in
    /// @param missing headers that were not found, as written
    /// @param declaredTemplates unknown templates that were declared to make the file parse
    /// @param withoutBody functions that are called and declared, but have no body in any file
    /// @param others other source files that hold functions it calls, with these functions
    record Parsed(
            IASTTranslationUnit unit,
            SourceText main,
            Positions positions,
            boolean cpp,
            Map<String, Path> foundBySearch,
            List<IASTPreprocessorIncludeStatement> missing,
            Set<String> declaredTemplates,
            Set<IBinding> withoutBody,
            Map<Path, Set<String>> others) {

        /// Names of all files that were read.
        Set<String> read() {
            var names = new LinkedHashSet<String>();
            names.add(main.name());
            others.keySet().forEach(p -> names.add(p.toString()));
            for (IASTPreprocessorIncludeStatement include : unit.getIncludeDirectives()) {
                if (include.isActive() && include.isResolved()) {
                    names.add(include.getPath());
                }
            }
            return names;
        }
    }

    /// Parses `text` as the contents of `file`.
    Parsed parse(Path file, String text, Options options) {
        Path absolute = file.toAbsolutePath().normalize();
        boolean cpp = !SourceEndings.isC(file);
        var folders = new ArrayList<String>();
        for (Path p : options.includeDirs()) {
            folders.add(p.toAbsolutePath().normalize().toString());
        }
        Map<String, Path> found = new LinkedHashMap<>();
        Set<String> templates = new LinkedHashSet<>();
        String declarations = "";
        Set<Integer> variables = new LinkedHashSet<>();
        ProjectTree tree = new ProjectTree(absolute);
        var others = new OtherSources(absolute, cpp);
        for (int round = 0; ; round++) {
            Map<String, String> virtual = declarations.isEmpty() ? Map.of() : Map.of(GENERATED, declarations);
            var headers = new Headers(stubs, virtual);
            checkMacros(absolute, file, text, folders, headers);
            IASTTranslationUnit unit = parse(
                    absolute,
                    text,
                    cpp ? LessThan.language(variables) : GCCLanguage.getDefault(),
                    options,
                    folders,
                    headers,
                    Stream.concat(virtual.keySet().stream(), others.paths().stream())
                            .toList());
            List<IASTPreprocessorIncludeStatement> missing = missing(unit);
            boolean again = false;
            for (IASTPreprocessorIncludeStatement include : missing) {
                String name = include.getName().toString();
                Optional<Path> at = found.containsKey(name) ? Optional.empty() : tree.find(name);
                if (at.isPresent()) {
                    found.put(name, at.get());
                    folders.add(folderFor(name, at.get()));
                    again = true;
                }
            }
            if (cpp && !again) {
                UnknownTemplates unknown = UnknownTemplates.in(unit, text, templates);
                if (!unknown.names().isEmpty()) {
                    templates.addAll(unknown.names());
                    declarations += unknown.declarations();
                    again = true;
                }
            }
            if (!again) {
                again = others.search(unit, p -> p.equals(absolute.toString()) || headers.isReal(p));
            }
            if (again) {
                // Other text is read from now on, and the places in it are others.
                variables.clear();
            } else if (cpp) {
                again = variables.addAll(LessThan.mistaken(unit));
            }
            if (!again || round >= MAX_ROUNDS) {
                var positions = new Positions(absolute, file, text, headers.readFiles());
                return new Parsed(
                        unit,
                        positions.main(),
                        positions,
                        cpp,
                        found,
                        missing,
                        templates,
                        others.open(),
                        others.found());
            }
        }
    }

    /// Before the parser expands them: macros of the file and of the headers it names, as far as they are found
    /// beside it or in `folders`.
    private static void checkMacros(Path absolute, Path shown, String text, List<String> folders, Headers headers) {
        var sizes = new MacroSizes();
        Map<Path, String> texts = new LinkedHashMap<>(Map.of(absolute, text));
        var waiting = new ArrayDeque<>(List.of(absolute));
        while (!waiting.isEmpty()) {
            Path file = waiting.poll();
            sizes.define(requireNonNull(texts.get(file)));
            Matcher include = INCLUDE.matcher(texts.get(file));
            while (include.find() && texts.size() < MAX_HEADERS) {
                String name = include.group(1);
                var places = new ArrayList<>(List.of(String.valueOf(file.getParent())));
                places.addAll(folders);
                places.stream()
                        .map(p -> Path.of(p + "/" + name).normalize())
                        .filter(p -> headers.getInclusionExists(p.toString()))
                        .findFirst()
                        .filter(p -> !texts.containsKey(p))
                        .ifPresent(p -> {
                            texts.put(p, headers.textOf(p.toString()));
                            waiting.add(p);
                        });
            }
        }
        texts.forEach(
                (path, content) -> sizes.check(path.equals(absolute) ? shown.toString() : path.toString(), content));
    }

    /// The folder from which the name as written leads to the file; it need not exist where the name starts
    /// with "..".
    private static String folderFor(String name, Path file) {
        Path written = Path.of(name).normalize();
        Path folder = file.getParent();
        StringBuilder ups = new StringBuilder();
        for (int i = 0; i < written.getNameCount() - 1; i++) {
            if (written.getName(i).toString().equals("..")) {
                ups.append("/_");
            } else if (folder != null) {
                folder = folder.getParent();
            }
        }
        return folder + ups.toString();
    }

    private IASTTranslationUnit parse(
            Path file,
            String text,
            AbstractCLikeLanguage language,
            Options options,
            List<String> folders,
            Headers headers,
            List<String> before) {
        boolean cpp = language instanceof GPPLanguage;
        var macros = new LinkedHashMap<String, String>();
        macros.put("__SYNTHESIS__", "1");
        macros.put("__VITIS_HLS__", "1");
        macros.put("hls_thread_local", "");
        macros.put(cpp ? "__cplusplus" : "__STDC_VERSION__", cpp ? "201703L" : "201112L");
        Map.of(
                        "SHORT",
                        2,
                        "INT",
                        4,
                        "LONG",
                        8,
                        "LONG_LONG",
                        8,
                        "FLOAT",
                        4,
                        "DOUBLE",
                        8,
                        "LONG_DOUBLE",
                        16,
                        "POINTER",
                        8,
                        "SIZE_T",
                        8,
                        "WCHAR_T",
                        4)
                .forEach((name, bytes) -> macros.put("__SIZEOF_" + name + "__", bytes.toString()));
        macros.putAll(options.defines());
        var path = new ArrayList<>(folders);
        path.add(StubHeaders.FOLDER);
        var info = new ExtendedScannerInfo(
                macros, path.toArray(String[]::new), new String[0], before.toArray(String[]::new));
        try {
            return language.getASTTranslationUnit(
                    FileContent.create(file.toString(), true, text.toCharArray()),
                    info,
                    headers,
                    null,
                    0,
                    new NullLogService());
        } catch (CoreException e) {
            throw new IllegalStateException("the parser gave up on " + file, e);
        }
    }

    private static List<IASTPreprocessorIncludeStatement> missing(IASTTranslationUnit unit) {
        var missing = new ArrayList<IASTPreprocessorIncludeStatement>();
        for (IASTPreprocessorIncludeStatement include : unit.getIncludeDirectives()) {
            if (include.isActive() && !include.isResolved()) {
                missing.add(include);
            }
        }
        return missing;
    }
}
