package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.project.Areas;
import knobscape.work.Area;
import knobscape.work.Named;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// The reference in `src/docs/reference.md` is written from the program: run with `-Dknobscape.write=true` to
/// write it anew.
class ReferenceTest {
    private static final Path FILE = Path.of("src/docs/reference.md");

    @Test
    void theReferenceSaysWhatTheProgramHas() throws IOException {
        String text = text();
        if (Boolean.getBoolean("knobscape.write")) {
            Files.writeString(FILE, text);
        }
        assertThat(Files.readString(FILE))
                .as("write it anew: mvn test -Dtest=ReferenceTest -DargLine=-Dknobscape.write=true")
                .isEqualTo(text);
    }

    private static String text() {
        var b = new StringBuilder("""
                # Reference

                Written from the program by the test `ReferenceTest`; do not edit.

                Every verb takes `--json` (one JSON document on standard output, everything else on standard error) and `--help`.
                Exit status: 0 done, 1 the work failed (one sentence says why), 2 wrong usage.
                """);
        for (Area area : Areas.standard().areas()) {
            b.append("\n## ")
                    .append(area.title())
                    .append(" (`knobscape ")
                    .append(area.verb())
                    .append("`)\n");
            table(b, "method", area.methods().all());
            table(b, area.evaluators().what(), area.evaluators().all());
        }
        CommandLine main = Main.commandLine(CommandContext.ofThisProcess());
        main.getSubcommands()
                .forEach((name, command) -> b.append("\n## `knobscape ")
                        .append(name)
                        .append("`\n\n```\n")
                        .append(command.setUsageHelpWidth(110).getUsageMessage(Ansi.OFF))
                        .append("```\n"));
        return b.toString();
    }

    private static void table(StringBuilder b, String what, Iterable<? extends Named> choices) {
        b.append("\n| ").append(what).append(" | name | what it does |\n|---|---|---|\n");
        choices.forEach(c -> b.append("| `")
                .append(c.name())
                .append("` | ")
                .append(c.label())
                .append(" | ")
                .append(c.description())
                .append(" |\n"));
    }
}
