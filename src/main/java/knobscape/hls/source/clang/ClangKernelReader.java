package knobscape.hls.source.clang;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrLoopMark;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrValue;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.SourceNote;
import knobscape.hls.source.TripCount;
import knobscape.hls.source.file.SourceText;

/// Reads the facts of a kernel through the compiler: functions, loops with places, names and trip counts, arrays and
/// directives. Bodies hold their loops only; operations and accesses are the compiler's form.
public final class ClangKernelReader implements KernelReader {
    private static final int ROUNDS = 5;
    private static final int MOST_NAMED = 10;
    /// Code of headers in place, variables as values; loops and accesses as they are written.
    private static final String VALUES = "always-inline,function(sroa<modify-cfg>,sroa<modify-cfg>)";

    private static final Pattern BLOCK_FUNCTION = Pattern.compile("(?:std::|__builtin_)?mem(?:cpy|move|set)\\b");

    private final ClangFront front;
    private final CancellationSignal cancel;

    /// @param front compiles
    /// @param cancel stops reading
    public ClangKernelReader(ClangFront front, CancellationSignal cancel) {
        this.front = front;
        this.cancel = cancel;
    }

    @Override
    public Kernel read(Path file, Options options) {
        CompiledSource source = front.compile(file, options, cancel);
        IrModule module = source.read(Transformation.passes(), cancel);
        var siblings = new LinkedHashSet<Path>();
        var notes = new ArrayList<SourceNote>();
        for (int round = 0; round < ROUNDS; round++) {
            var found = new LinkedHashMap<Path, Set<String>>();
            var search = new SiblingSources(source, options.sources());
            Map<String, IrLocation> open = open(source, module);
            for (String whole : open.keySet()) {
                String name = whole.substring(whole.lastIndexOf(':') + 1);
                search.holder(name)
                        .filter(p -> !siblings.contains(p))
                        .ifPresent(p -> found.computeIfAbsent(p, _ -> new LinkedHashSet<>())
                                .add(name));
            }
            if (found.isEmpty()) {
                break;
            }
            try {
                var all = Stream.concat(found.keySet().stream(), siblings.stream())
                        .toList();
                source = front.compile(file, all, options, cancel);
                module = source.read(Transformation.passes(), cancel);
                siblings.addAll(found.keySet());
                notes.addAll(found.entrySet().stream()
                        .map(f -> new SourceNote(
                                SourceNote.Severity.INFO,
                                new Location(file.toString(), 1, 1, 0, 0),
                                "source '" + f.getKey().getFileName()
                                        + "' is read too, as it holds what is called here: "
                                        + String.join(", ", f.getValue())))
                        .toList());
            } catch (UserError e) {
                notes.add(new SourceNote(
                        SourceNote.Severity.WARNING,
                        new Location(file.toString(), 1, 1, 0, 0),
                        "the sources that hold what is called here do not compile with this one: "
                                + e.getMessage().lines().findFirst().orElse("")));
                break;
            }
        }
        return new Reading(file, options, source, module, siblings, notes).kernel();
    }

    /// Functions without a body, by name, with the first call.
    private Map<String, IrLocation> open(CompiledSource source, IrModule module) {
        return SiblingSources.open(
                module, f -> isOf(source, f), c -> front.declares(c) || SiblingSources.isModelled(c));
    }

    private static boolean isOf(CompiledSource source, IrFunction f) {
        return !f.isDeclaration()
                && f.location()
                        .filter(l -> source.texts().containsKey(Path.of(l.file())))
                        .isPresent();
    }

    /// One source.
    private final class Reading {
        private final Path file;
        private final Options options;
        private final CompiledSource source;
        private final IrModule module;
        private final Set<Path> siblings;
        private final List<SourceNote> notes;
        private final Map<String, LoopText> texts = new HashMap<>();
        private final Map<String, String> names = new HashMap<>();
        /// Functions that are a part of the code that calls them.
        private final Set<String> parts = new HashSet<>();

        Reading(
                Path file,
                Options options,
                CompiledSource source,
                IrModule module,
                Set<Path> siblings,
                List<SourceNote> notes) {
            this.file = file;
            this.options = options;
            this.source = source;
            this.module = module;
            this.siblings = siblings;
            this.notes = new ArrayList<>(source.notes());
            this.notes.addAll(notes);
        }

