package knobscape.hls.evaluate.vendor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;

/// Reads what the vendor's tools print. Exit statuses say little (0 is told after errors too), so failures are told by
/// their messages. Numbers of messages are the vendor's own; those used are listed in the manual.
final class ToolLog {
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final Pattern ELAPSED =
            Pattern.compile("(?i)(?:total )?elapsed(?: time)?:\\s*([0-9]{1,9}(?:\\.[0-9]{1,6})?)\\s*sec");
    private static final int MAX_REASON = 300;
    private static final Pattern LICENCE_LINE = Pattern.compile("Common 17-34([589])\\b(?:.*?feature '([^']*)')?");
    private static final Pattern CSIM = Pattern.compile("SIM 211-100\\b|CSim failed");
    private static final Pattern COSIM = Pattern.compile("COSIM 212-4\\b|co-simulation finished: FAIL");

    /// Messages and what they mean, the first that is found counts.
    private static final List<Rule> RULES = List.of(
            new Rule(
                    FailureKind.LICENCE,
                    "Common 17-345\\b|Common 17-348\\b|(?i)failed to (?:get|check out) .{0,40}licen[cs]e|LICENSE.{0,20}not (?:available|found)"),
            // A script that this tool does not take is no fault of the design.
            new Rule(FailureKind.CRASHED, "invalid command name|unknown option '"),
            new Rule(FailureKind.DOES_NOT_FIT, "Place 30-640\\b|Place 30-99\\b|DRC UTLZ-1\\b|(?i)over-?utili[sz]ed"),
            new Rule(FailureKind.ROUTING, "Route 35-(?:7|9|14|51|53|54|368)\\b|(?i)route(?:r)? failed|unroutable"),
            new Rule(
                    FailureKind.ILLEGAL_DIRECTIVE,
                    "ERROR: \\[HLS 207-|ERROR: \\[HLS 214-|(?i)error.{0,60}(?:set_directive|pragma|invalid (?:option|directive))"),
            new Rule(FailureKind.REJECTED, "ERROR: \\[(?:HLS 200-70|SYNCHK|XFORM|SYN 201)"),
            new Rule(
                    FailureKind.CRASHED,
                    "(?i)segmentation|abnormal program termination|out of memory|cannot allocate memory|IMPL 213-28\\b|killed"));

    private record Rule(FailureKind kind, Pattern pattern) {
        Rule(FailureKind kind, String regex) {
            this(kind, Pattern.compile(regex));
        }
    }

    private ToolLog() {}

    /// The failure by the messages; empty where none of them is known.
    static Optional<Outcome.Failure> failure(String log) {
        List<String> lines =
                withoutLicencesGot(COLOUR.matcher(log).replaceAll("").lines().toList());
        for (Rule rule : RULES) {
            for (String line : lines) {
                if (rule.pattern().matcher(line).find()) {
                    String reason = line.strip();
                    return Optional.of(new Outcome.Failure(
                            rule.kind(), reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason));
                }
            }
        }
        return Optional.empty();
    }

    /// Common 17-349 tells of a licence that was got: what was said before of the same feature is over, and what fails
    /// after is no want of a licence.
    private static List<String> withoutLicencesGot(List<String> lines) {
        var got = new HashSet<String>();
        var left = new ArrayList<String>();
        for (String line : lines.reversed()) {
            Matcher m = LICENCE_LINE.matcher(line);
            if (!m.find()) {
                left.add(line);
            } else if (m.group(1).equals("9")) {
                got.add(m.group(2));
            } else if (!got.contains(m.group(2))) {
                left.add(line);
            }
        }
        return left.reversed();
    }

    /// The complaint of C simulation; empty where it did not fail.
    static Optional<String> testbench(String log) {
        return line(log, CSIM);
    }

    /// The complaint of co-simulation: the design computes something else.
    static Optional<String> wrong(String log) {
        return line(log, COSIM);
    }

    private static Optional<String> line(String log, Pattern pattern) {
        return COLOUR.matcher(log)
                .replaceAll("")
                .lines()
                .map(String::strip)
                .filter(l -> pattern.matcher(l).find())
                .findFirst()
                .map(l -> l.length() > MAX_REASON ? l.substring(0, MAX_REASON) : l);
    }

    /// The first line that tells of an error.
    static Optional<String> error(String log) {
        return COLOUR.matcher(log)
                .replaceAll("")
                .lines()
                .map(String::strip)
                .filter(l -> l.toUpperCase(Locale.ROOT).startsWith("ERROR") || l.startsWith("@E"))
                .findFirst()
                .map(l -> l.length() > MAX_REASON ? l.substring(0, MAX_REASON) : l);
    }

    /// The tool's own time: the last elapsed time that it tells.
    static OptionalDouble seconds(String log) {
        Matcher m = ELAPSED.matcher(log);
        OptionalDouble last = OptionalDouble.empty();
        while (m.find()) {
            last = OptionalDouble.of(Double.parseDouble(m.group(1)));
        }
        return last;
    }
}
