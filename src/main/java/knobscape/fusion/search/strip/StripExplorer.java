package knobscape.fusion.search.strip;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.explore.PopulationExplorer;
import knobscape.fusion.evaluate.strip.GroupPlan;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.space.Grouping;
import knobscape.fusion.space.GroupingSpace;
import knobscape.space.Configuration;

/// The exact answers in strips as a search of a few questions: every layer alone, the best grouping, and where they are
/// asked for the whole front of time and traffic, and the best answers for parts of the buffer.
public final class StripExplorer implements PopulationExplorer {
    /// How much is asked for.
    public enum Scope {
        /// Every layer alone.
        UNFUSED,
        /// The best grouping beside it.
        BEST,
        /// The front and what smaller parts of the buffer allow as well.
        FRONT
    }

    private static final String FOUND = "the exact answer is found";

    private enum Question {
        ALONE("every layer alone"),
        BEST("exact"),
        FRONT("exact front"),
        ROOMS("exact, in a part of the buffer");

        private final String words;

        Question(String words) {
            this.words = words;
        }
    }

    private final String name;
    private final StripModel model;
    private final GroupingSpace space;
    private final Objective objective;
    private final List<Question> open;
    private final Set<Configuration> asked = new HashSet<>();
    private String reason = Question.ALONE.words;
    private String thinned = "";

    /// @param name as on the command line
    public StripExplorer(String name, StripModel model, GroupingSpace space, Objective objective, Scope scope) {
        this.name = name;
        this.model = model;
        this.space = space;
        this.objective = objective;
        open = new ArrayList<>(
                switch (scope) {
                    case UNFUSED -> List.of(Question.ALONE);
                    case BEST -> List.of(Question.ALONE, Question.BEST);
                    case FRONT -> List.of(Question.values());
                });
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public String exhausted() {
        return FOUND + thinned;
    }

    @Override
    public List<Configuration> population(CancellationSignal stop) {
        while (!open.isEmpty()) {
            Question question = open.removeFirst();
            List<Configuration> fresh =
                    answers(question, stop).stream().filter(asked::add).toList();
            if (!fresh.isEmpty()) {
                reason = question.words;
                return fresh;
            }
        }
        return List.of();
    }

    private List<Configuration> answers(Question question, CancellationSignal stop) {
        long whole = space.rooms().getLast();
        return switch (question) {
            case ALONE ->
                StripSearch.alone(model, objective, stop).stream()
                        .map(g -> configuration(whole, g))
                        .toList();
            case BEST ->
                best(whole, objective, stop).stream()
                        .map(g -> configuration(
                                objective == Objective.ROOM ? StripSearch.smallest(model, stop) : whole, g))
                        .toList();
            case FRONT ->
                front(stop).groupings().stream()
                        .map(g -> configuration(whole, g))
                        .toList();
            case ROOMS ->
                space.rooms().reversed().stream()
                        .skip(1)
                        .flatMap(room -> List.of(Objective.TIME, Objective.TRAFFIC).stream()
                                .flatMap(o -> best(room, o, stop).stream())
                                .map(g -> configuration(room, g)))
                        .toList();
        };
    }

    private StripFront.Front front(CancellationSignal stop) {
        StripFront.Front front = StripFront.of(model, stop);
        thinned = front.words().isEmpty() ? "" : ". " + front.words();
        return front;
    }

    /// The words on a thinned front in the reason of a run's end; none where there are none.
    public static String thinned(String reason) {
        int at = reason.indexOf(FOUND + ". ");
        return at < 0 ? "" : reason.substring(at + FOUND.length() + 2);
    }

    private Optional<List<GroupPlan>> best(long room, Objective of, CancellationSignal stop) {
        return StripSearch.groups(model.withBuffer(room), of, stop);
    }

    private Configuration configuration(long room, List<GroupPlan> groups) {
        return space.configuration(new Grouping(
                room,
                groups.stream()
                        .map(g -> new Grouping.Part(
                                g.first(),
                                g.last(),
                                g.pieces().samples(),
                                g.pieces().strip(),
                                g.pieces().columns(),
                                g.pieces().sums()
                                        ? Grouping.Run.SUMS
                                        : g.pieces().tiles() > 1
                                                ? Grouping.Run.PASSES
                                                : g.pieces().recomputes()
                                                        ? Grouping.Run.RECOMPUTED
                                                        : Grouping.Run.STRIPS))
                        .toList()));
    }

    @Override
    public void tell(List<Evaluation> evaluations) {
        // Nothing depends on them: the answers are exact.
    }
}
