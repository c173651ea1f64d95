package knobscape.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The words in which people, tools and their tables say whether there is a result.
public final class StatusWords {
    /// A text read as a status.
    public enum Standing {
        /// There is a result.
        GOOD,
        /// There is none.
        BAD,
        /// It is no status.
        UNKNOWN
    }

    /// A name read as that of a column or field.
    public enum Meaning {
        /// A status in words: `status`, `outcome`, `verdict`.
        STATUS,
        /// True where there is a result: `valid`, `is_feasible`, `passed`.
        GOOD_IF_TRUE,
        /// Empty, 0 or false where there is a result: `error`, `failed`, `exit_code`.
        BAD_IF_TRUE
    }

    private static final Set<String> BAD = Set.of(
            "fail",
            "failed",
            "failing",
            "fails",
            "failure",
            "failures",
            "error",
            "errors",
            "errored",
            "err",
            "crash",
            "crashed",
            "abort",
            "aborted",
            "invalid",
            "infeasible",
            "unfeasible",
            "illegal",
            "timeout",
            "timedout",
            "killed",
            "oom",
            "cancelled",
            "canceled",
            "rejected",
            "refused",
            "unroutable",
            "unrouted",
            "violated",
            "violation",
            "violations",
            "incorrect",
            "wrong",
            "mismatch",
            "mismatches",
            "pruned",
            "unsuccessful",
            "broken",
            "bad",
            "ng",
            "nok",
            "skipped",
            "running",
            "waiting",
            "pending",
            "queued",
            "incomplete",
            "unfinished",
            "segfault",
            "sigsegv",
            "exception",
            "diverged",
            "interrupted",
            "stopped",
            "unfit",
            "overflow",
            "deadlock",
            "hang",
            "hung",
            "unsat",
            "unsynthesizable");
    private static final Set<String> GOOD = Set.of(
            "ok",
            "okay",
            "success",
            "successes",
            "succeeded",
            "succeeds",
            "successful",
            "successfully",
            "pass",
            "passed",
            "passes",
            "passing",
            "done",
            "complete",
            "completed",
            "finished",
            "valid",
            "feasible",
            "good",
            "correct",
            "measured",
            "legal",
            "routed",
            "routable",
            "converged",
            "fine",
            "met",
            "fits",
            "compiled",
            "compiles",
            "synthesizable",
            "synthesisable",
            "verified",
            "usable");
    /// Words that are an ordinary choice of a knob, too.
    private static final Set<String> COMMON = Set.of(
            "complete",
            "completed",
            "done",
            "good",
            "bad",
            "fine",
            "met",
            "measured",
            "legal",
            "wrong",
            "stopped",
            "running",
            "waiting",
            "pending",
            "skipped",
            "overflow",
            "exception");
    private static final Set<String> FALSE = Set.of("0", "0.0", "false", "no", "n", "f");
    private static final Set<String> TRUE = Set.of("1", "1.0", "true", "yes", "y", "t");
    private static final Set<String> NOTHING =
            Set.of("", "none", "null", "nan", "na", "n/a", "-", "--", "[]", "{}", "''", "\"\"", "nil", "nothing");
    private static final Set<String> STATUS_NAMES = Set.of(
            "status",
            "state",
            "outcome",
            "verdict",
            "validity",
            "feasibility",
            "result",
            "results",
            "correctness",
            "standing");
    private static final Set<String> GOOD_NAMES = Set.of(
            "valid",
            "feasible",
            "ok",
            "okay",
            "success",
            "succeeded",
            "successful",
            "passed",
            "pass",
            "correct",
            "legal",
            "met",
            "fits",
            "compiles",
            "compiled",
            "synthesizable",
            "synthesisable",
            "verified",
            "usable",
            "routable",
            "routed",
            "finished",
            "converged",
            "good");
    private static final Set<String> BAD_NAMES = Set.of(
            "invalid",
            "infeasible",
            "unfeasible",
            "failed",
            "fail",
            "fails",
            "failure",
            "failures",
            "error",
            "errors",
            "err",
            "timeout",
            "timedout",
            "crashed",
            "crash",
            "illegal",
            "violated",
            "violation",
            "violations",
            "exception",
            "oom",
            "killed",
            "aborted",
            "incorrect",
            "wrong",
            "mismatch",
            "mismatches",
            "unroutable",
            "returncode",
            "exitcode",
            "retcode",
            "exitstatus",
            "rc",
            "bad",
            "invalidity");
    /// Words beside those in such a name.
    private static final Set<String> BESIDE = Set.of(
            "is",
            "was",
            "has",
            "had",
            "did",
            "the",
            "a",
            "of",
            "in",
            "design",
            "run",
            "tool",
            "tools",
            "build",
            "hls",
            "syn",
            "synth",
            "synthesis",
            "impl",
            "implementation",
            "csim",
            "cosim",
            "compile",
            "compilation",
            "compiler",
            "flag",
            "kind",
            "type",
            "text",
            "msg",
            "message",
            "reason",
            "code",
            "trial",
            "job",
            "timing",
            "functional",
            "place",
            "route",
            "pnr",
            "par",
            "sim",
            "simulation",
            "test",
            "check",
            "return",
            "exit",
            "timed",
            "out",
            "not",
            "any",
            "resource",
            "resources",
            "constraint",
            "constraints",
            "config",
            "configuration",
            "evaluation",
            "final",
            "overall",
            "status",
            "state",
            "result",
            "outcome");
    private static final Set<String> EXPLAINING = Set.of(
            "reason",
            "message",
            "msg",
            "comment",
            "comments",
            "note",
            "notes",
            "remark",
            "remarks",
            "log",
            "stderr",
            "stdout",
            "traceback",
            "details",
            "why",
            "error",
            "failure",
            "fail",
            "text");

