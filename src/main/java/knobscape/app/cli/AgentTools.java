package knobscape.app.cli;

import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.project.Areas;
import knobscape.project.ProgramConsent;
import knobscape.project.ThisProgram;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The verbs of the command line as tools for an agent: names, words and limits are theirs. A tool that searches starts
/// a process and answers at once. No argument may name a place outside one folder.
final class AgentTools implements AutoCloseable {
    private static final Set<String> READING = Set.of("space", "advise", "runs", "why", "what-if", "report", "doctor");
    private static final Set<String> WRITING = Set.of("ask", "tell", "export", "history");
    /// Options that no agent is offered: they wait for a person or for ever, or agree in a person's place.
    private static final Set<String> NEVER = Set.of("--help", "--json", "--yes", "--follow", "--every");
    /// Options that write, of verbs that otherwise read.
    private static final Set<String> WRITE =
            Set.of("--out", "--force", "--delete", "--rename", "--note", "--write-directives");
    private static final int LONGEST = 1 << 20;
    private static final int LAST_LINES = 20;
    private static final long STOP_SECONDS = 30;
    /// A search that is refused ends sooner than this.
    private static final long REFUSAL_SECONDS = 5;
    /// Toolchains of a place of one's own.
    private static final Pattern TOOLS = Pattern.compile("(command|vitis|open):(?!xc7$).+");

    private final CommandContext context;
    private final Path root;
    private final boolean write;
    private final boolean programs;
    private final Map<Integer, Search> searches = new ConcurrentSkipListMap<>();

    /// @param root the folder it may see, without links in its path
    /// @param write whether it may write there
    /// @param programs whether it may start programs that files name
    AgentTools(CommandContext context, Path root, boolean write, boolean programs) {
        this.context = new CommandContext(context.tools(), context.runners(), root, false);
        this.root = root;
        this.write = write;
        this.programs = programs;
    }

    /// A search in a process of its own.
    private record Search(List<String> words, Process process, Path folder) {
        Path out() {
            return folder.resolve("out.txt");
        }

        Path err() {
            return folder.resolve("err.txt");
        }
    }

    /// All that it may use.
    List<SyncToolSpecification> all() {
        var tools = new ArrayList<SyncToolSpecification>();
        Set<String> searching =
                Areas.standard().areas().stream().map(a -> a.about().verb()).collect(Collectors.toSet());
        Main.commandLine(context).getSubcommands().forEach((verb, line) -> {
            if (READING.contains(verb) || (write && WRITING.contains(verb))) {
                tools.add(tool(line.getCommandSpec(), "", this::answer));
            } else if (write && searching.contains(verb)) {
                tools.add(tool(line.getCommandSpec(), " Answers at once; see watch.", this::start));
            }
        });
        if (write) {
            tools.add(ofSearch(
                    "watch", "How a search that was started goes, and its result once it has ended.", this::watch));
            tools.add(ofSearch("stop", "Stops a search; what it found stays, and it may be resumed.", this::stop));
        }
        return tools;
    }

    @FunctionalInterface
    private interface Handler {
        CallToolResult call(CommandSpec spec, Map<String, Object> arguments);
    }

    private SyncToolSpecification tool(CommandSpec spec, String more, Handler handler) {
        var properties = new LinkedHashMap<String, Object>();
        var required = new ArrayList<String>();
        for (ArgSpec a : arguments(spec)) {
            properties.put(name(a), schema(a));
            if (a.isPositional() ? a.arity().min() > 0 : a.required()) {
                required.add(name(a));
            }
        }
        Map<String, Object> schema = Map.of("type", "object", "properties", properties, "required", required);
        return new SyncToolSpecification(
                // Not every client takes names with a hyphen.
                Tool.builder(spec.name().replace('-', '_'), schema)
                        .description(String.join(" ", spec.usageMessage().description()) + more)
                        .build(),
                (_, request) -> guarded(() -> handler.call(spec, given(request))));
    }

    private SyncToolSpecification ofSearch(
            String name, String words, java.util.function.Function<Search, CallToolResult> then) {
        Map<String, Object> schema = Map.of(
                "type",
                "object",
                "properties",
                Map.of("search", Map.of("type", "integer", "description", "Its number, as its start answered it.")),
                "required",
                List.of("search"));
        return new SyncToolSpecification(
                Tool.builder(name, schema).description(words).build(),
                (_, request) -> guarded(() -> {
                    Search s = given(request).get("search") instanceof Number n ? searches.get(n.intValue()) : null;
                    return s == null
                            ? failed("No search has this number; there are " + searches.keySet() + ".")
                            : then.apply(s);
                }));
    }

    private static Map<String, Object> given(CallToolRequest request) {
        return request.arguments() == null ? Map.of() : request.arguments();
    }

    private static CallToolResult guarded(java.util.function.Supplier<CallToolResult> call) {
        try {
            return call.get();
        } catch (UserError e) {
            return failed(e.getMessage());
        }
    }

    private static CallToolResult failed(String why) {
        return CallToolResult.builder().addTextContent(why).isError(true).build();
    }

    private static CallToolResult done(String text) {
        return CallToolResult.builder()
                .addTextContent(text.length() > LONGEST ? text.substring(0, LONGEST) + "\n(cut after 1 MiB)" : text)
                .isError(false)
                .build();
    }

    private List<ArgSpec> arguments(CommandSpec spec) {
        var all = new ArrayList<ArgSpec>(spec.positionalParameters());
        spec.options().stream()
                .filter(o -> !o.hidden() && !NEVER.contains(o.longestName()))
                .filter(o -> write || !WRITE.contains(o.longestName()))
                .forEach(all::add);
        return all;
    }

