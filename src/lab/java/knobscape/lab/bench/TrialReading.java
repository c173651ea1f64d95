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

    boolean atEnd(Trial t) {
        return this == EQUAL_HOURS || HlsTablesBench.REGRESSIONS.contains(t.method());
    }

    double adrs(Trial t) {
        if (this == OWN_STOP && !t.promises().isEmpty()) {
            return t.adrsAt(hours(t));
        }
        return atEnd(t) ? t.adrs() : t.stopped().map(Trial.Point::adrs).orElse(t.adrs());
    }

    double hours(Trial t) {
        if (this == OWN_STOP && !t.promises().isEmpty()) {
            return t.promisedHours(Termination.LEAST_PROMISE);
        }
        return atEnd(t)
                ? t.toolHours()
                : t.stopped().map(Trial.Point::toolHours).orElse(t.toolHours());
    }
}
