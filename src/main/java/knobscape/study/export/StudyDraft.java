package knobscape.study.export;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Drafts a study file from a source: the macros of a C, CUDA or OpenCL file that may be given from outside, the
/// options of a Python script, a tuning problem of Kernel Tuner or KTT in T1. Every line that a person has to look at
/// says so.
///
/// @param text of the study file
/// @param objection why it cannot be run as it is, beginning with the source's line; empty where it can
public record StudyDraft(String text, Optional<String> objection) {
    private static final Pattern GUARDED =
            Pattern.compile("#\\s*ifndef\\s+(\\w+)\\s*\\R\\s*#\\s*define\\s+\\1\\s+([^\\s/]+)");
    private static final Pattern MACRO = Pattern.compile(
            "(?m)^[ \\t]*#\\s*define\\s+([A-Za-z_]\\w*)[ \\t]+\\(?(-?\\d+(?:\\.\\d+)?)\\)?[uUlLfF]*[ \\t]*(?:/[/*].*)?$");
    /// A number with those that it may be in a comment behind it: `#define STRIP 2 // 1, 2, 4`.
    private static final Pattern LISTED = Pattern.compile(
            "(?m)^[ \\t]*#\\s*define\\s+([A-Za-z_]\\w*)[ \\t]+(\\d+)[ \\t]*(?://|/\\*)[ \\t]*(\\d+(?:[ \\t]*[ \\t,|][ \\t]*\\d+)+)[ \\t]*(?:\\*/[ \\t]*)?$");
    private static final Pattern SIZES = Pattern.compile(
            "(?i)[nmkwh]|n[xyz]|size|width|height|depth|length|rows|cols|(image|input|output|grid|data|array|matrix|problem|num|total)_?\\w*");
    private static final int LARGEST_PARAMETER = 256;
    private static final Pattern OPTION =
            Pattern.compile("add_argument\\(\\s*['\"](--[\\w-]+)['\"]((?:[^()]|\\([^()]*\\))*)\\)");
    private static final Pattern DEFAULT = Pattern.compile("default\\s*=\\s*([^,)\\s]+)");
    private static final Pattern CHOICES = Pattern.compile("choices\\s*=\\s*[\\[(]([^\\])]*)[\\])]");
    private static final Pattern MAIN = Pattern.compile("\\bint\\s+main\\s*\\(");
    private static final int MOST = 30;

    /// A study file for a source.
    ///
    /// @param file name of the source
    /// @param text of the source
    public static StudyDraft of(Path file, String text) {
        String name = file.getFileName().toString();
        return name.endsWith(".py")
                ? new StudyDraft(python(name, text), Optional.empty())
                : T1Draft.isNamed(name, text)
                        ? new StudyDraft(T1Draft.of(name, text), Optional.empty())
                        : compiled(name, text);
    }

    private static StudyDraft compiled(String name, String text) {
        Map<String, String> found = new LinkedHashMap<>();
        Matcher g = GUARDED.matcher(text);
        while (g.find()) {
            found.put(g.group(1), g.group(2));
        }
        Map<String, String> constants = new LinkedHashMap<>();
        MACRO.matcher(text)
                .results()
                .filter(m -> !found.containsKey(m.group(1)))
                .forEach(m -> constants.put(m.group(1), m.group(2)));
        if (found.isEmpty()) {
            found.putAll(constants);
            found.entrySet().removeIf(e -> isSize(e.getKey(), e.getValue()));
        }
        Map<String, String> listed = new LinkedHashMap<>();
        LISTED.matcher(text).results().forEach(m -> {
            found.put(m.group(1), m.group(2));
            listed.put(
                    m.group(1),
                    "{values: [" + String.join(", ", m.group(3).strip().split("[\\s,|]+")) + "], default: " + m.group(2)
                            + "}");
        });
        if (found.isEmpty()) {
            found.putAll(constants);
        }
        constants.keySet().removeAll(found.keySet());
        boolean isGuarded = g.reset().find();
        Map<String, String> tuned = KernelDraft.tuned(text);
        tuned.keySet().forEach(k -> found.put(k, "1"));
        tuned.putAll(listed);
        String compiler = name.endsWith(".cu") ? "nvcc" : name.matches(".*\\.(cpp|cc|cxx|C)") ? "c++" : "cc";
        String defines = found.keySet().stream()
                .limit(MOST)
                .map(k -> ", \"-D" + k + "={" + k + "}\"")
                .collect(Collectors.joining());
        var out = new StringBuilder(head(name));
        out.append(
                found.isEmpty()
                        ? "  # No macro with a number was found; name your own.\n  N: [1, 2, 4, 8]\n"
                        : found.entrySet().stream()
                                .limit(MOST)
                                .map(e -> "  " + e.getKey() + ": "
                                        + tuned.getOrDefault(
                                                e.getKey(),
                                                isCount(e.getKey(), e.getValue(), text)
                                                        ? "{values: [1, 2, 4, 8], default: 1}"
                                                        : values(e.getValue()))
                                        + "\n")
                                .collect(Collectors.joining()));
        out.append(constraints(List.copyOf(found.keySet())));
        out.append(objectives());
        Optional<KernelDraft> kernel =
                name.matches(".*\\.(cl|cu)") && !MAIN.matcher(text).find()
                        ? KernelDraft.of(text, found.keySet(), constants)
                        : Optional.empty();
        if (kernel.isPresent()) {
            return new StudyDraft(
                    out.append("measure:\n  limit: 60  # seconds, to compile, check and time\n")
                            .append(kernel.get().lines(name))
                            .append("run:\n  trials: 100\n")
                            .toString(),
                    kernel.get().objection());
        } else if (name.endsWith(".cl")) {
            out.append("measure:\n")
                    .append("  # The program that compiles ")
                    .append(name)
                    .append(" with these values (-D NAME=value), runs it and prints its time.\n")
                    .append("  command: [./run_kernel")
                    .append(", ")
                    .append(name)
                    .append(defines)
                    .append("]\n");
        } else {
            if (!isGuarded && !found.isEmpty()) {
                out.append("# EDIT: the source defines these without #ifndef, which wins over -D; write '#ifndef ")
                        .append(found.keySet().iterator().next())
                        .append("' before it, for each.\n");
            }
            out.append("measure:\n  # What is compiled; a configuration that does not compile is refused.\n")
                    .append("  build: [")
                    .append(compiler)
                    .append(", -O2, ")
                    .append(name)
                    .append(defines)
                    .append(", -o, \"{folder}/program\"]\n")
                    .append("  command: [\"{folder}/program\"]\n");
        }
        return new StudyDraft(
                out.append(tail()).toString(),
                Optional.of("1: no kernel was found that writes to one of its arguments")
                        .filter(_ -> name.endsWith(".cl")));
    }

