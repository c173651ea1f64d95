package knobscape.explore;

import java.util.ArrayList;
import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Request;

/// A proposal that was sent out.
final class DispatchedProposal {
    /// Where a proposal belongs.
    record Place(int subject, int step, int position, Proposal proposal) {}

    private final Place place;
    private final List<Evaluation> below;
    private final int repeat;
    private final double sentAt;
    private final long sentNanos;
    private final List<Evaluation> stages = new ArrayList<>();

    /// @param below stages of its configuration that earlier proposals ran, lowest first
    /// @param repeat how often it is answered already
    /// @param sentAt simulated seconds when it was sent
    /// @param sentNanos the clock when it was sent
    DispatchedProposal(Place place, List<Evaluation> below, int repeat, double sentAt, long sentNanos) {
        this.place = place;
        this.below = below;
        this.repeat = repeat;
        this.sentAt = sentAt;
        this.sentNanos = sentNanos;
    }

    Place place() {
        return place;
    }

    List<Evaluation> below() {
        return below;
    }

    /// The stages that came back.
    List<Evaluation> stages() {
        return List.copyOf(stages);
    }

    long sentNanos() {
        return sentNanos;
    }

    /// Takes a stage; whether it is the last.
    boolean take(Evaluation stage) {
        stages.add(stage);
        return isLast(stage);
    }

    boolean isLast(Evaluation stage) {
        return !stage.isMeasured()
                || stage.fidelity().rank() >= place.proposal().upTo().rank();
    }

    /// Simulated time at which the stages so far ended.
    double now() {
        return sentAt + stages.stream().mapToDouble(Evaluation::costSeconds).sum();
    }

    /// The request for what is left to run.
    Request request(EvaluatorInfo info) {
        var known = new ArrayList<>(below);
        known.addAll(stages);
        Proposal p = place.proposal();
        return new Request(p.configuration(), info.fidelities().get(known.size()), p.upTo(), known, repeat);
    }
}
