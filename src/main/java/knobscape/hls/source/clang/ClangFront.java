package knobscape.hls.source.clang;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.compile.Clang;
import knobscape.compile.CompileLimits;
import knobscape.compile.CompileUnit;
import knobscape.compile.Diagnostic;
import knobscape.compile.Llvm;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Location;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.SourceNote;
import knobscape.hls.source.file.ProjectTree;
import knobscape.hls.source.file.SourceFiles;
import knobscape.hls.source.file.SourceText;
import org.jspecify.annotations.Nullable;

/// Compiles a source with its directives as calls. Headers are looked for in the given folders, then anywhere in the
/// project; ours stand in for the tool's and the system's; one that is nowhere is an empty file, with a note. All
/// sources that it compiles share one LLVM process.
public final class ClangFront implements AutoCloseable {
    /// How headers of the vendor's libraries are called.
    private static final Pattern VENDORS = Pattern.compile("^(hls_|ap_|hls/|(common/|imgproc/)?xf_)");

    private static final int ROUNDS = 8;
    private static final int ATTEMPTS = 12;
    private static final int MOST_FILES = 2_000;
    private static final List<String> LIBRARIES = List.of("std", "hls", "tapa");
    private final Clang clang;
    private final Llvm llvm;
    private @Nullable ToolHeaders unpacked;

    public ClangFront(CompileLimits limits) {
        clang = new Clang(limits);
        llvm = new Llvm(limits);
    }

    /// Ends the LLVM process.
    @Override
    public void close() {
        llvm.close();
    }

    /// True if our headers in the place of the tool's and the system's declare a function, by the linker's name.
    boolean declares(String linker) {
        LinkerName name = LinkerName.of(linker);
        return LIBRARIES.stream().anyMatch(name::isWithin)
                || (!linker.startsWith("_Z") && unpacked().declares(linker));
    }

    private synchronized ToolHeaders unpacked() {
        ToolHeaders made = unpacked == null ? new ToolHeaders() : unpacked;
        unpacked = made;
        return made;
    }

    /// Compiles. Throws [UserError] with the compiler's message for what does not compile, for a file that cannot be a
    /// source, and where limits are passed.
    public CompiledSource compile(Path file, KernelReader.Options options, CancellationSignal cancel) {
        return compile(file, List.of(), options, cancel);
    }

    /// The same with other sources of the program, as if they stood in front of it.
    ///
    /// @param others absolute
    public CompiledSource compile(
            Path file, List<Path> others, KernelReader.Options options, CancellationSignal cancel) {
        String text = options.text().orElseGet(() -> SourceFiles.readMain(file));
        llvm.prepare();
        Path main = file.toAbsolutePath().normalize();
        var work = new Work(file, main, text, others, options, cancel);
        work.headers();
        work.expand();
        return work.compiled();
    }

    /// One source on its way.
    private final class Work {
        private final Path given;
        private final Path main;
        private final ToolHeaders headers = unpacked();
        private final List<Path> before = new ArrayList<>();
        private final CancellationSignal cancel;
        private final ProjectTree tree;
        private final Set<Path> includes = new LinkedHashSet<>();
        private final Map<Path, String> standIns = new TreeMap<>();
        private final Map<Path, String> texts = new TreeMap<>();
        private final Set<Path> searched = new HashSet<>();
        private final Map<String, String> expanded = new HashMap<>();
        private final Map<Integer, CompiledSource.Directive> directives = new LinkedHashMap<>();
        private final Set<Integer> dropped = new HashSet<>();
        private final List<SourceNote> notes = new ArrayList<>();
        private final List<CompiledSource.Shift> shifts = new ArrayList<>();
        private final Map<String, String> defines = new HashMap<>();
        private final boolean cPlusPlus;

