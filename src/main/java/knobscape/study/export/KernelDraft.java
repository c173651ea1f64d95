package knobscape.study.export;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The part of a study file that measures a kernel of a source, as far as the source says it; what it cannot say is
/// marked with `EDIT`.
final class KernelDraft {
    private static final Pattern COMMENT = Pattern.compile("//[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern KERNEL = Pattern.compile(
            "(?:__kernel|\\bkernel|__global__)\\b([^;{}]*?)\\bvoid\\s+([^;{}]*?)(\\w+)\\s*\\(([^()]*)\\)\\s*\\{");
    private static final Pattern GROUP = Pattern.compile("reqd_work_group_size\\s*\\(([^()]*)\\)");
    private static final Pattern TUNED = Pattern.compile("\\b(?:block|tile)_size_[xyz]\\b");
    private static final Pattern IN_GROUP = Pattern.compile("(?i).*(block|wgs|wgd|local|thread|tile|dim).*");
    private static final Pattern ELEMENT =
            Pattern.compile("\\bunsigned (char|short|int|long)\\b|\\bu?(float|double|char|short|int|long)(?=\\d*\\b)");
    private static final List<String> AXES = List.of("x", "y", "z");
    private static final String MARK = "  # EDIT: ";

    private final String text;
    private final Collection<String> parameters;
    private final Found kernel;
    private final List<Found> all;

    /// A kernel of a source.
    ///
    /// @param before what stands between `void` and its name and before, where sizes of groups may be told
    private record Found(String before, String name, List<String> arguments, String body) {
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

        /// Types of its arguments, without names.
        List<String> types() {
            return arguments.stream()
                    .map(a -> element(a) + (a.contains("*") ? "*" : ""))
                    .toList();
        }
    }

    private KernelDraft(String text, Collection<String> parameters, Found kernel, List<Found> all) {
        this.text = text;
        this.parameters = parameters;
        this.kernel = kernel;
        this.all = all;
    }