        Kernel kernel() {
            List<IrFunction> own =
                    module.functions().stream().filter(this::isOfTheSource).toList();
            IrFunction top = top(own);
            var reached = new LinkedHashMap<String, IrFunction>();
            reach(top, new HashSet<>(), reached);
            names.putAll(LinkerName.unique(
                    reached.values().stream().filter(this::isOfTheSource).toList()));
            TripFacts trips = TripFacts.of(source, top.name(), reached.values(), cancel);
            var arrays = new ArrayFacts(module, names::get, this::location);
            List<ArrayVariable> globals = arrays.globals(reached.values());
            reached.values().stream().filter(f -> f != top && isPart(f, arrays)).forEach(f -> parts.add(f.name()));
            parts.forEach(names::remove);
            var put = new HashMap<String, Map<String, Boolean>>();
            parts.forEach(f -> put.put(f, Map.of("noinline", false, "alwaysinline", true)));
            IrModule inlined =
                    source.read(new Transformation(Optional.empty(), put, Map.of(), true, List.of(VALUES)), cancel);
            var functions = new ArrayList<Function>();
            var effects = new HashMap<String, Map<String, CarriedDependences.Touch>>();
            var pragmas = new ArrayList<Pragma>();
            for (IrFunction f : reached.values()) {
                if (isOfTheSource(f) && !parts.contains(f.name())) {
                    var known = new ArrayList<>(arrays.of(f));
                    var loops = new FunctionLoops(f, trips);
                    var all = new ArrayList<>(known);
                    all.addAll(globals);
                    Optional<BodyReader> body = inlined.function(f.name())
                            .filter(x -> !x.isDeclaration())
                            .map(x -> new BodyReader(
                                    inlined,
                                    x,
                                    Objects.requireNonNull(names.get(f.name())),
                                    loops.byNumber(),
                                    c -> callsItself(f, c) ? null : names.get(c),
                                    this::location,
                                    this::statement,
                                    this::isBlockFunction,
                                    all,
                                    effects,
                                    trips::of));
                    functions.add(function(f, loops, body, known, arrays.scalars(f)));
                    pragmas.addAll(pragmas(f, loops));
                }
            }
            Set<String> called = reached.values().stream()
                    .flatMap(f -> callees(f).stream())
                    .map(c -> LinkerName.of(c).whole())
                    .collect(Collectors.toSet());
            note(
                    called,
                    open(source, module),
                    name -> "the body of function '" + name + "' is in none of the files read");
            note(
                    called,
                    SiblingSources.open(
                            module, f -> isOf(source, f), c -> !front.declares(c) || SiblingSources.isModelled(c)),
                    name -> "'" + name + "' is a function of the tool's own that is not modelled here");
            List<String> others = own.stream()
                    .filter(f -> !reached.containsKey(f.name()))
                    .map(LinkerName::written)
                    .filter(n -> !n.equals("main"))
                    .distinct()
                    .toList();
            noteUnreached(top, others);
            var shown = new HashMap<String, String>();
            var held = new HashSet<>(source.searched());
            held.add(source.main());
            reached.values().stream()
                    .filter(this::isOfTheSource)
                    .forEach(f -> held.add(Path.of(f.location().orElseThrow().file())));
            source.texts().forEach((p, t) -> {
                if (held.contains(p)) {
                    shown.put(shown(p), t);
                }
            });
            return new Kernel(
                    new Kernel.Files(
                            file.toString(),
                            shown,
                            source.files().stream().map(this::shown).collect(Collectors.toSet())),
                    Objects.requireNonNull(names.get(top.name())),
                    options.top().isEmpty(),
                    functions,
                    new Kernel.Others(others, LinkerName.namesakes(own, names)),
                    globals,
                    pragmas,
                    notes,
                    Optional.of(source));
        }

        /// Says what is called and is nothing in the estimate.
        private void note(Set<String> called, Map<String, IrLocation> open, UnaryOperator<String> words) {
            open.forEach((name, at) -> {
                if (called.contains(name)) {
                    notes.add(new SourceNote(
                            SourceNote.Severity.WARNING,
                            location(at),
                            words.apply(name) + ": its cycles and its area are left out"));
                }
            });
        }

