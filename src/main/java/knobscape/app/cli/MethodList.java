package knobscape.app.cli;

import java.io.PrintWriter;
import java.util.Optional;
import knobscape.project.Areas;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Named;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import tools.jackson.databind.json.JsonMapper;

/// The methods of every area on the command line: those offered stand in the help of the area's verb, and
/// `--method list` prints all of them.
final class MethodList {
    private static final String OPTION = "--method";
    private static final String LIST = "list";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private MethodList() {}

    /// Adds both to the verbs of a command line.
    static CommandLine on(CommandLine line) {
        line.getSubcommands().forEach((verb, command) -> {
            // The areas are asked only where help is printed: most commands need none of them.
            command.getHelpSectionMap()
                    .put(
                            UsageMessageSpec.SECTION_KEY_FOOTER,
                            help -> area(verb)
                                    .map(a -> "\nMethods:\n"
                                            + table(help, a.methods().offered())
                                            + (a.methods().further().isEmpty()
                                                    ? ""
                                                    : "All of them: " + OPTION + " " + LIST + "\n"))
                                    .orElse(""));
        });
        return line.setExecutionStrategy(parsed -> listed(parsed).orElseGet(() -> new RunLast().execute(parsed)));
    }

    private static Optional<Area> area(String verb) {
        return Areas.standard().areas().stream()
                .filter(a -> a.verb().equals(verb))
                .findFirst();
    }

    private static String table(Help help, Iterable<? extends Named> methods) {
        var table = Help.TextTable.forColumns(
                help.colorScheme(),
                new Help.Column(20, 2, Help.Column.Overflow.SPAN),
                new Help.Column(help.commandSpec().usageMessage().width() - 20, 2, Help.Column.Overflow.WRAP));
        methods.forEach(m -> table.addRowValues(m.name(), m.label() + ". " + m.description()));
        return table.toString();
    }

    /// Prints the methods of a verb that is asked for them; gives the exit code, empty for any other command line.
    private static Optional<Integer> listed(ParseResult parsed) {
        return Optional.ofNullable(parsed.subcommand())
                .filter(s -> s.hasMatchedOption(OPTION)
                        && s.matchedOption(OPTION).originalStringValues().contains(LIST))
                .flatMap(s -> area(s.commandSpec().name()).map(a -> print(s, a.methods())));
    }

    private static int print(ParseResult verb, Choices<? extends Named> methods) {
        PrintWriter out = verb.commandSpec().commandLine().getOut();
        if (verb.hasMatchedOption("--json")) {
            var root = JSON.createObjectNode();
            var list = root.putArray("methods");
            methods.all()
                    .forEach(m -> list.addObject()
                            .put("name", m.name())
                            .put("label", m.label())
                            .put("description", m.description())
                            .put("offered", methods.offered().contains(m)));
            out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root));
        } else {
            var table = new TextTable("method", "name", "when to take it");
            methods.all().forEach(m -> table.add(m.name(), m.label(), m.description()));
            out.print(table.text());
        }
        out.flush();
        return 0;
    }
}
