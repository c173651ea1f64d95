package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.List;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;

/// `src/lab/run hls-promise`: whether `cgp` knows what another hour brings, by which a run ends. Trials are those of
/// [HlsTablesBench] and are read back where both have the same folder.
public final class HlsPromiseBench implements Bench {
    private static final int SEEDS = 4;
    private static final int QUICK_SEEDS = 1;
    private static final String QUICK_KERNEL = "gemm_ncubed";
    private static final String METHOD = "cgp";
    private static final String RAW = "of the processes";
    private static final String TOLD = "as told";
    private static final String CHOSEN = "usual share chosen on the other suites";
    /// The accepted ratio of gain to promise, at least and at most.
    private static final double LEAST = 0.5;
    private static final double MOST = 2;

    @Override
    public String name() {
        return "hls-promise";
    }

    @Override
    public String description() {
        return "What cgp promised of the next tool hour against what came, each suite by what was chosen on the others.";
    }

    @Override
    public BenchReport run(Job job) {
        int seeds = job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS);
        var runner = TrialRunner.sideBySide(job, "trials.jsonl", Approach.class, seeds);
        var trials = new ArrayList<Trial<Approach>>();
        var notes = new ArrayList<>(
                List.of(
                        "An hour counts where the run saw it to its end: the fall of ADRS in it against the fall promised at its beginning. Intervals (95 %) draw runs with replacement, as hours of a run overlap.",
                        "As told: what the processes expect times what earlier designs of the search that promised about as much came to, as it saw them; where there are few, times what is usual; as many designs as fit into an hour. What is usual was chosen on these kernels; on the other suites alone where a row says so."));
        for (HlsSuites.Kernel kernel : HlsSuites.all(job)) {
            if (job.quick() && !kernel.name().equals(QUICK_KERNEL)) {
                continue;
            }
            kernel.open(notes::add)
                    .ifPresent(open -> trials.addAll(
                            runner.run(new KernelSearch(job, open), List.of(KernelSearch.YARDSTICK, METHOD))));
        }
        return report(
                name(),
                PromiseReliability.of(
                        trials.stream().filter(t -> t.method().equals(METHOD)).toList()),
                notes);
    }

    /// @param notes how trials came about
    static BenchReport report(String name, PromiseReliability all, List<String> notes) {
        var rows = new ArrayList<List<Cell>>();
        var aims = new ArrayList<Aim>();
        rows(rows, "all suites", RAW, all.raw());
        rows(rows, "all suites", TOLD, all);
        for (String suite : all.suites()) {
            PromiseReliability own = all.of(suite, false);
            rows(rows, suite, RAW, own.raw());
            rows(rows, suite, TOLD, own);
            aims.add(aim(
                    suite + ": what came over what the processes expected",
                    own.raw().ratio()));
            aims.add(aim(suite + ": what came over what was told", own.ratio()));
            if (all.suites().size() > 1) {
                PromiseReliability chosen = own.chosenOn(all.of(suite, true));
                rows(rows, suite, CHOSEN, chosen);
                aims.add(aim(suite + ": the same, the usual share chosen on the other suites", chosen.ratio()));
                aims.add(inside(suite + ": share of hours inside their 90 % interval, likewise", chosen.inside()));
            }
        }
        var said = new ArrayList<>(notes);
        said.add(all.size() + ".");
        return new BenchReport(
                name,
                "Fall of ADRS promised of the next tool hour, and the fall that came, by class of promises.",
                Column.list(
                        "suite", "suite",
                        "promise", "promise",
                        "below", "promises below",
                        "hours", "hours",
                        "promised", "promised",
                        "came", "came",
                        "low", "95 % from",
                        "high", "to"),
                rows,
                aims,
                said);
    }

    private static Aim inside(String name, double share) {
        return new Aim(name, share, "0.8 to 1", share >= 0.8);
    }

    private static void rows(List<List<Cell>> rows, String suite, String kind, PromiseReliability r) {
        r.curve()
                .forEach((end, b) -> rows.add(BenchReport.row(
                        List.of(suite, kind), end, b.count(), b.promised(), b.came(), b.low(), b.high())));
    }

    private static Aim aim(String name, double ratio) {
        return new Aim(name, ratio, LEAST + " to " + MOST, ratio >= LEAST && ratio <= MOST);
    }
}