        /// Names what the top function does not reach; a test's `main` is none of it.
        private void noteUnreached(IrFunction top, List<String> others) {
            if (!others.isEmpty()) {
                notes.add(new SourceNote(
                        SourceNote.Severity.INFO,
                        location(top.location().orElseThrow()),
                        (others.size() == 1 ? "1 function is" : others.size() + " functions are")
                                + " not reached from '"
                                + Objects.requireNonNull(names.get(top.name())) + "': "
                                + others.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                                + (others.size() > MOST_NAMED ? ", ..." : "")));
            }
        }

        /// True if a function is how its caller reads and writes single values and objects: it has no loop, no
        /// directive,
        /// calls nothing with a loop, and takes the address of what is no array.
        private boolean isPart(IrFunction f, ArrayFacts arrays) {
            var below = new LinkedHashMap<String, IrFunction>();
            reach(f, new HashSet<>(), below);
            boolean again = below.values().stream().anyMatch(x -> callees(x).contains(f.name()));
            if (again
                    || !isOfTheSource(f)
                    || loopsBelow(f, new HashSet<>()) > 0
                    || !source.placed(f).isEmpty()) {
                return false;
            }
            Set<String> known = arrays.of(f).stream().map(ArrayVariable::name).collect(Collectors.toSet());
            return KernelInputs.parameters(f).stream().anyMatch(p -> p.address() && !known.contains(p.name()));
        }

        private boolean isOfTheSource(IrFunction f) {
            return isOf(source, f);
        }

        /// The top function, of those that no sibling brought unless it is named.
        private IrFunction top(List<IrFunction> own) {
            List<IrFunction> given = own.stream()
                    .filter(f -> options.top().isPresent()
                            || !siblings.contains(
                                    Path.of(f.location().orElseThrow().file())))
                    .toList();
            return new TopChoice(file, source.main(), module, given).choose(options.top());
        }

        private int loopsBelow(IrFunction f, Set<String> seen) {
            int n = seen.add(f.name()) ? IrLoops.of(f).all().size() : 0;
            for (String c : seen.contains(f.name()) ? callees(f) : List.<String>of()) {
                Optional<IrFunction> callee = module.function(c).filter(x -> !x.isDeclaration() && !seen.contains(c));
                n += callee.map(x -> loopsBelow(x, seen)).orElse(0);
            }
            return n;
        }

        private List<String> callees(IrFunction f) {
            return f.instructions().stream()
                    .flatMap(i -> Stream.concat(i.callee().stream(), started(i)))
                    .distinct()
                    .toList();
        }

        /// Functions that are given to a call as tasks to start, or kept for one.
        private Stream<String> started(IrInstruction i) {
            return (i.opcode() == IrOpcode.CALL || i.opcode() == IrOpcode.STORE ? i.operands() : List.<IrValue>of())
                    .stream()
                            .flatMap(o -> o instanceof IrValue.Symbol(String symbol)
                                    ? module.function(symbol).stream().map(IrFunction::name)
                                    : Stream.of());
        }

        /// Callees before callers, in the order of calls.
        private void reach(IrFunction f, Set<String> seen, Map<String, IrFunction> reached) {
            if (!seen.add(f.name())) {
                return;
            }
            for (String c : callees(f)) {
                module.function(c).filter(x -> !x.isDeclaration()).ifPresent(x -> reach(x, seen, reached));
            }
            reached.put(f.name(), f);
        }

        private Function function(
                IrFunction f,
                FunctionLoops loops,
                Optional<BodyReader> body,
                List<ArrayVariable> arrays,
                Map<String, ScalarType> scalars) {
            Location place = nameOf(f);
            LoopText text = text(Path.of(f.location().orElseThrow().file()));
            return new Function(
                    Objects.requireNonNull(names.get(f.name())),
                    arrays,
                    scalars,
                    loops.body(body, text.bodyAfter(place).offset()),
                    named(f).distinct().toList(),
                    body.map(BodyReader::bindings).orElse(List.of()),
                    place,
                    text.bodyAfter(place),
                    f.attributes().contains("inlinehint"));
        }

        /// True if a callee leads back to its caller, which no hardware can: the call is said and left out.
        private boolean callsItself(IrFunction f, String callee) {
            var below = new LinkedHashMap<String, IrFunction>();
            module.function(callee).ifPresent(c -> reach(c, new HashSet<>(), below));
            boolean itself = below.containsKey(f.name());
            var note = new SourceNote(
                    SourceNote.Severity.WARNING,
                    nameOf(f),
                    "function '" + names.getOrDefault(f.name(), f.sourceName())
                            + "' calls itself, which cannot be synthesised; the call is taken for a small operation");
            if (itself && !notes.contains(note)) {
                notes.add(note);
            }
            return itself;
        }

