package knobscape.study.export;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The part of a study file that measures a kernel of a source, as far as the source says it; what it cannot say is
/// marked with `EDIT`.
final class KernelDraft {
    private static final Pattern COMMENT = Pattern.compile("//[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern KERNEL = Pattern.compile(
            "(?:__kernel|\\bkernel|__global__)\\b([^;{}]*?)\\bvoid\\s+([^;{}]*?)(\\w+)\\s*\\(([^()]*)\\)\\s*\\{");
    private static final Pattern GROUP = Pattern.compile("reqd_work_group_size\\s*\\(([^()]*)\\)");
    private static final Pattern TUNED = Pattern.compile("\\b(?:block|tile)_size_[xyz]\\b");
    private static final Pattern EXTERN = Pattern.compile("\\bextern\\s+\"C\"");
    private static final Pattern TEMPLATE =
            Pattern.compile("\\btemplate\\s*<([^{};]*)>\\s*(?:static\\s+|inline\\s+)*$");
    private static final Pattern LOOP = Pattern.compile("for\\s*\\([^;]*?(\\w+)\\s*=[^;]*;[^;]*<=?\\s*(\\w+)\\s*;");
    private static final String SIZE = "SIZE";
    private static final List<String> AXES = List.of("x", "y", "z");
    private static final String MARK = "  # EDIT: ";

    private final String text;
    private final Collection<String> parameters;
    /// Numbers that the source defines and nobody tunes.
    private final Map<String, String> constants;
    private final Found kernel;
    private final List<Found> all;

    /// A kernel of a source.
    ///
    /// @param line of the source, from 1
    /// @param template parameters of its template, empty where it is none
    /// @param before what stands between `void` and its name and before, where sizes of groups may be told
    private record Found(int line, String template, String before, String name, List<String> arguments, String body) {
        /// Dimensions of the grid that it asks for.
        int dimensions() {
            return 1
                    + IntStream.range(0, 3)
                            .filter(d -> Pattern.compile("get_(?:local|group|global)_id\\s*\\(\\s*" + d
                                            + "\\s*\\)|(?:threadIdx|blockIdx)\\s*\\.\\s*" + AXES.get(d))
                                    .matcher(body)
                                    .find())
                            .max()
                            .orElse(0);
        }

        /// How many of the parameters it names.
        long uses(Collection<String> parameters) {
            return parameters.stream().filter(p -> isUsed(p, before + body)).count();
        }

        ArgumentType type(String argument, String source) {
            return ArgumentType.of(argument, source, template);
        }

        /// Types of its arguments, without names.
        List<String> types(String source) {
            return arguments.stream()
                    .map(a -> type(a, source).name() + (a.contains("*") ? "*" : ""))
                    .toList();
        }

        /// Why it cannot be measured as it is drafted; empty where it can.
        Optional<String> objection(String source) {
            return !template.isEmpty()
                    ? Optional.of("the kernel '" + name
                            + "' is a template; add an extern \"C\" kernel that calls it with types and numbers")
                    : source.contains("__global__") && !EXTERN.matcher(source).find()
                            ? Optional.of(
                                    "the kernel '" + name
                                            + "' is found by its name only where it is declared extern \"C\"; write that before it")
                            : arguments.stream()
                                    .flatMap(
                                            a -> type(a, source).objection().stream()
                                                    .map(
                                                            why -> "the argument '" + a + "' of kernel '" + name
                                                                    + "' is " + why
                                                                    + ", which cannot be filled here; add a kernel with numbers and pointers to them that calls it, or measure a program of your own that runs it (command)"))
                                    .findFirst();
        }
    }

    private KernelDraft(
            String text, Collection<String> parameters, Map<String, String> constants, Found kernel, List<Found> all) {
        this.text = text;
        this.parameters = parameters;
        this.constants = constants;
        this.kernel = kernel;
        this.all = all;
    }

    /// The draft of the kernel that uses most parameters; empty where no kernel writes anything.
    ///
    /// @param text of the source
    /// @param parameters that it has
    /// @param constants numbers that it defines and that are no parameters
    static Optional<KernelDraft> of(String text, Collection<String> parameters, Map<String, String> constants) {
        // Lines stay where they are.
        String bare = COMMENT.matcher(text).replaceAll(m -> m.group().replaceAll("[^\n]", " "));
        List<Found> all = KERNEL.matcher(bare)
                .results()
                .map(m -> new Found(
                        (int) bare.substring(0, m.start(3)).lines().count(),
                        template(bare.substring(0, m.start())),
                        m.group(1) + m.group(2),
                        m.group(3),
                        List.of(m.group(4).strip().replaceAll("\\s+", " ").split("\\s*,\\s*")),
                        BracketText.at(bare, m.end()).inside()))
                .filter(f -> f.arguments().stream().anyMatch(KernelDraft::mayBeWritten))
                .toList();
        return all.stream()
                .max(Comparator.comparing((Found f) ->
                                f.uses(parameters) > 0 && f.objection(bare).isEmpty())
                        .thenComparingLong(f -> f.uses(parameters)))
                .map(f -> new KernelDraft(bare, parameters, constants, f, all));
    }

