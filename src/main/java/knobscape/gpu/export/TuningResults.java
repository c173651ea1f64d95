package knobscape.gpu.export;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.work.StoredEvaluation;

/// Gathers what a run finds, as it is told or as it was stored. The subjects of a run are the kernels of its
/// network, in their order, and then their other tails. Thread-safe.
public final class TuningResults implements RunListener {
    private final TunableNetwork network;
    private final List<KernelState.Track> tracks;
    private final List<List<TuningJson.Row>> rows = new ArrayList<>();
    /// By measurement its kernel, in order of arrival.
    private final List<Integer> turns = new ArrayList<>();

    /// Nothing is known of `network`.
    public TuningResults(TunableNetwork network) {
        this.network = network;
        this.tracks = network.kernels().stream().map(KernelState.Track::new).toList();
        network.kernels().forEach(k -> rows.add(new ArrayList<>()));
    }

    /// The results of a stored run.
    public static TuningResults of(TunableNetwork network, Stream<StoredEvaluation> stored) {
        var results = new TuningResults(network);
        stored.forEach(f -> results.add(f.subject(), f.step(), f.evaluation()));
        return results;
    }

    /// The tuned network.
    public TunableNetwork network() {
        return network;
    }

    /// Takes an evaluation.
    ///
    /// @param subject index of the subject
    /// @param step of its search, [StoredEvaluation#KNOWN] where it was known before
    public synchronized void add(int subject, int step, Evaluation e) {
        if (subject >= tracks.size()) {
            TunableNetwork.Tail tail = network.otherTails().get(subject - tracks.size());
            tracks.get(tail.kernel()).add(tail.tail().epilogue().id(), e);
            return;
        }
        if (step == StoredEvaluation.KNOWN) {
            tracks.get(subject).know(e);
        } else {
            tracks.get(subject).add(e);
            turns.add(subject);
        }
        NetworkKernel kernel = network.kernels().get(subject);
        rows.get(subject).add(new TuningJson.Row(kernel, step, rows.get(subject).size() + 1, e));
    }

    @Override
    public void onEvent(RunEvent event) {
        switch (event) {
            case RunEvent.Known k -> k.evaluations().forEach(e -> add(k.subject(), StoredEvaluation.KNOWN, e));
            case RunEvent.Evaluated e -> e.evaluations().forEach(x -> add(e.subject(), e.step(), x));
            default -> {}
        }
    }

    /// Index of the kernel that a subject belongs to.
    public int kernel(int subject) {
        return subject < tracks.size()
                ? subject
                : network.otherTails().get(subject - tracks.size()).kernel();
    }

    /// How the kernels stand.
    public TunedNetwork picture() {
        return new TunedNetwork(tracks.stream().map(KernelState.Track::picture).toList());
    }

    /// The kernel of each measurement with the tail of the search, in order of arrival, without those known before.
    public synchronized List<Integer> turns() {
        return List.copyOf(turns);
    }

    /// Every evaluation with the tail of the search, kernel after kernel in order of arrival.
    public synchronized List<TuningJson.Row> rows() {
        return rows.stream().flatMap(List::stream).toList();
    }
}