    private static String name(ArgSpec a) {
        return switch (a) {
            case OptionSpec o -> o.longestName().replaceFirst("^-+", "");
            case PositionalParamSpec p ->
                p.paramLabel()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9]+", "_")
                        .replaceAll("^_+|_+$", "");
            default -> throw new IllegalStateException("an argument of an unknown kind");
        };
    }

    private static Map<String, Object> schema(ArgSpec a) {
        Class<?> type = a.typeInfo().isMultiValue() || a.typeInfo().isOptional()
                ? a.typeInfo().getAuxiliaryTypes()[0]
                : a.typeInfo().getType();
        // A number that a setting reads from a word may come as either.
        Object of = type == boolean.class || type == Boolean.class
                ? "boolean"
                : type == int.class || type == long.class || type == Integer.class || type == Long.class
                        ? "integer"
                        : type == double.class || type == Double.class ? "number" : List.of("string", "number");
        String words = String.join(" ", a.description());
        return a.typeInfo().isMultiValue()
                ? Map.of("type", "array", "items", Map.of("type", of), "description", words)
                : Map.of("type", of, "description", words);
    }

    /// The words of a command line; every value is looked at.
    private List<String> words(CommandSpec spec, Map<String, Object> given) {
        List<ArgSpec> known = arguments(spec);
        Set<String> names = known.stream().map(AgentTools::name).collect(Collectors.toCollection(TreeSet::new));
        given.keySet().stream().filter(n -> !names.contains(n)).findFirst().ifPresent(n -> {
            throw new UserError(
                    "'" + n + "' is no argument of " + spec.name() + "; there are " + String.join(", ", names) + ".");
        });
        var words = new ArrayList<>(List.of(spec.name(), "--json"));
        var positional = new ArrayList<String>();
        for (ArgSpec a : known) {
            Object value = given.get(name(a));
            if (value == null || Boolean.FALSE.equals(value)) {
                continue;
            }
            for (Object v : value instanceof Collection<?> many ? many : List.of(value)) {
                String text = String.valueOf(v);
                requireAllowed(text);
                if (a instanceof OptionSpec o) {
                    words.add(Boolean.TRUE.equals(v) ? o.longestName() : o.longestName() + "=" + text);
                } else {
                    positional.add(text);
                }
            }
        }
        words.add("--");
        words.addAll(positional);
        return words;
    }

    /// Whatever in a value could be a file lies in the folder; nothing is read before that is known.
    private void requireAllowed(String value) {
        if (!programs && TOOLS.matcher(value).matches()) {
            throw new UserError("'" + value + "' names a program to start; the server was started without --programs.");
        }
        if (value.equals("-")) {
            throw new UserError("'-' is standard input, by which this server hears its client; name a file.");
        }
        for (String part : value.split("[:=,]")) {
            Path place;
            try {
                place = root.resolve(part.strip()).normalize();
                for (Path p = place; p != null; p = p.getParent()) {
                    if (Files.exists(p)) {
                        place = p.toRealPath();
                        break;
                    }
                }
            } catch (IOException | java.nio.file.InvalidPathException e) {
                throw new UserError("'" + value + "' cannot be looked at: " + e.getMessage() + ".", e);
            }
            if (!place.startsWith(root) || part.startsWith("~")) {
                throw new UserError(
                        "'" + value + "' lies outside of '" + root + "', which is all this server may see.");
            }
        }
    }

    private CallToolResult answer(CommandSpec spec, Map<String, Object> given) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.execute(
                context,
                new PrintWriter(out),
                new PrintWriter(err),
                words(spec, given).toArray(String[]::new));
        return code == 0 ? done(out.toString()) : failed((out + "\n" + err).strip());
    }

    private synchronized CallToolResult start(CommandSpec spec, Map<String, Object> given) {
        List<String> words = words(spec, given);
        try {
            Path folder = TemporaryFiles.folder("agent");
            var search = new Search(
                    words,
                    new ProcessBuilder(ThisProgram.command(
                                    programs ? List.of() : List.of("-D" + ProgramConsent.FORBIDDEN + "=true"), words))
                            .directory(root.toFile())
                            .redirectOutput(folder.resolve("out.txt").toFile())
                            .redirectError(folder.resolve("err.txt").toFile())
                            .start(),
                    folder);
            search.process().getOutputStream().close();
            if (search.process().waitFor(REFUSAL_SECONDS, TimeUnit.SECONDS)
                    && search.process().exitValue() != 0) {
                return failed(text(search.err()).strip());
            }
            int number = searches.size() + 1;
            searches.put(number, search);
            return done(
                    JsonMapper.shared().createObjectNode().put("search", number).toString());
        } catch (IOException e) {
            throw new UserError("The search cannot be started: " + UserError.reason(e) + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("The server was stopped.");
        }
    }

    private CallToolResult watch(Search s) {
        boolean runs = s.process().isAlive();
        ObjectNode n = JsonMapper.shared().createObjectNode();
        n.put("command", String.join(" ", s.words()));
        n.put("running", runs);
        List<String> lines = text(s.err()).lines().toList();
        n.put("progress", String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())));
        if (!runs) {
            n.put("exit", s.process().exitValue());
            String result = text(s.out());
            if (!result.isBlank()) {
                n.set("result", JsonMapper.shared().readTree(result));
            }
        }
        return done(n.toPrettyString());
    }

    private static String text(Path file) {
        return InputFile.required(file, LONGEST);
    }

    private CallToolResult stop(Search s) {
        end(s);
        return watch(s);
    }

    /// As Ctrl-C does: the run is stored as interrupted.
    private static void end(Search s) {
        s.process().destroy();
        try {
            if (!s.process().waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                s.process().descendants().forEach(ProcessHandle::destroyForcibly);
                s.process().destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Stops what still runs.
    @Override
    public void close() {
        searches.values().forEach(AgentTools::end);
    }
}
