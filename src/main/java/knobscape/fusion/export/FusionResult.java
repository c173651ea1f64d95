package knobscape.fusion.export;

import java.util.Locale;
import java.util.Optional;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.search.ExactSearch;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;
import tools.jackson.databind.node.ObjectNode;

/// The result of a search, in words and as a document.
///
/// @param remark why this is not the answer of the method itself, where it is not
/// @param proof what is proven of the best strategy there is, where an exact search was made
public record FusionResult(
        FusionCostModel model, Strategy strategy, Optional<String> remark, Optional<ExactSearch.Answer> proof) {
    private static final double EQUAL = 1 + 1e-9;

    /// True if nothing that fits is faster.
    private boolean isProven(ExactSearch.Answer a) {
        double seconds = model.evaluate(strategy).seconds();
        return (a.isProven() && seconds <= a.cost().seconds() * EQUAL) || seconds <= a.lowerBound() * EQUAL;
    }

    /// The strategy's document ([StrategyFile]) with the proof and the remark.
    public ObjectNode json() {
        ObjectNode root = StrategyFile.json(model, strategy);
        proof.ifPresent(a -> root.put("proven", isProven(a)).put("lowerBoundSeconds", a.lowerBound()));
        remark.ifPresent(r -> root.put("remark", r));
        return root;
    }

    /// The proof in a sentence.
    public Optional<String> proofWords() {
        return proof.map(a -> isProven(a)
                ? "Proven: no strategy that fits is faster."
                : String.format(
                        Locale.ROOT,
                        "Not proven: no strategy that fits has a speedup above %.2f.",
                        model.speedup(a.lowerBound())));
    }

    /// The remark as a sentence.
    public Optional<String> remarkWords() {
        return remark.map(r -> "This strategy, of DP or without fusion, is " + r + ", so it is taken instead.");
    }

    /// A section of a report: speedup, verdict, proof and the groups.
    public String markdown() {
        FusionReport r = model.report(strategy);
        var b = new StringBuilder("\n## Best strategy\n\n`" + strategy.text() + "`\n\n");
        b.append(String.format(
                Locale.ROOT,
                "Speedup %s over no fusion: %.4g us instead of %.4g us. %s",
                r.isValid() ? String.format(Locale.ROOT, "%.2f", r.speedup()) : "N/A",
                r.cost().seconds() * 1e6,
                r.baselineSeconds() * 1e6,
                r.verdict()));
        proofWords().ifPresent(w -> b.append(' ').append(w));
        remarkWords().ifPresent(w -> b.append(' ').append(w));
        b.append("\n\n| group | layers | time (us) | off-chip | on-chip | staged |\n|---:|---|---:|---:|---:|---:|\n");
        for (int g = 0; g < r.groups().size(); g++) {
            FusionReport.Group group = r.groups().get(g);
            b.append(String.format(
                    Locale.ROOT,
                    "| %d | %d-%d | %.4g | %s | %s | %s |\n",
                    g + 1,
                    group.first(),
                    group.last(),
                    group.cost().seconds() * 1e6,
                    ByteSize.shown(group.cost().offChipBytes()),
                    ByteSize.shown(group.cost().onChipBytes()),
                    ByteSize.shown(group.cost().peakBytes())));
        }
        return b.toString();
    }
}
