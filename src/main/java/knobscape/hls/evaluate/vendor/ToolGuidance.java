package knobscape.hls.evaluate.vendor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads why loops did not reach their initiation interval, which pragmas the tool did not take and what it did by
/// itself, from what Vivado HLS and Vitis HLS print while they synthesise (messages 200-880 and its kin, UG1448).
public final class ToolGuidance {
    /// The subject of a message.
    public enum Kind {
        /// A value that one iteration needs from an earlier one.
        RECURRENCE,
        /// Too many accesses of one array in a cycle.
        PORTS,
        /// Too many requests on one AXI port in a cycle.
        BUS,
        /// A loop nest that was not flattened.
        NOT_FLATTENED,
        /// A pragma without effect.
        IGNORED_PRAGMA,
        /// A directive that the tool set by itself.
        INFERRED,
        /// The interval and depth of a pipeline.
        PIPELINE
    }

    /// One message in our words.
    ///
    /// @param module function in which it holds, empty where the message names none
    /// @param loop loop's name, empty where it is of the function
    /// @param line line in the source where the message names one
    /// @param words a phrase for a person (`the recurrence through 'acc' at distance 1`)
    public record Finding(Kind kind, String module, String loop, OptionalInt line, String words) {
        /// True if it says what keeps an interval from getting smaller.
        public boolean limitsInterval() {
            return kind == Kind.RECURRENCE || kind == Kind.PORTS || kind == Kind.BUS;
        }
    }

    private static final int MAX_FINDINGS = 10_000;
    private static final int MAX_LENGTH = 4000;
    private static final Pattern VIOLATION = Pattern.compile(
            "(?:The II Violation in module '([^']*)' \\((?:loop|Loop:|Function:|function)?\\s*'?([^')]*)'?\\): )?(Unable to (?:enforce|schedule).*)");
    private static final Pattern CARRIED = Pattern.compile(
            "carried dependence constraint \\(II = (\\d+), distance = (\\d+)(?:, offset = \\d+)?\\)\\s*between (.*)");
    private static final Pattern OPERATION =
            Pattern.compile("(?:'(\\w+)' operation|bus (\\w+) operation|bus (\\w+))[^(]*(?:\\(([^()]*)\\))?");
    private static final Pattern ON = Pattern.compile("on (?:local )?(array|port|variable) '([^']*)'");
    private static final Pattern FILE_LINE = Pattern.compile("(?:[A-Za-z]:)?([^\\s,('>:]+):(\\d+)(?::\\d+)?\\)?");
    private static final Pattern RESULT = Pattern.compile(
            "Pipelining result ?: ?Target II ?[=:] ?(\\w+), Final II ?[=:] ?(\\d+), Depth ?[=:] ?(\\d+)(?:, (loop|function) '([^']*)')?.*");
    private static final Pattern PIPELINING = Pattern.compile("Pipelining (?:loop|function) '([^']*)'.*");
    private static final Pattern IMPLEMENTING = Pattern.compile("-- Implementing module '([^']*)'.*");
    private static final Pattern FLATTEN = Pattern.compile(
            "Cannot flatten (?:a )?loop (?:nest )?'([^']*)' \\((.*?)\\) in function '([^']*)'[ :]*(.*)");
    private static final Pattern AUTOMATIC =
            Pattern.compile("automatically set the (\\w+) for Loop\\s*<\\s*([^>]*?)\\s*> at (\\S+).*");
    private static final Pattern IGNORED = Pattern.compile("(?i).*\\b(?:ignor(?:e|ed|ing))\\b.*");
    private static final Pattern MESSAGE = Pattern.compile(
            "(?:\\u001b\\[[0-9;]*m)?(INFO|WARNING): \\[(?:HLS|SCHED|XFORM|v\\+\\+|SYN) ?[0-9]*-?([0-9-]+)\\] (.*)");

    private final Map<String, Finding> found = new LinkedHashMap<>();
    private String module = "";
    private String loop = "";

    private ToolGuidance() {}

    /// The findings in the order of the log; of messages about the same loop, kind and array the last one, which was
    /// said at the largest interval that was tried.
    public static List<Finding> read(String log) {
        var g = new ToolGuidance();
        String before = "";
        for (String line : log.lines().filter(l -> l.length() < MAX_LENGTH).toList()) {
            // Versions before 2020 break the sentence of a dependence over two lines.
            if (line.stripLeading().startsWith("between ") && !before.isEmpty()) {
                g.line(before + " " + line.strip());
            }
            g.line(line);
            before = line;
        }
        return new ArrayList<>(g.found.values());
    }