        /// Names of the functions that one calls, also through its parts.
        private Stream<String> named(IrFunction f) {
            return callees(f).stream()
                    .filter(c -> !callsItself(f, c))
                    .flatMap(c -> parts.contains(c)
                            ? module.function(c).stream().flatMap(this::named)
                            : Optional.ofNullable(names.get(c)).stream());
        }

        /// The place of a function's name in its definition.
        private Location nameOf(IrFunction f) {
            IrLocation l = f.location().orElseThrow();
            LoopText text = text(Path.of(l.file()));
            String name = LinkerName.plain(f.sourceName());
            int from = text.file().offset(l.line(), 1);
            int at = text.find(name, from);
            return text.file().location(at < 0 ? from : at, at < 0 ? 0 : name.length());
        }

        private LoopText text(Path path) {
            return texts.computeIfAbsent(
                    path.toString(),
                    _ -> new LoopText(new SourceText(shown(path), source.texts().getOrDefault(path, ""))));
        }

        /// A file as the user named it, or as it is included.
        private String shown(Path path) {
            if (path.equals(source.main())) {
                return file.toString();
            }
            Path folder = Objects.requireNonNull(source.main().getParent());
            return path.startsWith(folder) ? folder.relativize(path).toString() : path.toString();
        }

        private Location location(IrLocation l) {
            Path path = Path.of(l.file());
            SourceText text = text(path).file();
            return text.location(text.offset(l.line(), Math.max(1, source.column(path, l.line(), l.column()))), 0);
        }

        /// Where the statement begins that a place stands in; the place itself in one that is no simple step.
        private Location statement(IrLocation l) {
            LoopText text = text(Path.of(l.file()));
            return text.file().location(text.statement(location(l).offset()), 0);
        }

