package knobscape.hls.source.clang;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrModule;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.file.SourceFiles;

/// Finds the top function: the one named, else the one a Tcl file beside the source names, else the likeliest.
final class TopChoice {
    private static final Pattern SET_TOP = Pattern.compile("(?m)^\\s*set_top\\s+(?:-[\\w]+\\s+)*\"?([A-Za-z_]\\w*)");
    private static final int MOST_TCL = 50;
    private static final Pattern TEST = Pattern.compile("(?i)(?:^|_)(?:test|tb|testbench|check|golden)(?:_|$)");

    private final Path file;
    private final Path main;
    private final IrModule module;
    private final List<IrFunction> own;

    /// @param file as the user named it
    /// @param main the same as the compiler names it
    /// @param own functions of the project
    TopChoice(Path file, Path main, IrModule module, List<IrFunction> own) {
        this.file = file;
        this.main = main;
        this.module = module;
        this.own = own;
    }

    /// Throws [UserError] where there is none.
    IrFunction choose(Optional<String> wanted) {
        if (own.isEmpty()) {
            throw new UserError(file + " defines no function; name a source file with a kernel in it.");
        }
        if (wanted.isPresent()) {
            return named(wanted.get()).orElseThrow(() -> unknown(wanted.get()));
        }
        if (own.stream().noneMatch(f -> loops(f) > 0)) {
            throw new UserError(file + " has no loops in any function, so there is nothing to optimise; "
                    + "name the source file that holds the kernel.");
        }
        return tops().stream()
                .flatMap(t -> named(t).stream())
                .filter(f -> loops(f) > 0)
                .findFirst()
                .orElseGet(this::likeliest);
    }

    private IrFunction likeliest() {
        List<IrFunction> uncalled = own.stream()
                .filter(f -> loops(f) > 0
                        && !f.sourceName().equals("main")
                        && !LinkerName.of(f.name()).constructor()
                        && !isCalled(f))
                .toList();
        List<IrFunction> candidates = uncalled.stream().filter(this::isAskedFor).toList();
        if (candidates.isEmpty()) {
            candidates = own.stream().filter(f -> loops(f) > 0 && isInMain(f)).toList();
        }
        if (candidates.isEmpty()) {
            candidates =
                    uncalled.isEmpty() ? own.stream().filter(f -> loops(f) > 0).toList() : uncalled;
        }
        return candidates.stream()
                .max(Comparator.comparingInt(this::likeness).thenComparingInt(this::loops))
                .orElseThrow();
    }

    private Optional<IrFunction> named(String name) {
        return own.stream()
                .filter(f -> f.sourceName().replace(", ", ",").equals(name))
                .findFirst()
                .or(() -> own.stream()
                        .filter(f -> LinkerName.plain(f.sourceName()).equals(name)
                                || (String.join("::", LinkerName.of(f.name()).scopes()) + "::"
                                                + LinkerName.plain(f.sourceName()))
                                        .endsWith("::" + name))
                        .findFirst());
    }

    private UserError unknown(String wanted) {
        Set<String> names = own.stream().map(IrFunction::sourceName).collect(Collectors.toCollection(TreeSet::new));
        return new UserError(file + " has no function '" + wanted + "'; "
                + NameSuggestions.nearest(wanted, names)
                        .map(n -> "did you mean '" + n + "'?")
                        .orElseGet(() -> "it has "
                                + String.join(", ", names.stream().limit(10).toList())
                                + (names.size() > 10 ? ", ..." : "") + "."));
    }

    private static boolean isTest(IrFunction f) {
        return f.sourceName().equals("main") || TEST.matcher(f.sourceName()).find();
    }

    /// True if a function other than `main` and tests calls it.
    private boolean isCalled(IrFunction f) {
        return own.stream()
                .anyMatch(c -> c != f && !isTest(c) && callees(c).stream().anyMatch(f.name()::equals));
    }

    private boolean isInMain(IrFunction f) {
        return f.location().filter(l -> Path.of(l.file()).equals(main)).isPresent();
    }

    /// True if it stands in the file that was opened, or the `main` there calls it: a header brings helpers that nobody
    /// asked for.
    private boolean isAskedFor(IrFunction f) {
        return isInMain(f)
                || own.stream()
                        .anyMatch(m -> m.sourceName().equals("main")
                                && isInMain(m)
                                && callees(m).contains(f.name()));
    }

    private static List<String> callees(IrFunction f) {
        return f.instructions().stream()
                .flatMap(i -> i.callee().stream())
                .distinct()
                .toList();
    }

    private int loops(IrFunction f) {
        return loops(f, new HashSet<>());
    }

    private int loops(IrFunction f, Set<String> seen) {
        int n = seen.add(f.name()) ? IrLoops.of(f).all().size() : 0;
        for (String c : callees(f)) {
            Optional<IrFunction> callee = module.function(c).filter(x -> !x.isDeclaration() && !seen.contains(c));
            n += callee.map(x -> loops(x, seen)).orElse(0);
        }
        return n;
    }

    /// How much the name looks like that of a kernel.
    private int likeness(IrFunction f) {
        String name = LinkerName.plain(f.sourceName()).toLowerCase(Locale.ROOT);
        String stem =
                String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).replaceFirst("\\.[^.]*$", "");
        if (!SourceEndings.isSource(Path.of(f.location().orElseThrow().file())) && !isInMain(f)) {
            return -1;
        }
        if (name.equals(stem)) {
            return 6;
        }
        if (name.startsWith("kernel_") || name.endsWith("_top") || name.startsWith("top_") || name.equals("top")) {
            return 5;
        }
        if (stem.replace("-", "_").contains(name) || name.contains(stem.replace("-", "_"))) {
            return 4;
        }
        if (name.contains("top") || name.contains("kernel") || name.contains("krnl")) {
            return 3;
        }
        return name.startsWith("init")
                        || name.startsWith("print")
                        || name.contains("test")
                        || name.contains("check")
                        || name.contains("golden")
                ? 0
                : 1;
    }

    /// Top functions named in Tcl files beside the source.
    private List<String> tops() {
        var files = new ArrayList<Path>();
        try (DirectoryStream<Path> list = Files.newDirectoryStream(Objects.requireNonNull(main.getParent()), "*.tcl")) {
            for (Path p : list) {
                if (files.size() < MOST_TCL) {
                    files.add(p);
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        files.sort(Comparator.naturalOrder());
        var found = new ArrayList<String>();
        for (Path p : files) {
            try {
                if (Files.isRegularFile(p) && Files.size(p) < SourceFiles.MAX_BYTES) {
                    Matcher m = SET_TOP.matcher(new String(Files.readAllBytes(p), StandardCharsets.ISO_8859_1));
                    while (m.find()) {
                        found.add(m.group(1));
                    }
                }
            } catch (IOException e) {
                // A Tcl file that cannot be read is no help, and none is needed.
            }
        }
        return found;
    }
}
