package knobscape.hls.source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Everything found in one HLS source with one top function.
///
/// @param files what was read
/// @param top name of the top function
/// @param topGuessed whether the program chose it
/// @param functions reachable from the top, callees before callers, the top last
/// @param others names of further functions
/// @param globals global arrays
/// @param pragmas active HLS pragmas of the reachable functions
/// @param notes warnings, in source order
/// @param compiled the source through the compiler; empty where it was not read by it
public record Kernel(
        Files files,
        String top,
        boolean topGuessed,
        List<Function> functions,
        Others others,
        List<ArrayVariable> globals,
        List<Pragma> pragmas,
        List<SourceNote> notes,
        Optional<CompiledSource> compiled) {
    /// The files of a kernel.
    ///
    /// @param main path of the main file as given
    /// @param sources text of every file that functions or loops stand in, by file name (the main file included),
    /// and of headers that were found by searching the project because no search path leads to them
    /// @param read names of all files that were read, empty where that is not known
    public record Files(String main, Map<String, String> sources, Set<String> read) {
        public Files {
            sources = Map.copyOf(sources);
            read = Set.copyOf(read);
        }
    }

    /// Names of functions that are not among those reached.
    ///
    /// @param unreached defined but not reachable
    /// @param namesakes without template arguments: functions that share what the source calls them (class and
    /// name) with another one of the sources, reached or not: overloads, specialisations, and those of several
    /// namespaces
    public record Others(List<String> unreached, Set<String> namesakes) {
        public Others {
            unreached = List.copyOf(unreached);
            namesakes = Set.copyOf(namesakes);
        }
    }

    public Kernel {
        functions = List.copyOf(functions);
        globals = List.copyOf(globals);
        pragmas = List.copyOf(pragmas);
        notes = List.copyOf(notes);
    }

    /// Path of the main file as given.
    public String file() {
        return files.main;
    }

    /// Text of every file that functions or loops stand in, by file name.
    public Map<String, String> sources() {
        return files.sources;
    }

    /// Names of all files that were read, empty where that is not known.
    public Set<String> read() {
        return files.read;
    }

    /// Names of functions defined but not reachable.
    public List<String> otherFunctions() {
        return others.unreached;
    }

    /// Names of functions that share what the source calls them with another.
    public Set<String> namesakes() {
        return others.namesakes;
    }

    /// A kernel of which it is not known what else was read, and without namesakes.
    ///
    /// @param text of the main file
    public Kernel(
            String file,
            String text,
            String top,
            boolean topGuessed,
            List<Function> functions,
            List<String> otherFunctions,
            List<ArrayVariable> globals,
            List<Pragma> pragmas,
            List<SourceNote> notes,
            Map<String, String> sources) {
        this(
                new Files(file, with(sources, file, text), Set.of()),
                top,
                topGuessed,
                functions,
                new Others(otherFunctions, Set.of()),
                globals,
                pragmas,
                notes,
                Optional.empty());
    }

    private static Map<String, String> with(Map<String, String> sources, String file, String text) {
        var all = new HashMap<>(sources);
        all.putIfAbsent(file, text);
        return all;
    }

    /// Text of the main file (no byte order mark).
    public String text() {
        return sources().getOrDefault(file(), "");
    }

    /// The same with other functions and notes.
    public Kernel withFunctions(List<Function> replaced, List<SourceNote> told) {
        return new Kernel(files, top, topGuessed, replaced, others, globals, pragmas, told, compiled);
    }

    /// The function called `name`.
    public Optional<Function> function(String name) {
        return functions.stream().filter(f -> f.name().equals(name)).findFirst();
    }

    /// The top function.
    public Function topFunction() {
        return function(top)
                .orElseThrow(() -> new IllegalStateException("top function " + top + " is not among the functions"));
    }

    /// The INTERFACE pragma that makes an argument of the top function an AXI master port (`m_axi`).
    ///
    /// @param array the argument, or a member of a struct that is one
    public Optional<Pragma> masterPort(ArrayVariable array) {
        return interfaces("m_axi").filter(p -> array.isArgument(p, top)).findFirst();
    }

    /// The INTERFACE pragmas of the top function with a mode.
    public Stream<Pragma> interfaces(String mode) {
        return pragmas.stream()
                .filter(p -> p.directive().equals("INTERFACE")
                        && p.function().equals(top)
                        && mode.equals(p.options().get("mode")));
    }

    /// All loops of all reachable functions.
    public List<Loop> loops() {
        return functions.stream().flatMap(f -> f.allLoops().stream()).toList();
    }

    /// The loop with id `id`.
    public Optional<Loop> loop(String id) {
        return loops().stream().filter(l -> l.id().equals(id)).findFirst();
    }

    /// All arrays: globals first, then by function.
    public List<ArrayVariable> arrays() {
        return Stream.concat(globals.stream(), functions.stream().flatMap(f -> f.arrays().stream()))
                .toList();
    }

    /// The array with id `id`.
    public Optional<ArrayVariable> array(String id) {
        return arrays().stream().filter(a -> a.id().equals(id)).findFirst();
    }
}
