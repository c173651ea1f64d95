package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.stream.Collectors;
import knobscape.explore.RandomExplorer;
import knobscape.explore.SyntheticFlow;
import knobscape.explore.TestRun;

/// Run by hand: prints ADRS, hypervolume and where the budget went, CGP against random search at equal tool hours.
final class CgpTrial {
    public static void main(String[] args) {
        int seeds = Integer.parseInt(args.length > 0 ? args[0] : "3");
        for (boolean power : new boolean[] {true, false}) {
            var flow = new SyntheticFlow(power);
            var objectives = flow.objectives();
            double[][] front = TestRun.trueFront(flow, SyntheticFlow.SPACE, objectives);
            System.out.println("front " + front.length);
            for (int seed = 0; seed < seeds; seed++) {
                long t = System.nanoTime();
                var explorer = new CgpExplorer(SyntheticFlow.SPACE, SyntheticFlow.SPACE.encoder(), flow.info(), BayesSettings.DEFAULT, seed);
                var cgp = new TestRun(flow, explorer).start().steps(40, 1, 1e9);
                double seconds = (System.nanoTime() - t) * 1e-9;
                var random = new TestRun(flow, new RandomExplorer(SyntheticFlow.SPACE, flow.info().top(), 8, seed)).start()
                        .steps(1000, 1, cgp.history().toolSeconds());
                String where = cgp.proposals().stream().skip(8).map(p -> p.upTo().name().substring(0, 1) + (p.reason().startsWith("PEIPV") ? "" : "*"))
                        .collect(Collectors.joining());
                System.out.printf("seed %d cgp %.4f hv %.4f  random %.4f hv %.4f  impl %d/%d hours %.1f  algorithm %.2fs %s%n", seed, cgp.adrs(front, objectives),
                        cgp.hypervolume(objectives), random.adrs(front, objectives), random.hypervolume(objectives), cgp.found(objectives).length,
                        random.found(objectives).length, cgp.history().toolSeconds() / 3600, seconds, where);
                if (args.length > 1) {
                    explorer.diagnostics().forEach((k, v) -> System.out.println("  " + k + " " + Arrays.toString(Arrays.copyOf(v, Math.min(v.length, 12)))));
                }
            }
        }
    }
}
