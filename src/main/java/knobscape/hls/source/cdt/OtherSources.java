package knobscape.hls.source.cdt;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.file.SourceFiles;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IFunction;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPSpecialization;

/// Finds the source files beside a kernel and its headers that hold the functions it calls but only declares: a
/// kernel of several files, of which the main one was given. A file with a `main` is a testbench and left alone.
final class OtherSources {
    private static final int MAX_FILES = 500;
    /// Letters that the parameters of a function may have; a file of open parentheses is not searched to its end for
    /// each.
    private static final int LONGEST_PARAMETERS = 10_000;

    private static final Pattern BODY = Pattern.compile("\\s*+(?:const\\s*+|noexcept\\s*+)?\\{");
    private static final Pattern COMMENT = Pattern.compile("/\\*(?s:.*?)(?:\\*/|\\z)|//[^\\n]*");
    private final Path main;
    private final boolean cpp;
    private final Map<Path, List<Path>> folders = new HashMap<>();
    private final Map<Path, String> texts = new HashMap<>();
    private final Map<Path, Set<String>> found = new LinkedHashMap<>();
    private Set<IBinding> open = Set.of();

    /// @param main absolute path of the main file
    OtherSources(Path main, boolean cpp) {
        this.main = main;
        this.cpp = cpp;
    }

    /// The files that were found, with the functions they were taken for, those that need others last.
    Map<Path, Set<String>> found() {
        return found;
    }

    /// Looks for what `unit` calls and no file has; true where there is a new file.
    ///
    /// @param readable whether the parser read a header from this path, not one of our own
    boolean search(IASTTranslationUnit unit, java.util.function.Predicate<String> readable) {
        boolean more = false;
        Map<IBinding, Path> without = withoutBody(unit, readable);
        open = without.keySet();
        for (Map.Entry<IBinding, Path> f : without.entrySet()) {
            String name = f.getKey().getName();
            Optional<Path> file = holder(name, f.getValue());
            if (file.isPresent()) {
                more |= !found.containsKey(file.get());
                found.computeIfAbsent(file.get(), _ -> new LinkedHashSet<>()).add(name);
            }
        }
        return more;
    }

    /// The functions of the unit searched last whose body was in none of its files.
    Set<IBinding> open() {
        return open;
    }

    /// Functions that are called, declared in a file of the project and defined in none, with that file.
    private static Map<IBinding, Path> withoutBody(
            IASTTranslationUnit unit, java.util.function.Predicate<String> readable) {
        var defined = new HashSet<IBinding>();
        var declared = new HashMap<IBinding, Path>();
        var called = new LinkedHashSet<IBinding>();
        unit.accept(new ASTVisitor() {
            {
                shouldVisitDeclarations = true;
                shouldVisitDeclarators = true;
                shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTDeclaration d) {
                if (d.getFileLocation() == null
                        || !readable.test(d.getFileLocation().getFileName())) {
                    return PROCESS_SKIP;
                }
                if (d instanceof IASTFunctionDefinition f) {
                    Optional.ofNullable(Nodes.binding(Nodes.nameOf(f))).ifPresent(defined::add);
                }
                return PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTDeclarator d) {
                if (d instanceof IASTFunctionDeclarator f
                        && !(f.getParent() instanceof IASTFunctionDefinition)
                        && f.getNestedDeclarator() == null
                        && !Nodes.isNameless(f)
                        && f.getFileLocation() != null
                        && Nodes.binding(f.getName()) instanceof IFunction b) {
                    declared.putIfAbsent(b, Path.of(f.getFileLocation().getFileName()));
                }
                return PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTExpression e) {
                if (e instanceof IASTFunctionCallExpression c
                        && Nodes.binding(c.getFunctionNameExpression()) instanceof IFunction b) {
                    // Of a template that is only declared, another file has the specialisations.
                    called.add(b instanceof ICPPSpecialization s ? s.getSpecializedBinding() : b);
                }
                return PROCESS_CONTINUE;
            }
        });
        var open = new LinkedHashMap<IBinding, Path>();
        called.stream()
                .filter(b -> declared.containsKey(b) && !defined.contains(b))
                .forEach(b -> open.put(b, requireNonNull(declared.get(b))));
        return open;
    }

    /// The one file with the function's body; of several the one named like the header that declares it.
    private Optional<Path> holder(String name, Path declaredIn) {
        var files = new LinkedHashSet<Path>();
        for (Path folder : List.of(requireNonNull(main.getParent()), requireNonNull(declaredIn.getParent()))) {
            folders.computeIfAbsent(folder.normalize(), this::sources).stream()
                    .filter(f -> defines(f, name) && !defines(f, "main"))
                    .forEach(files::add);
        }
        return files.size() == 1
                ? Optional.of(files.getFirst())
                : files.stream().filter(f -> stem(f).equals(stem(declaredIn))).findFirst();
    }

    private static String stem(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
    }

    private List<Path> sources(Path folder) {
        var files = new TreeSet<Path>();
        try (DirectoryStream<Path> list = Files.newDirectoryStream(folder)) {
            for (Path p : list) {
                if (files.size() < MAX_FILES
                        && !p.equals(main)
                        && SourceEndings.isSource(p)
                        && (cpp || SourceEndings.isC(p))) {
                    files.add(p);
                }
            }
        } catch (IOException e) {
            // A folder that cannot be listed holds nothing that could be read.
            return List.of();
        }
        return new ArrayList<>(files);
    }

    private boolean defines(Path file, String name) {
        String text = texts.computeIfAbsent(
                file, f -> COMMENT.matcher(SourceFiles.readHeader(f).orElse("")).replaceAll(" "));
        Matcher m = Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "\\s*(?:<[^<>;{}]*>\\s*)?\\(")
                .matcher(text);
        while (m.find()) {
            int depth = 1;
            int at = m.end();
            for (int end = Math.min(text.length(), at + LONGEST_PARAMETERS); at < end && depth > 0; at++) {
                depth += text.charAt(at) == '(' ? 1 : text.charAt(at) == ')' ? -1 : 0;
            }
            if (depth == 0 && BODY.matcher(text).region(at, text.length()).lookingAt()) {
                return true;
            }
        }
        return false;
    }

    /// The files as the parser wants them: included before the main file.
    Collection<String> paths() {
        return found.keySet().stream().map(Path::toString).toList();
    }
}
