package knobscape.lab.bench;

import knobscape.explore.Termination;

/// How a trial is read off.
enum TrialReading {
    /// At the tool hours of ANN with the same seed; regressions at their own end.
    EQUAL_HOURS("equal hours"),
    /// Where the protocol's limits would have ended it; regressions at their own end.
    PROTOCOL("protocol"),
    /// Where the search itself would have ended it, by the protocol where it does not say.
    OWN_STOP("own stop");

    /// As the tables name it.
    final String words;

    TrialReading(String words) {
        this.words = words;
    }

    private boolean atEnd(String method) {
        return this == EQUAL_HOURS || KernelSearch.REGRESSIONS.contains(method);
    }

    double adrs(Trial<Approach> trial) {
        Approach t = trial.figures();
        if (this == OWN_STOP && !t.promises().isEmpty()) {
            return t.adrsAt(hours(trial));
        }
        return atEnd(trial.method())
                ? t.adrs()
                : t.stopped().map(Approach.Point::adrs).orElse(t.adrs());
    }

    double hours(Trial<Approach> trial) {
        Approach t = trial.figures();
        if (this == OWN_STOP && !t.promises().isEmpty()) {
            return t.promisedHours(Termination.LEAST_PROMISE);
        }
        return atEnd(trial.method())
                ? t.toolHours()
                : t.stopped().map(Approach.Point::toolHours).orElse(t.toolHours());
    }
}
