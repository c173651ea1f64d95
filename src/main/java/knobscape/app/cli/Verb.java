package knobscape.app.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What all verbs share: help, `--json`, and where words go. Results go to standard output, everything else to
/// standard error.
abstract class Verb implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    @Option(names = "--json", description = "Print one JSON document on standard output and nothing else.")
    private boolean json;

    private final CommandContext context;

    Verb(CommandContext context) {
        this.context = context;
    }

    final CommandContext context() {
        return context;
    }

    final CommandSpec spec() {
        return spec;
    }

    final boolean isJson() {
        return json;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final void print(JsonNode document) {
        out().println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document));
        out().flush();
    }
}