    /// The draft of the kernel that uses most parameters; empty where no kernel writes anything.
    ///
    /// @param text of the source
    /// @param parameters that it has
    static Optional<KernelDraft> of(String text, Collection<String> parameters) {
        String bare = COMMENT.matcher(text).replaceAll(" ");
        List<Found> all = KERNEL.matcher(bare)
                .results()
                .map(m -> new Found(
                        m.group(1) + m.group(2),
                        m.group(3),
                        List.of(m.group(4).strip().replaceAll("\\s+", " ").split("\\s*,\\s*")),
                        body(bare, m.end())))
                .filter(f -> f.arguments().stream().anyMatch(KernelDraft::mayBeWritten))
                .toList();
        return all.stream()
                .max(Comparator.comparingLong(f -> parameters.stream()
                        .filter(p -> isUsed(p, f.before() + f.body()))
                        .count()))
                .map(f -> new KernelDraft(bare, parameters, f, all));
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

    private static String body(String text, int from) {
        int depth = 1;
        int at = from;
        while (at < text.length() && depth > 0) {
            depth += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
            at++;
        }
        return text.substring(from, at);
    }

    private static boolean isUsed(String name, String in) {
        return Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(in).find();
    }

    private static boolean mayBeWritten(String argument) {
        return argument.contains("*") && !argument.matches(".*\\bconst\\b.*") && !isShared(argument);
    }

    private static boolean isShared(String argument) {
        return argument.matches("(?:__)?local\\b.*");
    }

    private static String element(String argument) {
        Matcher type = ELEMENT.matcher(argument);
        return type.find() ? type.group().replaceFirst("unsigned (\\w+)", "u$1") : "float";
    }

    /// Sizes of a group in each dimension.
    private List<String> local() {
        Matcher told = GROUP.matcher(kernel.before());
        int dimensions = kernel.dimensions();
        if (told.find()) {
            return List.of(told.group(1).strip().split("\\s*,\\s*")).subList(0, dimensions);
        }
        List<String> named = parameters.stream()
                .filter(p -> IN_GROUP.matcher(p).matches())
                .filter(p -> isUsed(p, kernel.body()))
                .toList();
        var sizes = new ArrayList<String>();
        for (int d = 0; d < dimensions; d++) {
            String axis = "block_size_" + AXES.get(d);
            sizes.add(
                    parameters.contains(axis)
                            ? axis
                            : named.isEmpty()
                                    ? dimensions == 1 ? "64" : d < 2 ? "16" : "1"
                                    : named.get(Math.min(d, named.size() - 1)));
        }
        return sizes;
    }

    /// The lines below `measure:`.
    ///
    /// @param file name of the source
    String lines(String file) {
        List<String> local = local();
        String length = String.join(" * ", local.stream().map(_ -> "SIZE").toList());
        var out = new StringBuilder("  kernel:\n    file: " + file + "\n    name: " + kernel.name());
        if (text.contains("__global__") && !text.matches("(?s).*extern\\s+\"C\".*")) {
            out.append(MARK)
                    .append("CUDA finds a kernel by its name only where it is declared extern \"C\"; of a template,")
                    .append(" add a kernel that calls it");
        }
        out.append("\n    constants: {SIZE: 1024}")
                .append(MARK)
                .append("sizes of the work, which the kernel gets as macros like the parameters\n    groups: [")
                .append(local.stream()
                        .map(l -> "ceil(SIZE / " + (l.matches("\\w+") ? l : "(" + l + ")") + ")")
                        .collect(Collectors.joining(", ")))
                .append("]")
                .append(MARK)
                .append("work groups or blocks, formulas of parameters and constants; 'global' counts work items\n")
                .append("    local: [")
                .append(String.join(", ", local))
                .append("]")
                .append(MARK)
                .append("work items of a group\n    arguments:")
                .append(MARK)
                .append("lengths, values, and what is an output\n");
        boolean isAnyWritten = kernel.arguments().stream().anyMatch(a -> use(a).contains("w"));
        for (String a : kernel.arguments()) {
            out.append("      - {")
                    .append(argument(a, length, local, isAnyWritten))
                    .append("}  # ")
                    .append(a)
                    .append('\n');
        }
        return out.append(reference(file, length))
                .append("    # operations: 2 * SIZE  # of a run, for the metric gflops\n")
                .toString();
    }

    private String argument(String a, String length, List<String> local, boolean isAnyWritten) {
        String type = element(a);
        if (isShared(a)) {
            return "local: " + type + ", length: " + String.join(" * ", local);
        }
        if (!a.contains("*")) {
            return "number: " + type + ", value: SIZE";
        }
        String use = use(a);
        boolean isOutput = mayBeWritten(a) && (use.contains("w") || !isAnyWritten);
        return "buffer: " + type + ", length: " + length
                + (isOutput ? (use.contains("r") ? ", fill: random" : "") + ", output: true" : "");
    }

    /// How the body uses a pointer: `r` for reading, `w` for writing.
    private String use(String argument) {
        String name = argument.replaceFirst("\\[.*$", "").replaceFirst("^.*?(\\w+)\\s*$", "$1");
        var use = new StringBuilder();
        if (Pattern.compile("\\batom\\w*\\s*\\(\\s*&?\\s*" + name + "\\b")
                .matcher(kernel.body())
                .find()) {
            use.append("rw");
        }
        Matcher m = Pattern.compile("\\b" + name + "\\s*\\[").matcher(kernel.body());
        while (m.find()) {
            int depth = 1;
            int at = m.end();
            while (at < kernel.body().length() && depth > 0) {
                depth += kernel.body().charAt(at) == '[' ? 1 : kernel.body().charAt(at) == ']' ? -1 : 0;
                at++;
            }
            String after = kernel.body().substring(at).stripLeading();
            use.append(
                    after.matches("(?s)=[^=].*")
                            ? "w"
                            : after.matches("(?s)([-+*/%&|^]|<<|>>)=.*|\\+\\+.*|--.*") ? "rw" : "r");
        }
        return use.toString();
    }

    /// Another kernel with the same arguments that needs no group is what is right.
    private String reference(String file, String length) {
        int dimensions = length.split(" ").length / 2 + 1;
        String words = ", global: ["
                + String.join(
                        ", ",
                        IntStream.range(0, dimensions).mapToObj(_ -> "SIZE").toList()) + "], local: ["
                + String.join(
                        ", ", IntStream.range(0, dimensions).mapToObj(_ -> "1").toList()) + "]}\n";
        return all.stream()
                .filter(f -> !f.equals(kernel) && f.types().equals(kernel.types()) && f.dimensions() == dimensions)
                .filter(f -> parameters.stream().noneMatch(p -> isUsed(p, f.body())))
                .findFirst()
                .map(f -> "    reference: {file: " + file + ", name: " + f.name() + words)
                .orElse("    # What is right: another kernel with the same arguments.\n    # reference: {file: " + file
                        + ", name: plain" + words);
    }
}