    private static String template(String before) {
        Matcher m = TEMPLATE.matcher(before);
        return m.find() ? m.group(1) : "";
    }

    /// Why the kernel cannot be measured as it is drafted, with its line; empty where it can.
    Optional<String> objection() {
        return kernel.objection(text).map(why -> kernel.line() + ": " + why);
    }

    /// Parameters that a source in Kernel Tuner's style uses and leaves to the tuner, with usual values.
    static Map<String, String> tuned(String text) {
        var found = new TreeMap<String, String>();
        TUNED.matcher(COMMENT.matcher(text).replaceAll(" "))
                .results()
                .map(r -> r.group())
                .filter(n -> !Pattern.compile("#\\s*define\\s+" + n + "\\b")
                        .matcher(text)
                        .find())
                .forEach(n -> found.put(
                        n,
                        n.startsWith("tile")
                                ? "{values: [1, 2, 4, 8], default: 1}"
                                : n.endsWith("x")
                                        ? "{values: [16, 32, 64, 128, 256], default: 32}"
                                        : "{values: [1, 2, 4, 8, 16], default: 4}"));
        return found;
    }

    private static boolean isUsed(String name, String in) {
        return Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(in).find();
    }

    private static boolean mayBeWritten(String argument) {
        return (argument.contains("*") || (argument.matches(".*\\bimage\\w*_t\\b.*") && argument.matches(".*write.*")))
                && !argument.matches(".*\\bconst\\b.*")
                && !isShared(argument);
    }

    private static boolean isShared(String argument) {
        return argument.matches("(?:__)?local\\b.*");
    }

    /// Sizes of a group that the kernel requires.
    private List<String> told() {
        Matcher told = GROUP.matcher(kernel.before());
        return told.find() ? List.of(told.group(1).strip().split("\\s*,\\s*")) : List.of();
    }

    private boolean isUsedAtAll(String parameter) {
        return isUsed(parameter, text.replaceAll("(?m)^\\s*#\\s*(?:define|ifndef)\\s+" + parameter + "\\b", ""));
    }

    /// Whole numbers that say how much work there is.
    private List<String> wholeNumbers() {
        return kernel.arguments().stream()
                .filter(a -> !a.contains("*") && !isReal(a))
                .map(KernelDraft::name)
                .toList();
    }

    private ArgumentType type(String argument) {
        return kernel.type(argument, text);
    }

    private boolean isReal(String argument) {
        return type(argument).name().matches("float|double");
    }

    private static String name(String argument) {
        return argument.replaceFirst("\\[.*$", "").replaceFirst("^.*?(\\w+)\\s*$", "$1");
    }

    /// The lines below `measure:`.
    ///
    /// @param file name of the source
    String lines(String file) {
        int dimensions = kernel.dimensions();
        var grid = new KernelGrid(kernel.body(), parameters, this::isUsedAtAll, told(), dimensions);
        List<String> sizes = new ArrayList<>(wholeNumbers());
        sizes.addAll(constants.keySet());
        List<String> bounds = IntStream.range(0, dimensions)
                .mapToObj(d -> grid.bound(d, constants.keySet()).orElse(SIZE))
                .toList();
        var work = new StringBuilder("    groups: [");
        for (int d = 0; d < dimensions; d++) {
            String part = grid.parts().get(d);
            work.append(d > 0 ? ", " : "")
                    .append("ceil(")
                    .append(bounds.get(d))
                    .append(" / ")
                    .append(part.matches("\\w+") ? part : "(" + part + ")")
                    .append(")");
        }
        work.append("]")
                .append(MARK)
                .append("work groups or blocks, formulas of parameters and constants; 'global' counts work items\n")
                .append("    local: [")
                .append(String.join(", ", grid.local()))
                .append("]")
                .append(MARK)
                .append("work items of a group\n    arguments:")
                .append(MARK)
                .append("lengths, values, and what is an output\n");
        boolean isAnyWritten = kernel.arguments().stream().anyMatch(a -> use(a).contains("w"));
        for (String a : kernel.arguments()) {
            work.append("      - {")
                    .append(argument(a, grid, bounds, sizes, isAnyWritten))
                    .append("}  # ")
                    .append(a)
                    .append(type(a).objection()
                            .map(why -> "; EDIT: this is " + why)
                            .orElse(""))
                    .append('\n');
        }
        var out = new StringBuilder("  kernel:\n    file: " + file + "\n    name: " + kernel.name());
        if (text.contains("__global__") && !EXTERN.matcher(text).find()) {
            out.append(MARK)
                    .append("CUDA finds a kernel by its name only where it is declared extern \"C\"; of a template,")
                    .append(" add a kernel that calls it");
        }
        var known = new ArrayList<String>();
        if (isUsed(SIZE, work.toString())) {
            known.add(SIZE + ": " + size(dimensions, sizes, grid));
        }
        constants.forEach((name, value) -> {
            if (isUsed(name, work.toString())) {
                known.add(name + ": " + value);
            }
        });
        return out.append("\n    constants: {")
                .append(String.join(", ", known))
                .append("}")
                .append(MARK)
                .append("sizes of the work, which the kernel gets as macros like the parameters\n")
                .append(work)
                .append(reference(file, bounds))
                .append("    # operations: 2 * SIZE  # of a run, for the metric gflops\n")
                .toString();
    }