        Work(
                Path given,
                Path main,
                String text,
                List<Path> others,
                KernelReader.Options options,
                CancellationSignal cancel) {
            this.given = given;
            this.main = main;
            before.add(headers.prelude());
            before.addAll(others);
            this.cancel = cancel;
            tree = new ProjectTree(main);
            texts.put(main, text);
            options.text().ifPresent(t -> standIns.put(main, t));
            options.includeDirs().forEach(d -> includes.add(d.toAbsolutePath().normalize()));
            defines.put("__SYNTHESIS__", "1");
            defines.put("__VITIS_HLS__", "1");
            defines.put("hls_thread_local", "");
            defines.putAll(options.defines());
            cPlusPlus = Stream.concat(Stream.of(main), others.stream()).anyMatch(p -> !SourceEndings.isC(p));
        }

        private CompileUnit unit() {
            var folders = new ArrayList<>(includes);
            folders.add(headers.folder());
            folders.add(headers.folder().resolve("missing"));
            return new CompileUnit(main, cPlusPlus, folders, before, defines, standIns);
        }

        /// Finds what is included, until nothing is missing.
        void headers() {
            if (before.size() == 1 && !Objects.requireNonNull(texts.get(main)).contains("include")) {
                return;
            }
            for (int round = 0; ; round++) {
                Clang.Included included = clang.included(unit(), cancel);
                boolean more = false;
                for (Path p : included.files()) {
                    if (texts.size() < MOST_FILES && !p.startsWith(headers.folder()) && !standIns.containsKey(p)) {
                        Optional<String> ours = p.equals(main) ? Optional.empty() : headers.inPlaceOf(p);
                        if (ours.isPresent()) {
                            standIns.put(p, ours.get());
                            more = true;
                        } else if (!texts.containsKey(p)) {
                            SourceFiles.readHeader(p).ifPresent(t -> texts.put(p, t));
                        }
                    }
                }
                for (String name : included.missing()) {
                    more |= round < ROUNDS && found(name);
                }
                if (!more || round > ROUNDS) {
                    return;
                }
            }
        }

        /// Finds parameters that macros make.
        void expand() {
            Set<String> wanted = new HashSet<>();
            texts.values().forEach(t -> wanted.addAll(PragmaMarkers.withMacros(t)));
            if (!wanted.isEmpty()) {
                PragmaMarkers.heads(SourceCode.blank(clang.preprocessed(unit(), cancel)))
                        .forEach((name, parameters) -> {
                            if (wanted.contains(name)) {
                                expanded.put(name, parameters);
                            }
                        });
            }
        }

        /// Makes a missing header findable: the project's, or an empty one.
        private boolean found(String name) {
            Path virtual = headers.folder().resolve("missing").resolve(name).normalize();
            if (!virtual.startsWith(headers.folder()) || standIns.containsKey(virtual)) {
                return false;
            }
            Optional<Path> nearest = tree.find(name);
            if (nearest.isPresent()) {
                searched.add(nearest.get().toAbsolutePath().normalize());
                // As if it stood where it is looked for: also for `../common/x.h`.
                standIns.put(virtual, "#include \"" + nearest.get().toString().replace("\\", "/") + "\"\n");
                return true;
            }
            standIns.put(virtual, "");
            notes.add(new SourceNote(SourceNote.Severity.WARNING, includeOf(name), SourceNote.missingHeader(name)));
            return true;
        }

        /// Where a header is asked for.
        private Location includeOf(String name) {
            for (var t : texts.entrySet()) {
                for (String quoted : List.of("\"" + name + "\"", "<" + name + ">")) {
                    int at = t.getValue().indexOf(quoted);
                    if (at >= 0) {
                        return new SourceText(name(t.getKey()), t.getValue()).location(at, quoted.length());
                    }
                }
            }
            return new Location(name(main), 1, 1, 0, 0);
        }

        CompiledSource compiled() {
            List<Diagnostic> first = List.of();
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Clang.Outcome outcome = clang.compile(marked(), cancel);
                if (outcome instanceof Clang.Outcome.Compiled(byte[] bitcode)) {
                    return new CompiledSource(
                            main, llvm, llvm.load(bitcode), texts, searched, written(), notes, shifts);
                }
                List<Diagnostic> errors = ((Clang.Outcome.Rejected) outcome)
                        .messages().stream().filter(Diagnostic::error).toList();
                if (attempt == 0) {
                    first = errors;
                }
                if (!drop(errors)) {
                    throw new UserError(rejected(errors));
                }
            }
            throw new UserError(rejected(first));
        }

