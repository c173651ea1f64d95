package knobscape.network.einsum;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.network.ElementType;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;

/// Workloads in YAML, told apart by what they hold: a list of layers with an `equation` (ZigZag, Stream), `problem:`
/// (Timeloop), `workload:` with `einsums:` (AccelForge).
public final class EinsumFiles {
    private static final long LARGEST = 4 << 20;
    private static final Pattern SET =
            Pattern.compile("\\{%-?\\s*set\\s+(\\w+)\\s*=\\s*(?:\\w+\\s*\\|\\s*default\\()?\\s*(\\d+)\\s*\\)?\\s*-?%}");
    private static final Pattern VALUE =
            Pattern.compile("\\{\\{\\s*(\\w+)\\s*(?:\\|\\s*default\\(\\s*(\\d+)\\s*\\))?\\s*}}");

    /// The text that takes in another file.
    private static final Pattern OTHER_FILE = Pattern.compile("\\{\\{\\s*\\w+\\s*\\(|<<<");

    private static final Pattern WORKLOAD =
            Pattern.compile("(?m)^(?:problem:|workload:|-? +equation:|-\\s*\\{?.*\\bequation:)");

    private EinsumFiles() {}

    /// True if a file name is that of YAML.
    public static boolean isYaml(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    /// True if a file is a workload; one that cannot be read is none.
    public static boolean isWorkload(Path file) {
        if (!isYaml(String.valueOf(file.getFileName())) || !file.toFile().isFile()) {
            return false;
        }
        try {
            return WORKLOAD.matcher(InputFile.text(file, LARGEST)).find();
        } catch (IOException | UserError e) {
            return false;
        }
    }

    /// Reads a workload. Throws [UserError] naming file and line of what is wrong.
    public static ImportedNetwork read(Path file, ImportOptions options) {
        String shown = file.toString();
        YamlNode root = YamlNode.parse(shown, text(file, options), "workload file");
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
        if (root instanceof YamlNode.Items layers) {
            return new ZigzagWorkload(shown).read(layers, name);
        }
        if (root instanceof YamlNode.Keys keys) {
            if (keys.values().get("problem") instanceof YamlNode.Keys problem) {
                return new TimeloopProblem(shown).read(problem, name);
            }
            if (keys.values().get("workload") instanceof YamlNode.Keys workload) {
                return new AccelforgeWorkload(shown, options).read(workload, name);
            }
        }
        throw new UserError(
                shown + " is no workload that is known: wanted is a list of layers with an 'equation' (ZigZag,"
                        + " Stream), 'problem:' (Timeloop) or 'workload:' with 'einsums:' (AccelForge).");
    }

    /// The text with its variables replaced: `{{BATCH_SIZE}}` and the like.
    static String text(Path file, ImportOptions options) {
        String text;
        try {
            text = InputFile.text(file, LARGEST);
        } catch (IOException e) {
            throw new UserError("'" + file + "' cannot be read: " + e.getMessage() + ".", e);
        }
        if (!text.contains("{%") && !text.contains("{{")) {
            return text;
        }
        Map<String, Long> defaults = new LinkedHashMap<>();
        Matcher set = SET.matcher(text);
        while (set.find()) {
            number(set.group(2)).ifPresent(v -> defaults.put(set.group(1), v));
        }
        String plain = SET.matcher(text).replaceAll("");
        boolean includes = OTHER_FILE.matcher(plain).find();
        if (plain.contains("{%") || includes) {
            throw new UserError(file + " is a template with loops or files of its own; let its own program write it out"
                    + " first, and open what comes of it.");
        }
        String filled = VALUE.matcher(plain)
                .replaceAll(m -> Matcher.quoteReplacement(
                        Long.toString(value(file, m.group(1), m.group(2), defaults, options))));
        return filled;
    }

    private static long value(
            Path file,
            String name,
            @org.jspecify.annotations.Nullable String otherwise,
            Map<String, Long> defaults,
            ImportOptions options) {
        Long given = options.dims().get(name);
        if (given != null) {
            return given;
        }
        if (name.toLowerCase(java.util.Locale.ROOT).contains("batch")) {
            return options.batch().orElse(1);
        }
        return Optional.ofNullable(otherwise)
                .flatMap(EinsumFiles::number)
                .or(() -> Optional.ofNullable(defaults.get(name)))
                .orElseThrow(
                        () -> new UserError(file + " leaves {{" + name + "}} open; give it (--dim " + name + "=N)."));
    }

    private static Optional<Long> number(String digits) {
        return digits.length() <= 15 ? Optional.of(Long.parseLong(digits)) : Optional.empty();
    }

    /// The type of elements of so many bits.
    static ElementType type(OptionalLong bits) {
        return switch ((int) Math.min(64, bits.orElse(8))) {
            case 4 -> ElementType.INT4;
            case 16 -> ElementType.FLOAT16;
            case 32 -> ElementType.FLOAT32;
            default -> ElementType.INT8;
        };
    }

    /// An index such as `2*ox + fx` or `p0 * 2 + r0`.
    static Map<String, Integer> affine(String file, int line, String text) {
        var terms = new LinkedHashMap<String, Integer>();
        for (String part : text.split("\\+", -1)) {
            Matcher m = TERM.matcher(part);
            if (!m.matches()) {
                throw YamlNode.error(
                        file, line, "the index '" + text.strip() + "' is no sum of dimensions with factors");
            }
            String factor = m.group(1) != null ? m.group(1) : m.group(3);
            terms.merge(
                    m.group(2).toLowerCase(java.util.Locale.ROOT),
                    factor == null ? 1 : Integer.parseInt(factor),
                    Integer::sum);
        }
        return terms;
    }

    private static final Pattern TERM =
            Pattern.compile("\\s*(?:(\\d{1,6})\\s*\\*\\s*)?([A-Za-z_]\\w*)(?:\\s*\\*\\s*(\\d{1,6}))?\\s*");
}