    /// So much work that a run takes long enough to be timed; a loop over all of it in every item is work, too.
    private String size(int dimensions, List<String> sizes, KernelGrid grid) {
        boolean isLooped = LOOP.matcher(kernel.body())
                .results()
                .filter(r -> sizes.contains(r.group(2)))
                .anyMatch(r -> !grid.isPlaced(r.group(1)));
        return Integer.toString(
                dimensions == 1
                        ? isLooped ? 2048 : 1 << 20
                        : dimensions == 2 ? isLooped ? 512 : 1024 : isLooped ? 64 : 128);
    }

    private String argument(String a, KernelGrid grid, List<String> bounds, List<String> sizes, boolean isAnyWritten) {
        ArgumentType of = type(a);
        String type = of.name();
        if (isShared(a)) {
            List<String> lengths = indices(a)
                    .filter(b -> isWrite(b.after()))
                    .flatMap(b -> grid.length(b.inside()).stream())
                    .distinct()
                    .toList();
            return "local: " + type + ", length: "
                    + (of.width() > 1 ? of.width() + " * " : "")
                    + (lengths.size() == 1
                            ? "ceil(" + lengths.getFirst() + ")"
                            : lengths.isEmpty()
                                    ? grid.local().stream()
                                            .map(l -> l.matches("\\w+") ? l : "(" + l + ")")
                                            .collect(Collectors.joining(" * "))
                                    : "ceil(max(" + String.join(", ", lengths) + "))");
        }
        if (!a.contains("*")) {
            return "number: " + type + ", value: " + (isReal(a) ? "0.5" : SIZE);
        }
        String use = use(a);
        boolean isOutput = mayBeWritten(a) && (use.contains("w") || !isAnyWritten);
        List<String> indices = indices(a).map(BracketText::inside).toList();
        int degree = indices.stream()
                .flatMap(i -> grid.degree(i, sizes).stream())
                .mapToInt(d -> d)
                .max()
                .orElse(bounds.size() - 1);
        boolean isParts =
                isOutput && !indices.isEmpty() && indices.stream().allMatch(i -> grid.isOfGroup(i, bounds.size()));
        List<String> factors = degree + 1 == bounds.size() || isParts
                ? bounds
                : Collections.nCopies(Math.min(degree + 1, 3), bounds.getFirst());
        return "buffer: " + type + ", length: " + (of.width() > 1 ? of.width() + " * " : "")
                + String.join(" * ", factors)
                + (isParts
                        ? ", output: sum"
                        : isOutput ? (use.contains("r") ? ", fill: random" : "") + ", output: true" : "");
    }

    /// True if what stands before it is written and not read.
    private static boolean isWrite(String after) {
        return after.matches("(?s)\\s*=[^=].*");
    }

    /// Where the body has a pointer with brackets.
    private Stream<BracketText> indices(String argument) {
        return Pattern.compile("\\b" + name(argument) + "\\s*\\[")
                .matcher(kernel.body())
                .results()
                .map(m -> BracketText.at(kernel.body(), m.end()));
    }

    /// How the body uses a pointer: `r` for reading, `w` for writing.
    private String use(String argument) {
        var use = new StringBuilder();
        if (Pattern.compile("\\batom\\w*\\s*\\(\\s*&?\\s*" + name(argument) + "\\b")
                .matcher(kernel.body())
                .find()) {
            use.append("rw");
        }
        indices(argument)
                .map(BracketText::after)
                .forEach(after -> use.append(
                        isWrite(after)
                                ? "w"
                                : after.matches("(?s)\\s*([-+*/%&|^]|<<|>>)=.*|\\+\\+.*|--.*") ? "rw" : "r"));
        return use.toString();
    }

    /// The reference: another kernel with the same arguments that needs no group, else the kernel itself at its
    /// defaults.
    private String reference(String file, List<String> bounds) {
        String words = ", global: [" + String.join(", ", bounds) + "], local: ["
                + bounds.stream().map(_ -> "1").collect(Collectors.joining(", ")) + "]}\n";
        return all.stream()
                .filter(f -> !f.equals(kernel)
                        && f.types(text).equals(kernel.types(text))
                        && f.dimensions() == bounds.size())
                .filter(f -> parameters.stream().noneMatch(p -> isUsed(p, f.body())))
                .findFirst()
                .map(f -> "    reference: {file: " + file + ", name: " + f.name() + words)
                .orElse(
                        "    # What is right: what it computes with every parameter at its default. Better is another kernel\n"
                                + "    # with the same arguments: {file: " + file + ", name: plain" + words
                                + "    reference: default\n");
    }
}
