package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.explore.Termination;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.explore.bayes.PromiseRecord;

/// How near a search came to the front, and what that cost.
///
/// @param adrs distance to the reference front by the end, [knobscape.pareto.Adrs.Distance#RELATIVE_WORST]
/// @param adrsEuclidean the same by [knobscape.pareto.Adrs.Distance#EUCLIDEAN_SCALED]
/// @param algorithmSeconds time of the explorer itself
/// @param atTop how many of them at the top fidelity
/// @param stopped where the protocol's limits would have ended it, empty where they would not
/// @param promises by how much the search expected each next hour to bring ADRS down; none of a search that does not
/// say
/// @param predicted values that were predicted with an interval before they were measured at the top fidelity
/// @param inside how many of them lay inside their 90 % interval
/// @param curve ADRS (relative worst) after each proposal against tool hours
public record Approach(
        double adrs,
        double adrsEuclidean,
        double toolHours,
        double algorithmSeconds,
        int steps,
        int designs,
        int atTop,
        Optional<Point> stopped,
        List<Promise> promises,
        int predicted,
        int inside,
        List<Point> curve) {
    public Approach {
        promises = List.copyOf(promises);
        curve = List.copyOf(curve);
    }

    /// Mean ADRS over the first `toolHours`, no more than 1 at any time: the area under the curve.
    public double area(double toolHours) {
        double sum = 0;
        double from = 0;
        double height = 1;
        for (Point p : curve) {
            double to = Math.min(toolHours, p.toolHours());
            sum += (to - from) * height;
            from = to;
            height = Math.min(1, p.adrs());
        }
        return (sum + (toolHours - from) * height) / toolHours;
    }

    /// Tool hours after which a search ends by what it expects ([Termination.WithoutPromise]); those of the whole
    /// trial where it goes on.
    public double promisedHours(double least) {
        int below = 0;
        for (Promise p : promises) {
            below = p.run().gain() < least ? below + 1 : 0;
            if (below >= Termination.WithoutPromise.IN_A_ROW
                    && p.toolHours() * p.run().perHour() >= Termination.WithoutPromise.LEAST_RUNS) {
                return p.doneHours();
            }
        }
        return toolHours;
    }

    /// The search's expectation of the hour after `toolHours`, when it was asked for a step.
    ///
    /// @param doneHours tool hours by which that step was done
    /// @param gain fall of ADRS expected
    /// @param low 5 % quantile
    /// @param high 95 % quantile
    /// @param run what it follows from
    public record Promise(double toolHours, double doneHours, double gain, double low, double high, PromisedRun run) {
        /// From what an explorer tells, as [Termination#PROMISE], [Termination#RUN_PROMISE] and
        /// [CgpExplorer#PROMISE_RECORD] have it.
        static Promise of(double toolHours, Map<String, double[]> told) {
            double[] hour = requireNonNull(told.get(Termination.PROMISE));
            double[] record = requireNonNull(told.get(CgpExplorer.PROMISE_RECORD));
            return new Promise(
                    toolHours,
                    toolHours,
                    hour[0],
                    hour[1],
                    hour[2],
                    new PromisedRun(
                            requireNonNull(told.get(Termination.RUN_PROMISE))[0],
                            record[0],
                            record[2],
                            record[3],
                            record[4],
                            record[5]));
        }

        Promise doneBy(double hours) {
            return new Promise(toolHours, hours, gain, low, high, run);
        }
    }

    /// The expectation of the next design run to the highest stage.
    ///
    /// @param gain fall of ADRS expected
    /// @param raw fall expected by the processes alone
    /// @param promised what earlier runs of about that size were promised by the processes, by weight
    /// @param came what came of them as the search saw it
    /// @param perHour runs in an hour
    /// @param left distance to the front that is believed
    public record PromisedRun(double gain, double raw, double promised, double came, double perHour, double left) {
        /// Fall expected of an hour where a promise is multiplied by a factor.
        double hour(double factor) {
            return PromiseRecord.ofRuns(factor * raw, perHour, left);
        }
    }

    /// A point of a curve; of the distance only where it changed.
    public record Point(double toolHours, double adrs) {}

    /// Tool hours after which ADRS was at most `adrs`; positive infinity where it never was.
    double hoursTo(double adrs) {
        return curve.stream()
                .filter(p -> p.adrs() <= adrs)
                .mapToDouble(Point::toolHours)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// ADRS reached by the time `toolHours` were spent, positive infinity before the first design at the top
    /// fidelity.
    public double adrsAt(double toolHours) {
        return curve.stream()
                .filter(p -> p.toolHours() <= toolHours)
                .mapToDouble(Point::adrs)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// ADRS against tool hours of every trial, as CSV.
    ///
    /// @param of heading of the subjects
    static String curves(String of, List<Trial<Approach>> trials) {
        var b = new StringBuilder(of + ",method,seed,tool hours,ADRS\r\n");
        trials.forEach(t -> t.figures()
                .curve()
                .forEach(p -> b.append(t.subject() + "," + t.method() + "," + t.seed() + "," + p.toolHours() + ","
                        + p.adrs() + "\r\n")));
        return b.toString();
    }
}