    private void line(String line) {
        Matcher m = MESSAGE.matcher(line.strip());
        String text = m.matches() ? m.group(3) : "";
        if (text.isEmpty() || found.size() >= MAX_FINDINGS) {
            return;
        }
        Matcher at = IMPLEMENTING.matcher(text);
        if (at.matches()) {
            module = at.group(1).strip();
            loop = "";
            return;
        }
        Matcher pipelining = PIPELINING.matcher(text);
        if (pipelining.matches()) {
            loop = text.startsWith("Pipelining function") ? "" : pipelining.group(1);
            return;
        }
        Matcher result = RESULT.matcher(text);
        Matcher flatten = FLATTEN.matcher(text);
        Matcher automatic = AUTOMATIC.matcher(text);
        Matcher violation = VIOLATION.matcher(text);
        if (result.matches()) {
            String name = "loop".equals(result.group(4)) ? result.group(5) : result.group(4) == null ? loop : "";
            add(
                    Kind.PIPELINE,
                    module,
                    name,
                    OptionalInt.empty(),
                    "",
                    "II " + result.group(2)
                            + (result.group(1).equals("NA") || result.group(1).equals(result.group(2))
                                    ? ""
                                    : " where " + result.group(1) + " was asked for")
                            + ", depth " + result.group(3));
        } else if (violation.matches()) {
            violation(violation);
        } else if (flatten.matches()) {
            add(
                    Kind.NOT_FLATTENED,
                    flatten.group(3),
                    flatten.group(1),
                    lineOf(flatten.group(2)),
                    "",
                    "not flattened: " + flatten.group(4).strip().replaceFirst("\\.$", ""));
        } else if (automatic.matches()) {
            add(
                    Kind.INFERRED,
                    "",
                    automatic.group(2),
                    lineOf(automatic.group(3)),
                    automatic.group(1),
                    "the tool set " + automatic.group(1) + " by itself");
        } else if (IGNORED.matcher(text).matches()
                && text.matches("(?i).*(pragma|directive).*")
                && line.contains("WARNING")) {
            add(Kind.IGNORED_PRAGMA, "", "", lineOf(text), text, text.strip());
        }
    }

    private void violation(Matcher m) {
        String in = orElse(m.group(1), module);
        String name = orElse(m.group(2), loop);
        // A violation of a whole function names it in the place of the loop.
        if (name.equals(in)) {
            name = "";
        }
        String text = m.group(3);
        Matcher carried = CARRIED.matcher(text);
        if (carried.find()) {
            List<String> ends = operations(carried.group(3));
            Matcher on = ON.matcher(carried.group(3));
            String through = on.find() ? "'" + on.group(2) + "'" : "a register";
            add(
                    Kind.RECURRENCE,
                    in,
                    name,
                    lineOf(carried.group(3)),
                    through,
                    "the recurrence through " + through + " at distance " + carried.group(2)
                            + (ends.size() < 2 ? "" : " (" + ends.get(0) + " to " + ends.get(1) + ")"));
        } else if (text.contains("limited memory ports")) {
            Matcher on = ON.matcher(text);
            String what = on.find() ? on.group(2) : "?";
            boolean bus = text.contains("bus ") || "port".equals(kindOf(text));
            List<String> ends = operations(text);
            add(
                    bus ? Kind.BUS : Kind.PORTS,
                    in,
                    name,
                    lineOf(text),
                    what,
                    (bus ? "the AXI port '" : "the ports of '") + what + "'"
                            + (ends.isEmpty() ? "" : " (" + ends.getFirst() + ")"));
        }
    }

    private static String kindOf(String text) {
        Matcher on = ON.matcher(text);
        return on.find() ? on.group(1) : "";
    }

    private static String orElse(@Nullable String s, String other) {
        return s == null || s.isBlank() ? other : s.strip();
    }

    /// `store at filter.cpp:49`, one an operation.
    private static List<String> operations(String text) {
        var all = new ArrayList<String>();
        Matcher m = OPERATION.matcher(text);
        while (m.find() && all.size() < 2) {
            String name = m.group(1) != null ? m.group(1) : "bus " + (m.group(2) != null ? m.group(2) : m.group(3));
            Matcher at = FILE_LINE.matcher(m.group(4) == null ? "" : m.group(4));
            all.add(at.find() ? name + " in line " + at.group(2) : name);
        }
        return all;
    }

    private static OptionalInt lineOf(String text) {
        Matcher m = FILE_LINE.matcher(text);
        return m.find() && m.group(2).length() < 8 ? OptionalInt.of(Integer.parseInt(m.group(2))) : OptionalInt.empty();
    }

    private void add(Kind kind, String in, String name, OptionalInt line, String subject, String words) {
        found.put(kind + "|" + in + "|" + name + "|" + subject, new Finding(kind, in, name, line, words));
    }

    /// The limit of a loop's interval, in one phrase; empty where the log says nothing of it.
    static Optional<String> limit(List<Finding> findings, String module, String loop) {
        List<String> words = findings.stream()
                .filter(Finding::limitsInterval)
                .filter(f -> f.loop().equals(loop)
                        && (f.module().isEmpty()
                                || module.isEmpty()
                                || f.module().equals(module)))
                .map(Finding::words)
                .toList();
        return words.isEmpty() ? Optional.empty() : Optional.of(words.getLast());
    }
}
