package knobscape.study.export;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.KnobSet;
import knobscape.study.source.OwnKernel;
import knobscape.study.source.Study;
import knobscape.study.space.StudySpace;
import knobscape.study.text.Numerals;
import knobscape.study.text.Placeholders;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Writes a configuration of a study for those who use it.
public final class StudyExporter {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=+,@%-]+");

    private static final List<String> TRITON = List.of("num_warps", "num_stages", "num_ctas", "maxnreg");
    private static final List<String> VLLM =
            List.of("BLOCK_SIZE_M", "BLOCK_SIZE_N", "BLOCK_SIZE_K", "GROUP_SIZE_M", "num_warps", "num_stages");
    private static final String TOKENS = "M";

    private StudyExporter() {}

    /// True if parameters of the study are Triton's, so that [#triton] can write them.
    public static boolean isTriton(Study study) {
        return study.parameters().stream().anyMatch(p -> TRITON.contains(p.name()));
    }

    /// True if the parameters of the study are those of vLLM's fused-MoE kernels, so that [#vllm] can write them.
    public static boolean isVllm(Study study) {
        return VLLM.stream()
                .allMatch(
                        n -> study.parameters().stream().anyMatch(p -> p.name().equals(n)));
    }

    /// A C header: a macro of its name for each parameter, numbers as they are, switches as 0 or 1, words as strings.
    ///
    /// @param title one line that says what it is of
    public static String header(String title, Configuration c) {
        var text = new StringBuilder("/* " + title.replace("*/", "* /") + " */\n#pragma once\n");
        for (int i = 0; i < c.knobs().size(); i++) {
            String value = switch (c.knobs().get(i).domain()) {
                case Domain.Toggle _ -> c.level(i) == 1 ? "1" : "0";
                case Domain.Factors _, Domain.Numbers _ -> c.value(i);
                case Domain.Categories _ ->
                    c.value(i).matches("[A-Za-z_][A-Za-z0-9_]*|[+-]?[0-9.]+")
                            ? c.value(i)
                            : '"' + c.value(i).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            };
            text.append("#define ")
                    .append(macro(c.knobs().get(i).name()))
                    .append(' ')
                    .append(value)
                    .append('\n');
        }
        return text.toString();
    }

    private static String macro(String name) {
        String word = name.replaceAll("[^A-Za-z0-9_]", "_");
        return Character.isDigit(word.charAt(0)) ? "_" + word : word;
    }

    /// The command lines of the last stage with the values in their places, one a line, quoted for a POSIX shell;
    /// of a kernel the options of its compiler.
    /// `{folder}` becomes `.`.
    ///
    /// @param here the study's folder
    public static String commands(Study study, Path here, Configuration c) {
        if (study.stages().isEmpty()) {
            return "";
        }
        Study.Stage s = study.stages().getLast();
        if (s.kernel().isPresent()) {
            return StudySpace.macros(c).stream().map(StudyExporter::quoted).collect(Collectors.joining(" ")) + "\n";
        }
        String variables = s.environment().entrySet().stream()
                .map(e -> e.getKey() + "=" + quoted(placed(e.getValue(), here, c)) + " ")
                .sorted()
                .collect(Collectors.joining());
        return List.of(s.build(), s.command()).stream()
                .filter(words -> !words.isEmpty())
                .map(words -> variables
                        + words.stream().map(w -> quoted(placed(w, here, c))).collect(Collectors.joining(" "))
                        + "\n")
                .collect(Collectors.joining());
    }

    /// A configuration as Python: `triton.Config({'BLOCK': 64}, num_warps=4)`. Throws [UserError] where no
    /// parameter is one of Triton's.
    public static String triton(Configuration c) {
        var meta = new ArrayList<String>();
        var options = new ArrayList<String>();
        for (int i = 0; i < c.knobs().size(); i++) {
            String name = c.knobs().get(i).name();
            if (TRITON.contains(name)) {
                options.add(name + "=" + python(c, i));
            } else {
                meta.add("'" + name + "': " + python(c, i));
            }
        }
        if (options.isEmpty()) {
            throw new UserError("No parameter is one of Triton's (" + String.join(", ", TRITON)
                    + "), so this is no triton.Config; export it as json, header or command.");
        }
        return "triton.Config({" + String.join(", ", meta) + "}, " + String.join(", ", options) + ")\n";
    }

    private static String python(Configuration c, int knob) {
        return switch (c.knobs().get(knob).domain()) {
            case Domain.Toggle _ -> c.level(knob) == 1 ? "True" : "False";
            case Domain.Factors _, Domain.Numbers _ -> c.value(knob);
            case Domain.Categories _ ->
                "'" + c.value(knob).replace("\\", "\\\\").replace("'", "\\'") + "'";
        };
    }

    /// The best configurations by the number of tokens `M`, as vLLM's fused-MoE kernels read them: block sizes,
    /// warps and stages. `M` is a parameter or a constant of the kernel. Throws [UserError] where one of them is
    /// missing.
    ///
    /// @param ranked the best first; at least one
    public static String vllm(Study study, List<Configuration> ranked) {
        if (ranked.isEmpty()) {
            throw new UserError(study.file() + ": nothing was measured yet.");
        }
        KnobSet knobs = ranked.getFirst().knobs();
        Optional<String> constant = study.stages().stream()
                .flatMap(s -> s.kernel().stream())
                .flatMap(k -> Optional.ofNullable(k.constants().get(TOKENS)).stream())
                .findFirst();
        List<String> missing = Stream.concat(
                        VLLM.stream().filter(n -> knobs.indexOf(n).isEmpty()),
                        Stream.of(TOKENS).filter(n -> knobs.indexOf(n).isEmpty() && constant.isEmpty()))
                .toList();
        if (!missing.isEmpty()) {
            throw new UserError(study.file() + ": vLLM's file needs the parameters " + String.join(", ", VLLM)
                    + " and the number of tokens " + TOKENS + " as a parameter or constant; missing "
                    + (missing.size() == 1 ? "is " : "are ") + String.join(", ", missing) + ".");
        }
        var best = new TreeMap<Integer, Configuration>();
        for (Configuration c : ranked) {
            String tokens = constant.orElseGet(() -> c.value(TOKENS));
            if (!tokens.matches("\\d{1,9}")) {
                throw new UserError(study.file() + ": the number of tokens " + TOKENS + " is '" + tokens
                        + "' and must be a whole number.");
            }
            best.putIfAbsent(Integer.parseInt(tokens), c);
        }
        ObjectNode root = JsonMapper.shared().createObjectNode();
        best.forEach((tokens, c) -> {
            ObjectNode entry = root.putObject(tokens.toString());
            for (String name : VLLM) {
                Numerals.number(c.value(name))
                        .filter(v -> v == Math.rint(v))
                        .ifPresentOrElse(v -> entry.put(name, v.intValue()), () -> {
                            throw new UserError(study.file() + ": '" + name + "' is '" + c.value(name)
                                    + "', and vLLM takes a whole number.");
                        });
            }
        });
        return root.toPrettyString() + "\n";
    }

    /// How many milliseconds a unit of time is; empty for another unit.
    public static Optional<Double> milliseconds(String unit) {
        return Optional.ofNullable(OwnKernel.SECONDS_OF_UNIT.get(unit)).map(s -> s * 1e3);
    }

    private static String placed(String text, Path here, Configuration c) {
        return Placeholders.fill(text, c, here.toString(), ".");
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
