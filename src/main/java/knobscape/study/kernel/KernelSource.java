package knobscape.study.kernel;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.InputFile;
import knobscape.study.kernel.KernelJob.Code;

/// The source of a kernel as it is compiled, and its places in messages.
final class KernelSource {
    private static final long MOST_BYTES = 16L << 20;
    private static final Pattern GIVEN = Pattern.compile("-D([A-Za-z_]\\w*)=.*");
    /// How compilers call a source that has no file.
    private static final Pattern NAMELESS = Pattern.compile(
            "(?:\\S*[/\\\\])?(?:tempfile_\\w+\\.cl|<kernel>|<source>|<built-in>|default_program)(?=[:(]\\d)");

    private KernelSource() {}

    /// The text. A macro that a parameter or constant gives has that value only: a line that defines it in the source,
    /// which would win over the compiler's option, is empty.
    static String of(Code code) {
        String text = InputFile.required(Path.of(code.file()), MOST_BYTES);
        for (String option : code.options()) {
            Matcher given = GIVEN.matcher(option);
            if (given.matches()) {
                text = text.replaceAll(
                        "(?m)^[ \\t]*#[ \\t]*define[ \\t]+" + given.group(1) + "(?![\\w(]).*(?<!\\\\)$", "");
            }
        }
        return text;
    }

    /// Where a kernel stands, `k.cl:12`; its first line where its name is not found.
    static String place(Code code) {
        List<String> lines =
                InputFile.required(Path.of(code.file()), MOST_BYTES).lines().toList();
        Pattern name = Pattern.compile("\\b" + Pattern.quote(code.function()) + "\\s*\\(");
        int line = 0;
        while (line < lines.size() && !name.matcher(lines.get(line)).find()) {
            line++;
        }
        return Path.of(code.file()).getFileName() + ":" + (line < lines.size() ? line + 1 : 1);
    }

    /// Why a device does not run a kernel: its word, and what it means where it is known.
    static String refusal(String word, String function) {
        String known = word.matches(".*(INVALID_KERNEL_NAME|ERROR_NOT_FOUND).*")
                ? "there is no kernel '" + function + "'"
                : word.matches(".*INVALID_(KERNEL_ARGS|ARG_INDEX|ARG_SIZE|ARG_VALUE|MEM_OBJECT).*")
                        ? "its arguments are others than the study's"
                        : "the device refuses or loses it";
        return known + " (" + word.strip() + ")";
    }

    /// A compiler's words with the source's name.
    static String named(String words, String file) {
        return NAMELESS.matcher(words)
                .replaceAll(
                        Matcher.quoteReplacement(String.valueOf(Path.of(file).getFileName())));
    }
}