        private boolean isBlockFunction(Location at) {
            String text = source.texts().entrySet().stream()
                    .filter(t -> shown(t.getKey()).equals(at.file()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse("");
            return BLOCK_FUNCTION
                    .matcher(text)
                    .region(at.offset(), text.length())
                    .lookingAt();
        }

        private List<Pragma> pragmas(IrFunction f, FunctionLoops loops) {
            var pragmas = new ArrayList<Pragma>();
            for (CompiledSource.Placed p : source.placed(f)) {
                CompiledSource.Directive d = p.directive();
                pragmas.add(new Pragma(
                        d.name(),
                        d.options(),
                        loops.around(p.block()),
                        Objects.requireNonNull(names.get(f.name())),
                        d.location(),
                        d.editable(),
                        d.raw()));
            }
            return pragmas;
        }

        /// The loops of one function.
        private final class FunctionLoops {
            private final IrFunction f;
            private final IrLoops loops;
            private final TripFacts trips;
            private final Map<IrLoop, LoopText.Where> places = new LinkedHashMap<>();
            private final Map<IrLoop, String> ids = new HashMap<>();

            FunctionLoops(IrFunction f, TripFacts trips) {
                this.f = f;
                this.trips = trips;
                loops = IrLoops.of(f);
                for (IrLoop l : loops.all()) {
                    l.mark()
                            .flatMap(IrLoopMark::start)
                            .filter(s -> s.line() > 0)
                            .ifPresent(s -> {
                                Path path = Path.of(s.file());
                                if (source.texts().containsKey(path)) {
                                    LoopText text = text(path);
                                    places.put(
                                            l,
                                            text.at(text.file()
                                                    .offset(s.line(), source.column(path, s.line(), s.column()))));
                                }
                            });
                }
                var taken = new HashSet<String>();
                String function = Objects.requireNonNull(names.get(f.name()));
                places.entrySet().stream()
                        .sorted(Comparator.comparingInt(
                                e -> e.getValue().keyword().offset()))
                        .forEach(e -> {
                            String name = e.getValue()
                                    .label()
                                    .orElse("L" + e.getValue().keyword().line());
                            String id = function + "/" + name;
                            String unique = id;
                            for (int n = 2; !taken.add(unique); n++) {
                                unique = id + "_" + n;
                            }
                            ids.put(e.getKey(), unique);
                        });
            }

            /// The function's own.
            BodyFacts body(Optional<BodyReader> read, int from) {
                List<Loop> outermost = below(Optional.empty(), read);
                LoopText text = text(Path.of(f.location().orElseThrow().file()));
                int close = text.closingBehind(from);
                return facts("", outermost, read, from, close, text);
            }

            private BodyFacts facts(
                    String id, List<Loop> inside, Optional<BodyReader> read, int from, int to, LoopText text) {
                Set<Integer> starts =
                        inside.stream().map(l -> l.keyword().offset()).collect(Collectors.toSet());
                LoopText.Shape shape = text.shape(from, to, starts);
                return read.map(r -> r.facts(id, inside, shape))
                        .orElseGet(() -> new BodyFacts(inside, List.of(), List.of(), List.of(), List.of(), 1));
            }

            /// Ids by the compiler's number.
            Map<Long, String> byNumber() {
                var all = new HashMap<Long, String>();
                ids.forEach((l, id) -> l.id().ifPresent(n -> all.put(n, id)));
                return all;
            }

            /// The nearest loop around, in the text.
            private Optional<IrLoop> parent(IrLoop l) {
                Optional<IrLoop> p = l.parent();
                while (p.isPresent() && !places.containsKey(p.get())) {
                    p = p.get().parent();
                }
                return p;
            }

            private List<Loop> below(Optional<IrLoop> parent, Optional<BodyReader> read) {
                return places.keySet().stream()
                        .filter(l -> parent(l).equals(parent))
                        .sorted(Comparator.comparingInt(l ->
                                Objects.requireNonNull(places.get(l)).keyword().offset()))
                        .map(l -> loop(l, read))
                        .toList();
            }

            private Loop loop(IrLoop l, Optional<BodyReader> read) {
                LoopText.Where where = Objects.requireNonNull(places.get(l));
                String id = Objects.requireNonNull(ids.get(l));
                int depth = 0;
                for (Optional<IrLoop> p = parent(l); p.isPresent(); p = parent(p.get())) {
                    depth++;
                }
                TripCount counted = trips.of(l);
                TripCount trip = counted.max().isPresent() ? counted : stated(l).orElse(counted);
                String function = Objects.requireNonNull(names.get(f.name()));
                Optional<IrLoop> inner =
                        read.flatMap(r -> l.id().isPresent() ? r.loop(l.id().getAsLong()) : Optional.empty());
                Optional<Inductions.Induction> variable =
                        inner.flatMap(x -> read.orElseThrow().inductions().of(x));
                LoopText text = text(Path.of(
                        l.mark().flatMap(IrLoopMark::start).orElseThrow().file()));
                String label = id.substring(function.length() + 1);
                return new Loop(
                        new Loop.Name(id, label, where.label().isPresent()),
                        new Loop.Nest(function, parent(l).map(ids::get), depth),
                        new Loop.Counter(
                                variable.map(Inductions.Induction::name).orElse(""),
                                variable.map(Inductions.Induction::first)
                                        .filter(Affine::isConstant)
                                        .map(Affine::constant),
                                variable.map(Inductions.Induction::step).orElse(1L)),
                        trip,
                        facts(
                                id,
                                below(Optional.of(l), read),
                                read,
                                where.bodyStart().offset(),
                                where.bodyEnd().offset(),
                                text),
                        where.text(),
                        inner.filter(x -> read.orElseThrow().inductions().mayEndEarly(x))
                                .isPresent(),
                        inner.map(x -> read.orElseThrow().carried().of(x)).orElse(List.of()));
            }

            /// The user's trip count of a loop whose count depends on data.
            private Optional<TripCount> stated(IrLoop l) {
                return source.placed(f).stream()
                        .filter(p -> p.directive().name().equals("LOOP_TRIPCOUNT"))
                        .filter(p -> loops.around(p.block()).filter(x -> x == l).isPresent())
                        .map(p -> TripFacts.stated(p.directive().options()))
                        .findFirst();
            }

            Optional<String> around(int block) {
                Optional<IrLoop> l = loops.around(block);
                while (l.isPresent() && !ids.containsKey(l.get())) {
                    l = l.get().parent();
                }
                return l.map(ids::get);
            }
        }
    }
}
