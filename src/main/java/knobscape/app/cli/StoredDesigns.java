package knobscape.app.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.insight.Importance;
import knobscape.app.ui.insight.Insight;
import knobscape.app.ui.insight.Surrogate;
import knobscape.evaluate.UserError;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunReference;
import knobscape.project.RunResults;
import knobscape.space.DesignSpace;
import knobscape.work.Workbench;

/// The designs of a stored run with what is understood of them, as the window shows it.
///
/// @param results of the run
/// @param designs as the window has them
/// @param space that was searched
record StoredDesigns(RunResults results, DesignSet designs, DesignSpace space) {
    /// Reads a run. Throws [UserError] for one of several kernels, and for one whose work has changed since.
    static StoredDesigns read(String text, Path here) {
        RunReference reference = RunReference.parse(text, here);
        try (Project project = reference.open()) {
            RunRecord run = reference.run(project);
            if (run.subjects().size() > 1) {
                throw new UserError(
                        "Run " + run.id() + " tunes " + run.subjects().size()
                                + " kernels, each with a space of its own; open it in the window to see what decides them.");
            }
            RunResults results = project.runs().orElseThrow().results(run.id());
            Workbench bench = project.area(run.work()).open(run.work(), project);
            if (!bench.space().knobs().equals(run.knobs())) {
                throw new UserError("What run " + run.id() + " searched has changed since: its knobs are others now.");
            }
            var fold = new DesignFold(
                    run.knobs(),
                    bench.baseline().map(c -> new Design(0, c, List.of(), 0, "baseline", Optional.empty())));
            fold.load(results);
            return new StoredDesigns(results, fold.set(), bench.space());
        }
    }

    /// The run that has them.
    RunRecord run() {
        return results.run();
    }

    /// The surrogate fitted to them. Throws [UserError] where too little is known to say anything.
    Surrogate surrogate() {
        return Surrogate.fit(designs)
                .orElseThrow(() -> new UserError("Which knobs decide each objective is known once "
                        + Surrogate.ENOUGH + " designs have been fully evaluated; run "
                        + run().id() + " has " + designs.size() + " in all."));
    }

    /// The surrogate and the knobs that decide each objective. Throws as [#surrogate()].
    Insight insight() {
        Surrogate fitted = surrogate();
        return new Insight(space, fitted, Importance.of(fitted, space));
    }
}