        /// The directives that a person wrote.
        private List<CompiledSource.Directive> written() {
            return directives.values().stream().filter(d -> !isSize(d)).toList();
        }

        private static boolean isSize(CompiledSource.Directive d) {
            return d.name().equals(PragmaText.SIZE.directive());
        }

        /// The source with calls in the place of directives.
        private CompileUnit marked() {
            directives.clear();
            shifts.clear();
            var replaced = new HashMap<>(standIns);
            var macros = new StringBuilder();
            for (var t : texts.entrySet()) {
                var marked = PragmaMarkers.mark(t.getValue(), directives.size(), dropped, expanded);
                var text = new SourceText(name(t.getKey()), t.getValue());
                for (PragmaMarkers.Marker m : marked.markers()) {
                    PragmaText p = m.pragma();
                    directives.put(
                            m.number(),
                            new CompiledSource.Directive(
                                    m.number(),
                                    p.directive(),
                                    p.options(),
                                    p.numbers(),
                                    p.above(),
                                    text.location(m.offset(), 1),
                                    m.editable(),
                                    m.raw()));
                }
                macros.append(marked.macros());
                marked.shifts()
                        .forEach(x -> shifts.add(new CompiledSource.Shift(t.getKey(), x.line(), x.column(), x.by())));
                // Sources that are compiled as one share headers that nothing guards.
                boolean shared = before.size() > 1 && !SourceEndings.isSource(t.getKey());
                if (shared || !marked.markers().isEmpty()) {
                    replaced.put(t.getKey(), marked.text() + (shared ? "\n#pragma once\n" : ""));
                }
            }
            CompileUnit unit = unit().withReplaced(replaced);
            if (macros.isEmpty()) {
                return unit;
            }
            Path definitions = headers.folder().resolve("missing").resolve("directives.h");
            replaced.put(definitions, macros.toString());
            var all = new ArrayList<>(before);
            all.add(1, definitions);
            return new CompileUnit(main, cPlusPlus, unit.includes(), all, defines, replaced);
        }

        /// Takes back the calls that the compiler does not understand; false where none is to blame.
        private boolean drop(List<Diagnostic> errors) {
            boolean some = false;
            for (Diagnostic e : errors) {
                for (CompiledSource.Directive d : directives.values()) {
                    if (d.location().line() == e.line()
                            && d.location().file().equals(name(Path.of(e.file())))
                            && dropped.add(d.number())) {
                        some = true;
                        if (isSize(d)) {
                            continue;
                        }
                        notes.add(new SourceNote(
                                SourceNote.Severity.WARNING,
                                d.location(),
                                "the directive is not understood here and not applied: " + e.message()));
                    }
                }
            }
            return some;
        }

        private String rejected(List<Diagnostic> errors) {
            Diagnostic e = errors.getFirst();
            String place =
                    e.file().isEmpty() ? name(main) : name(Path.of(e.file())) + ":" + e.line() + ":" + e.column();
            List<String> missing = notes.stream()
                    .filter(SourceNote::isMissingHeader)
                    .map(n -> n.message().split("'")[1])
                    .toList();
            List<String> vendors =
                    missing.stream().filter(VENDORS.asPredicate()).toList();
            String hint = missing.isEmpty()
                    ? ""
                    : " Headers that are missing: " + String.join(", ", missing) + "; name their folder with -I."
                            + (vendors.isEmpty()
                                    ? ""
                                    : " The vendor's libraries have " + String.join(", ", vendors)
                                            + ", for which nothing stands in here: the tool's include folder does.");
            return place + ": " + e.message() + "." + hint + (e.excerpt().isEmpty() ? "" : "\n" + e.excerpt());
        }

        /// A file as the user named it, or as it is included.
        private String name(Path path) {
            if (path.equals(main)) {
                return given.toString();
            }
            Path folder = Objects.requireNonNull(main.getParent());
            return path.startsWith(folder) ? folder.relativize(path).toString() : path.toString();
        }
    }
}
