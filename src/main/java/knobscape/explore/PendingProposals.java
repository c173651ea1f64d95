package knobscape.explore;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;

/// The open requests of a run: proposals that wait for a free slot, in the order they were
/// made, and those under way. Not thread-safe: one loop owns it.
final class PendingProposals {
    private final ArrayDeque<DispatchedProposal.Place> waiting = new ArrayDeque<>();
    private final Map<Key, DispatchedProposal> underWay = new LinkedHashMap<>();
    private int sent;
    private int initialOpen;

    private record Key(int subject, int step, int position) {
        static Key of(DispatchedProposal.Place p) {
            return new Key(p.subject(), p.step(), p.position());
        }
    }

    /// Puts the proposals of a question behind those that wait.
    void add(RunEvent.Asked a) {
        for (int i = 0; i < a.proposals().size(); i++) {
            waiting.add(new DispatchedProposal.Place(
                    a.subject(), a.step(), i, a.proposals().get(i)));
        }
        if (a.step() == 0) {
            initialOpen += a.proposals().size();
        }
    }

    /// Takes the next proposal that waits.
    Optional<DispatchedProposal.Place> next() {
        return Optional.ofNullable(waiting.poll());
    }

    /// Takes a certain proposal that waits.
    DispatchedProposal.Place next(int subject, int step, int position) {
        DispatchedProposal.Place place = waiting.stream()
                .filter(p -> p.subject() == subject && p.step() == step && p.position() == position)
                .findFirst()
                .orElseThrow(() -> new UserError("The stored events of the run do not fit together: step " + step
                        + " has no open proposal " + position + "."));
        waiting.remove(place);
        return place;
    }

    void departed(DispatchedProposal flight) {
        underWay.put(Key.of(flight.place()), flight);
        sent++;
    }

    /// The whole answer is there.
    void answered(DispatchedProposal flight) {
        cancelled(flight);
        if (flight.place().step() == 0) {
            initialOpen--;
        }
    }

    /// It came back without an answer.
    void cancelled(DispatchedProposal flight) {
        underWay.remove(Key.of(flight.place()));
    }

    Optional<DispatchedProposal> find(int subject, int step, int position) {
        return Optional.ofNullable(underWay.get(new Key(subject, step, position)));
    }

    /// Those under way, in the order they were sent.
    List<DispatchedProposal> underWay() {
        return List.copyOf(underWay.values());
    }

    /// How many are under way.
    int inFlight() {
        return underWay.size();
    }

    /// True if anything of a subject is under way.
    boolean has(int subject) {
        return underWay.values().stream().anyMatch(f -> f.place().subject() == subject);
    }

    /// How many were sent, over all starts.
    int sent() {
        return sent;
    }

    /// Initial designs that are not answered.
    int initialOpen() {
        return initialOpen;
    }
}
