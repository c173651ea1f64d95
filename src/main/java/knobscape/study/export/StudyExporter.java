package knobscape.study.export;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.study.source.Study;
import knobscape.study.space.StudySpace;
import knobscape.study.text.Placeholders;

/// Writes a configuration of a study for those who use it.
public final class StudyExporter {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=+,@%-]+");

    private StudyExporter() {}

    /// A C header: a macro for each parameter, numbers as they are, switches as 0 or 1, words as strings.
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
        return (Character.isDigit(word.charAt(0)) ? "_" + word : word).toUpperCase(Locale.ROOT);
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

    private static String placed(String text, Path here, Configuration c) {
        return Placeholders.fill(text, c, here.toString(), ".");
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