    private StatusWords() {}

    /// The words of a name in small letters: `val_accuracy`, `DelayNs`, `lut (k)`.
    public static List<String> words(String name) {
        var all = new ArrayList<String>();
        for (String w : name.replaceAll("([a-z])([A-Z])", "$1 $2")
                .toLowerCase(Locale.ROOT)
                .split("[^\\p{L}\\p{N}%]+")) {
            if (!w.isEmpty()) {
                all.add(w);
            }
        }
        return all;
    }

    /// The meaning of a name; empty where it names no status.
    public static Optional<Meaning> meaning(String name) {
        List<String> words = words(name);
        boolean negated = words.contains("not");
        List<String> telling = words.stream()
                .filter(w -> GOOD_NAMES.contains(w) || BAD_NAMES.contains(w))
                .toList();
        boolean all = words.stream()
                .allMatch(
                        w -> GOOD_NAMES.contains(w) || BAD_NAMES.contains(w) || BESIDE.contains(w) || w.matches("\\d"));
        String joined = String.join(" ", words);
        if (joined.matches("(.* )?((exit|return|ret) ?(code|status|value)|timed out|time out)")) {
            return Optional.of(Meaning.BAD_IF_TRUE);
        }
        if (all && !telling.isEmpty()) {
            boolean bad = telling.stream().anyMatch(BAD_NAMES::contains);
            return Optional.of(bad != negated ? Meaning.BAD_IF_TRUE : Meaning.GOOD_IF_TRUE);
        }
        return !words.isEmpty()
                        && STATUS_NAMES.contains(words.getLast())
                        && words.stream().allMatch(w -> BESIDE.contains(w) || STATUS_NAMES.contains(w))
                ? Optional.of(Meaning.STATUS)
                : Optional.empty();
    }

    /// True if a name is that of words about a row, for a person.
    public static boolean isExplanation(String name) {
        List<String> words = words(name);
        return !words.isEmpty() && EXPLAINING.containsAll(words);
    }

    /// The standing of a text that is a status.
    public static Standing standing(String text) {
        List<String> words = words(text);
        String joined = String.join(" ", words);
        if (joined.matches("(.* )?(no|without|0|zero) (error|errors|failure|failures|problem|problems|violations)")) {
            return Standing.GOOD;
        }
        boolean good = words.stream().anyMatch(GOOD::contains);
        boolean negated = words.contains("not") || words.contains("no") || words.contains("isn");
        if (words.stream().anyMatch(BAD::contains) || joined.matches("(.* )?(timed out|time out|out of .*)")) {
            return Standing.BAD;
        }
        if (good) {
            return negated ? Standing.BAD : words.size() <= 4 ? Standing.GOOD : Standing.UNKNOWN;
        }
        return Standing.UNKNOWN;
    }

    /// True if a text says a status by itself, whatever the column is called.
    public static boolean isTelling(String text) {
        List<String> words = words(text);
        return words.size() <= 4
                && standing(text) != Standing.UNKNOWN
                && words.stream().anyMatch(w -> (GOOD.contains(w) || BAD.contains(w)) && !COMMON.contains(w));
    }

    /// The standing that a text has under a name of that meaning; an empty one says nothing.
    public static Standing standing(Meaning meaning, String text) {
        String t = text.strip().toLowerCase(Locale.ROOT);
        if (meaning == Meaning.BAD_IF_TRUE) {
            return NOTHING.contains(t) || FALSE.contains(t) || standing(t) == Standing.GOOD
                    ? Standing.GOOD
                    : TRUE.contains(t) || !standing(t).equals(Standing.UNKNOWN) || isNumber(t)
                            ? Standing.BAD
                            : Standing.UNKNOWN;
        }
        return NOTHING.contains(t)
                ? Standing.UNKNOWN
                : FALSE.contains(t) ? Standing.BAD : TRUE.contains(t) ? Standing.GOOD : standing(t);
    }

    private static boolean isNumber(String text) {
        return text.matches("[+-]?\\d+(\\.0*)?");
    }

    /// The kind of failure that a text says.
    public static FailureKind kind(String text) {
        String t = String.join(" ", words(text));
        if (t.contains("timeout") || t.contains("timed out") || t.contains("time out") || t.contains("timedout")) {
            return FailureKind.TIMED_OUT;
        }
        if (t.contains("licen")) {
            return FailureKind.LICENCE;
        }
        if (t.contains("timing")) {
            return FailureKind.TIMING;
        }
        if (t.contains("rout")) {
            return FailureKind.ROUTING;
        }
        if (t.contains("fit")) {
            return FailureKind.DOES_NOT_FIT;
        }
        if (t.contains("wrong") || t.contains("incorrect") || t.contains("mismatch")) {
            return FailureKind.WRONG_RESULT;
        }
        return t.contains("valid") || t.contains("feasible") || t.contains("legal") || t.contains("reject")
                ? FailureKind.REJECTED
                : FailureKind.CRASHED;
    }
}
