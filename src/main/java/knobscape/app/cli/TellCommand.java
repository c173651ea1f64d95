package knobscape.app.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.ReportedResults;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.explore.Subject;
import knobscape.hls.evaluate.vendor.VendorFigures;
import knobscape.project.AskTellRun;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunReference;
import knobscape.space.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/// `knobscape tell`: results of designs that were evaluated outside.
@Command(
        name = "tell",
        description =
                "Report the result of a design that 'knobscape ask' handed out, or of designs measured elsewhere (with --from).")
final class TellCommand extends Verb {
    private static final long LARGEST = 64L << 20;

    @Parameters(
            index = "0",
            paramLabel = "RUN",
            description = "PROJECT:NUMBER, a project (its newest run) or a folder of results.")
    private String run;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DESIGN",
            description = "Number of the design (3 or #3), its identifier, or its knobs as 'knob=value;knob=value'.")
    private Optional<String> design = Optional.empty();

    @Parameters(
            index = "2..*",
            arity = "0..*",
            paramLabel = "METRIC=VALUE",
            description = "What was measured, for example lut=1200 delay=35.5.")
    private List<String> values = new ArrayList<>();

    @Option(
            names = "--stage",
            paramLabel = "NAME",
            description =
                    "Stage that the result is of (default: the next that was asked for; of a design measured elsewhere the highest).")
    private Optional<String> stage = Optional.empty();

    @Option(
            names = "--failed",
            paramLabel = "KIND",
            description =
                    "Why there is no result: illegal-directive, does-not-fit, timing-not-met, cannot-be-routed, rejected or wrong-result (the design is at fault); no-licence, crashed or timed-out (the tool is).")
    private Optional<String> failed = Optional.empty();

    @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, in words.")
    private Optional<String> reason = Optional.empty();

    @Option(names = "--seconds", paramLabel = "N", description = "Tool time of the stage in seconds (default: 0).")
    private double seconds;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Take the values from a vendor's reports: the folder of Vivado HLS, Vitis HLS or Vivado.")
    private Optional<Path> report = Optional.empty();

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "Tell what a JSON file says, - for standard input: {\"designs\": [{\"design\": 3 | \"knobs\": {..}, \"subject\", \"stage\", \"values\": {..}, \"failed\", \"reason\", \"seconds\"}]}. Designs that were not asked for are known from then on.")
    private Optional<String> from = Optional.empty();

    TellCommand(CommandContext context) {
        super(context);
    }

    /// One result as it was told.
    private record AnswerReport(
            Optional<String> design,
            Map<String, String> knobs,
            Optional<String> subject,
            Optional<String> stage,
            Map<String, Double> values,
            Optional<String> failed,
            String reason,
            double seconds) {}

    @Override
    public Integer call() {
        if (design.isPresent() == from.isPresent()) {
            throw new ParameterException(
                    spec().commandLine(), "Name a DESIGN with its values, or a file of results with --from.");
        }
        List<AnswerReport> said = from.map(this::read).orElseGet(() -> List.of(said()));
        RunReference reference = RunReference.parse(run, context().here());
        try (Project project = reference.open();
                AskTellRun told = AskTellRun.open(
                        project, reference.run(project), AskCommand.PATIENCE_SECONDS, Clock.systemUTC())) {
            AskTellRun.Receipt taken = told.tell(subjects -> evaluations(told, subjects, said));
            String words = "Told: " + taken.asked() + " asked for"
                    + (taken.elsewhere() > 0 ? ", " + taken.elsewhere() + " measured elsewhere" : "")
                    + (taken.before() > 0 ? ", " + taken.before() + " told before" : "");
            if (isJson()) {
                print(JsonMapper.builder()
                        .build()
                        .createObjectNode()
                        .put("asked", taken.asked())
                        .put("elsewhere", taken.elsewhere())
                        .put("before", taken.before()));
            } else {
                out().println(words);
                out().flush();
            }
            return 0;
        }
    }

    private AnswerReport said() {
        var measured = new LinkedHashMap<String, Double>();
        for (String v : values) {
            int eq = v.indexOf('=');
            try {
                measured.put(v.substring(0, Math.max(0, eq)), Double.valueOf(v.substring(eq + 1)));
            } catch (NumberFormatException e) {
                throw new ParameterException(spec().commandLine(), "'" + v + "' is not of the form METRIC=NUMBER.", e);
            }
        }
        return new AnswerReport(
                design, Map.of(), Optional.empty(), stage, measured, failed, reason.orElse(""), seconds);
    }

    private List<AnswerReport> read(String file) {
        JsonFields document;
        try {
            document = file.equals("-")
                    ? JsonFields.parse(
                            "standard input", new String(System.in.readNBytes((int) LARGEST), StandardCharsets.UTF_8))
                    : JsonFields.read(context().here().resolve(file), LARGEST);
        } catch (IOException e) {
            throw new UserError("Standard input cannot be read: " + UserError.reason(e) + ".", e);
        }
        document.onlyKnown(List.of("designs"));
        var all = new ArrayList<AnswerReport>();
        for (JsonFields d : document.objects("designs")) {
            d.onlyKnown(List.of("design", "knobs", "subject", "stage", "values", "failed", "reason", "seconds"));
            var measured = new LinkedHashMap<String, Double>();
            JsonFields v = d.objectOrEmpty("values");
            v.node().propertyNames().forEach(n -> measured.put(n, v.number(n).orElseThrow()));
            all.add(new AnswerReport(
                    d.get("design").map(n -> n.asString()),
                    d.map("knobs"),
                    d.text("subject"),
                    d.text("stage"),
                    measured,
                    d.text("failed"),
                    d.text("reason").orElse(""),
                    d.number("seconds").orElse(0.0)));
        }
        return all;
    }

    private Map<Subject, List<Evaluation>> evaluations(
            AskTellRun told, List<Subject> subjects, List<AnswerReport> all) {
        List<AskTellRun.Pending> pending = told.pending();
        List<Design> designs = told.results().designs();
        var answers = new LinkedHashMap<Subject, List<Evaluation>>();
        for (AnswerReport s : all) {
            Subject subject = subject(subjects, designs, s);
            Configuration c = configuration(subject, designs, s);
            List<Fidelity> known = subject.evaluator().info().fidelities();
            // Stages that were told before in the same breath are no longer open.
            List<Evaluation> before = answers.computeIfAbsent(subject, _ -> new ArrayList<>());
            Fidelity of = s.stage()
                    .map(n -> known.stream()
                            .filter(f -> f.name().equals(n))
                            .findFirst()
                            .orElseThrow(() -> new UserError("There is no stage '" + n
                                    + "'"
                                    + NameSuggestions.didYouMean(
                                            n,
                                            known.stream().map(Fidelity::name).toList())
                                    + "; known: "
                                    + known.stream().map(Fidelity::name).collect(Collectors.joining(", ")) + ".")))
                    .or(() -> pending.stream()
                            .filter(p -> p.subject().name().equals(subject.name())
                                    && p.proposal().configuration().equals(c))
                            .flatMap(p -> p.stages().stream())
                            .filter(f -> before.stream()
                                    .noneMatch(e -> e.configuration().equals(c)
                                            && e.fidelity().equals(f)))
                            .findFirst())
                    .orElse(known.getLast());
            Map<String, Double> values = report.map(
                            r -> VendorFigures.find(context().here().resolve(r), of.name())
                                    .orElseThrow(() -> new UserError("There is no whole report of stage " + of.name()
                                            + " in " + r + "; see 'knobscape report " + r + "'.")))
                    .map(found -> {
                        var with = new LinkedHashMap<>(found);
                        with.putAll(s.values());
                        return (Map<String, Double>) with;
                    })
                    .orElse(s.values());
            before.add(((ReportedResults) subject.evaluator()).evaluation(c, of, values, failure(s), s.seconds()));
        }
        return answers;
    }

    private static Optional<Outcome.Failure> failure(AnswerReport s) {
        return s.failed().map(word -> {
            FailureKind kind = Arrays.stream(FailureKind.values())
                    .filter(k -> k.words().replace(' ', '-').equals(word.replace(' ', '-')))
                    .findFirst()
                    .orElseThrow(() -> new UserError("'" + word + "' is no kind of failure; known: "
                            + Arrays.stream(FailureKind.values())
                                    .map(k -> k.words().replace(' ', '-'))
                                    .collect(Collectors.joining(", "))
                            + "."));
            return new Outcome.Failure(kind, s.reason().isEmpty() ? kind.words() : s.reason());
        });
    }

    private static Optional<Design> design(List<Design> designs, AnswerReport s) {
        return s.design()
                .map(d -> d.startsWith("#") ? d.substring(1) : d)
                .flatMap(d -> designs.stream()
                        .filter(x -> Integer.toString(x.number()).equals(d)
                                || x.configuration().id().equals(d))
                        .findFirst());
    }

    private static Subject subject(List<Subject> subjects, List<Design> designs, AnswerReport s) {
        Optional<Design> known = design(designs, s);
        if (known.isPresent()) {
            return subjects.get(known.get().subject());
        }
        if (s.subject().isEmpty()
                && subjects.size() > 1
                && s.design().filter(d -> d.contains("=")).isEmpty()) {
            if (s.design().isPresent()) {
                throw noDesign(s, designs);
            }
            throw new UserError("Say which kernel a design measured elsewhere is of (\"subject\"): "
                    + subjects.stream().map(Subject::name).collect(Collectors.joining(", ")) + ".");
        }
        return s.subject()
                .map(name -> subjects.stream()
                        .filter(x -> x.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new UserError("There is no subject '" + name + "'; known: "
                                + subjects.stream().map(Subject::name).collect(Collectors.joining(", ")) + ".")))
                .orElseGet(subjects::getFirst);
    }

    private static UserError noDesign(AnswerReport s, List<Design> designs) {
        return new UserError("The run has no design " + s.design().orElse("")
                + (designs.isEmpty() ? " yet; ask for one first." : "; it has #1 to #" + designs.size() + "."));
    }

    private static Configuration configuration(Subject subject, List<Design> designs, AnswerReport s) {
        Optional<Design> known = design(designs, s);
        if (known.isPresent()) {
            return known.get().configuration();
        }
        String text = s.design()
                .orElseGet(() -> s.knobs().entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(";")));
        if (!text.contains("=")) {
            throw noDesign(s, designs);
        }
        try {
            Configuration c = Configuration.parse(subject.space().knobs(), text);
            if (!subject.space().contains(c)) {
                throw new UserError("The design '" + text
                        + "' is not in the space: its values exclude one another. See 'knobscape space'.");
            }
            return c;
        } catch (IllegalArgumentException e) {
            throw new UserError("'" + text + "' is no design of " + subject.name() + ": " + e.getMessage() + ".", e);
        }
    }
}
