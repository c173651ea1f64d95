package knobscape.hls.source.clang;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrModule;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.file.SourceFiles;

/// Finds the source files beside a kernel and its headers that hold the functions it calls but only declares: a kernel
/// of several files, of which the main one was given. A file with a `main` is a testbench and left alone.
final class SiblingSources {
    private static final int MOST_FILES = 500;
    /// Letters that the parameters of a function may have; a file of open parentheses is not searched to its end for
    /// each.
    private static final int LONGEST_PARAMETERS = 10_000;

    /// Functions of the C library that a tool leaves out, or makes of the memory's ports.
    private static final Set<String> WITHOUT_HARDWARE = Set.of(
            "printf",
            "fprintf",
            "sprintf",
            "snprintf",
            "puts",
            "fputs",
            "fputc",
            "putchar",
            "fflush",
            "abort",
            "exit",
            "free",
            "malloc",
            "calloc",
            "memcpy",
            "memmove",
            "memset");

    private final CompiledSource source;
    private final List<Path> named;
    private final boolean cPlusPlus;
    private final Map<Path, Set<Path>> folders = new HashMap<>();
    private final Map<Path, String> codes = new HashMap<>();

    /// @param named sources that the project names, looked at first
    SiblingSources(CompiledSource source, List<Path> named) {
        this.source = source;
        this.named = named;
        cPlusPlus = !SourceEndings.isC(source.main());
    }

    /// True of the library's operations, of what has no hardware, and of what these headers say for the estimate.
    static boolean isModelled(String linker) {
        LinkerName whole = LinkerName.of(linker);
        String name = whole.name();
        return OperationKind.ofCall(name) != OperationKind.OTHER
                || name.startsWith("kn_")
                || whole.isWithin("std")
                || WITHOUT_HARDWARE.contains(name);
    }

    /// Functions that are called and have no body, by name with namespaces, with the first call.
    ///
    /// @param own whether a function is of the project
    /// @param library whether the headers of the tool or the system declare what has a linker's name
    static Map<String, IrLocation> open(IrModule module, Predicate<IrFunction> own, Predicate<String> library) {
        var open = new LinkedHashMap<String, IrLocation>();
        for (IrFunction f : module.functions()) {
            if (own.test(f)) {
                f.instructions()
                        .forEach(i -> i.callee()
                                .filter(c -> module.function(c)
                                        .filter(x -> !x.isDeclaration())
                                        .isEmpty())
                                .filter(c -> !c.startsWith("llvm.") && !c.startsWith("__"))
                                .filter(c -> !library.test(c))
                                .filter(c -> !LinkerName.of(c).name().isEmpty())
                                .map(c -> LinkerName.of(c).whole())
                                .ifPresent(n -> i.location()
                                        .map(IrLocation::outermost)
                                        .filter(l -> l.line() > 0)
                                        .ifPresent(l -> open.putIfAbsent(n, l))));
            }
        }
        return open;
    }

    /// The one file with a function's body; of several the one named like a header that declares it.
    Optional<Path> holder(String name) {
        Optional<Path> told = named.stream()
                .filter(f -> !source.texts().containsKey(f) && defines(f, name))
                .findFirst();
        return told.isPresent() ? told : beside(name);
    }

    private Optional<Path> beside(String name) {
        Pattern word = Pattern.compile("\\b" + Pattern.quote(name) + "\\b");
        var stems = new LinkedHashSet<String>();
        var in = new LinkedHashSet<Path>(
                List.of(Objects.requireNonNull(source.main().getParent())));
        source.texts().forEach((p, t) -> {
            if (!p.equals(source.main()) && word.matcher(t).find()) {
                stems.add(stem(p));
                in.add(Objects.requireNonNull(p.getParent()));
            }
        });
        var files = new TreeSet<Path>();
        in.forEach(folder -> folders.computeIfAbsent(folder, this::sources).stream()
                .filter(f -> defines(f, name) && !defines(f, "main"))
                .forEach(files::add));
        return files.size() == 1
                ? Optional.of(files.first())
                : files.stream().filter(f -> stems.contains(stem(f))).findFirst();
    }

    private static String stem(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
    }

    private Set<Path> sources(Path folder) {
        var files = new TreeSet<Path>();
        try (DirectoryStream<Path> list = Files.newDirectoryStream(folder)) {
            for (Path p : list) {
                if (files.size() < MOST_FILES
                        && !source.texts().containsKey(p)
                        && SourceEndings.isSource(p)
                        && (cPlusPlus || SourceEndings.isC(p))) {
                    files.add(p);
                }
            }
        } catch (IOException e) {
            // A folder that cannot be listed holds nothing that could be read.
            return Set.of();
        }
        return files;
    }

    private boolean defines(Path file, String name) {
        String code = codes.computeIfAbsent(
                file, f -> SourceCode.blank(SourceFiles.readHeader(f).orElse("")));
        Matcher m = Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "\\s*(?:<[^<>;{}]*>\\s*)?\\(")
                .matcher(code);
        while (m.find()) {
            int depth = 1;
            int at = m.end();
            for (int end = Math.min(code.length(), at + LONGEST_PARAMETERS); at < end && depth > 0; at++) {
                depth += code.charAt(at) == '(' ? 1 : code.charAt(at) == ')' ? -1 : 0;
            }
            if (depth == 0
                    && PragmaMarkers.BODY
                            .matcher(code)
                            .region(at, code.length())
                            .lookingAt()) {
                return true;
            }
        }
        return false;
    }
}