    /// True for a number that says how much work there is, so that another one is other work.
    private static boolean isSize(String name, String value) {
        return SIZES.matcher(name).matches() || Math.abs(Double.parseDouble(value)) > LARGEST_PARAMETER;
    }

    /// True for a 1 that counts something; a macro that conditions ask for, or called so, is on or off.
    private static boolean isCount(String name, String usual, String text) {
        return usual.equals("1")
                && !name.matches("(?i)(use|enable|with|has|is|no|pad|str|s[ab]$).*")
                && !Pattern.compile("#\\s*(?:el)?if(?:def)?\\b[^\\n]*\\b" + name + "\\b")
                        .matcher(text)
                        .find();
    }

    private static String python(String name, String text) {
        Map<String, String> found = new LinkedHashMap<>();
        Matcher m = OPTION.matcher(text);
        while (m.find() && found.size() < MOST) {
            Matcher c = CHOICES.matcher(m.group(2));
            Matcher d = DEFAULT.matcher(m.group(2));
            String usual = d.find() ? d.group(1).replaceAll("['\"]", "") : "1";
            found.put(
                    m.group(1).substring(2),
                    c.find()
                            ? "[" + c.group(1).replaceAll("['\"]", "") + "]"
                            : m.group(2).contains("store_true") ? "switch" : values(usual));
        }
        var out = new StringBuilder(head(name));
        out.append(
                found.isEmpty()
                        ? "  # No option with a default was found; name your own.\n  n: [1, 2, 4, 8]\n"
                        : found.entrySet().stream()
                                .map(e -> "  " + e.getKey() + ": " + e.getValue() + "\n")
                                .collect(Collectors.joining()));
        out.append(constraints(List.copyOf(found.keySet()))).append(objectives());
        return out.append("measure:\n  command: [python3, ")
                .append(name)
                .append((found.isEmpty() ? List.of("n") : List.copyOf(found.keySet()))
                        .stream().map(k -> ", \"--" + k + "={" + k + "}\"").collect(Collectors.joining()))
                .append("]\n")
                .append(tail())
                .toString();
    }

    private static String head(String name) {
        return "# Drafted from " + name
                + ": look at the values, and at the lines marked EDIT.\nstudy: 1\nparameters:\n";
    }

    private static String constraints(List<String> names) {
        String example = names.size() > 1 ? names.get(0) + " % " + names.get(1) + " == 0" : "a * b <= 1024";
        return "# What a configuration has to keep, for example:\n# constraints:\n#   - " + example + "\n";
    }

    private static String objectives() {
        return "objectives:\n  time: {goal: minimise, unit: ms}\n";
    }

    private static String tail() {
        return "  # What it prints: a line {\"time\": 1.5}, or only the number; or say how to find it:\n"
                + "  # result: {time: 'took ([0-9.]+) ms'}\n"
                + "  # check: [python3, check.py, \"{folder}/output\"]  # ends with status 0 where the result is right\n"
                + "  limit: 60  # seconds\n"
                + "run:\n  trials: 100\n";
    }

    /// Values around a default: a whole number halved and doubled, a real one over two decades.
    private static String values(String usual) {
        String bare = usual.replaceAll("[uUlLfF]+$", "");
        if (bare.matches("\\d{1,8}")) {
            int v = Integer.parseInt(bare);
            if (v <= 1) {
                return "[0, 1]";
            }
            var all = new TreeSet<Integer>();
            for (int f : List.of(1, 2, 4)) {
                all.add(Math.max(1, v / f));
                all.add(v * f);
            }
            List<String> words = new ArrayList<>();
            all.forEach(x -> words.add(Integer.toString(x)));
            return "{values: [" + String.join(", ", words) + "], default: " + v + "}";
        }
        if (bare.matches("\\d*\\.\\d+|\\d+\\.\\d*|\\d+e-?\\d+") && Double.parseDouble(bare) > 0) {
            double v = Double.parseDouble(bare);
            return String.format(
                    Locale.ROOT, "{from: %s, to: %s, scale: log, default: %s}", number(v / 10), number(v * 10), bare);
        }
        return "[" + usual + "]";
    }

    private static String number(double v) {
        return new java.math.BigDecimal(v)
                .round(new java.math.MathContext(6))
                .stripTrailingZeros()
                .toString()
                .toLowerCase(Locale.ROOT);
    }
}
