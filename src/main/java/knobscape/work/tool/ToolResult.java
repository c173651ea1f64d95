package knobscape.work.tool;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.ResultRule;
import knobscape.evaluate.StatusWords;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.work.tool.ToolFlow.Result;
import tools.jackson.databind.JsonNode;

/// The result of a design from a program of one's own: `{"values": {...}, "seconds": s}`, or a status with a reason.
public final class ToolResult {
    private static final Pattern ERROR = Pattern.compile("(?i)(?:^|[\\s\\[(])(?:fatal )?error[\\])]?\\s*:");
    /// Largest document that is read.
    public static final long MOST_BYTES = 1 << 20;

    private ToolResult() {}

    /// The result in a file. A document that is not whole, names no number, or breaks the rule of what a result is
    /// becomes a failure that says so.
    ///
    /// @param info what the program reports
    /// @param stage that was run
    /// @param further adds values that follow from others
    public static Result read(Path file, EvaluatorInfo info, Fidelity stage, Consumer<Map<String, Double>> further) {
        JsonNode n;
        try {
            n = JsonFields.read(file, MOST_BYTES).node();
        } catch (UserError e) {
            return crashed(
                    "the result is not whole or no JSON: " + e.getMessage().replaceFirst("\\.$", ""));
        }
        return of(file.toString(), n, n.path("values"), info, stage, further);
    }

    /// The result in a document.
    ///
    /// @param name of the document, for reasons
    /// @param n says status, reason and seconds
    /// @param told the values by metric
    /// @param info what the program reports
    /// @param stage that was run
    /// @param further adds values that follow from others
    public static Result of(
            String name,
            JsonNode n,
            JsonNode told,
            EvaluatorInfo info,
            Fidelity stage,
            Consumer<Map<String, Double>> further) {
        OptionalDouble seconds = n.path("seconds").isNumber()
                ? OptionalDouble.of(n.path("seconds").asDouble())
                : OptionalDouble.empty();
        var values = new LinkedHashMap<String, Double>();
        for (var e : told.properties()) {
            if (e.getValue().isNumber() && Double.isFinite(e.getValue().asDouble())) {
                values.put(e.getKey(), e.getValue().asDouble());
            } else if (!e.getValue().isNull()) {
                return crashed(
                        name + ": the value of '" + e.getKey() + "' is " + e.getValue() + ", which is no number");
            }
        }
        Optional<Outcome.Failure> failure = failure(n, values);
        if (failure.isPresent()) {
            return new Result(failure.get(), seconds);
        }
        further.accept(values);
        return of(name, values, seconds, info, stage);
    }

    /// Values that a program gave, where they are a result.
    ///
    /// @param name of where they stand, for reasons
    /// @param info what the program reports
    /// @param stage that was run
    public static Result of(
            String name, Map<String, Double> values, OptionalDouble seconds, EvaluatorInfo info, Fidelity stage) {
        for (String o : info.objectives()) {
            if (info.reports(stage, o) && !values.containsKey(o)) {
                return crashed(name + " has no value of the objective '" + o + "'");
            }
        }
        Optional<String> doubt = ResultRule.of(info.metrics()).objection(values);
        return doubt.isPresent()
                ? crashed(name + " is no result: " + doubt.get())
                : new Result(new Outcome.Measured(values), seconds);
    }

    /// The failure in the document: its `status`, or another key that people use (`valid`, `error`).
    private static Optional<Outcome.Failure> failure(JsonNode n, Map<String, Double> values) {
        for (var e : n.properties()) {
            String said = e.getValue().isValueNode() ? e.getValue().asString() : "";
            Optional<StatusWords.Meaning> meaning =
                    StatusWords.meaning(e.getKey()).filter(_ -> !said.isEmpty());
            boolean status = e.getKey().equals("status");
            StatusWords.Standing standing =
                    meaning.map(m -> StatusWords.standing(m, said)).orElse(StatusWords.Standing.GOOD);
            if (standing != StatusWords.Standing.BAD
                    && !(standing == StatusWords.Standing.UNKNOWN
                            && (status || meaning.get() == StatusWords.Meaning.BAD_IF_TRUE))) {
                continue;
            }
            String kind = n.path("kind").asString("");
            FailureKind of = Arrays.stream(FailureKind.values())
                    .filter(k -> k.words().equals(kind))
                    .findFirst()
                    .orElse(StatusWords.kind(status ? said : e.getKey() + " " + said));
            return Optional.of(new Outcome.Failure(
                    of, n.path("reason").asString(status ? of.words() : e.getKey() + " says '" + said + "'"), values));
        }
        return Optional.empty();
    }

    /// No result, because the program went wrong.
    public static Result crashed(String why) {
        return new Result(new Outcome.Failure(FailureKind.CRASHED, why), OptionalDouble.empty());
    }

    /// The line of a log that says most, behind a colon: the first that calls itself an error, else the last; empty of
    /// an empty one.
    public static String tellingLine(String log) {
        List<String> lines = log.lines().filter(l -> !l.isBlank()).toList();
        return lines.stream()
                .filter(l -> ERROR.matcher(l).find())
                .findFirst()
                .or(() -> lines.stream().reduce((_, b) -> b))
                .map(l -> ": " + l.strip())
                .orElse("");
    }
}
