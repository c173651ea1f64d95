package knobscape.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.hls.HlsTools;
import knobscape.surrogate.gp.GpSettings;
import knobscape.work.Choices;
import knobscape.work.Method;

/// Run by hand: a few kernels, a few seeds, all methods at the tool hours of 48 runs in full, to choose among
/// variants. Trials are kept in the folder named. A method `cgp:a+b` is CGP with the settings named a and b.
///
/// Arguments: `folder kernels seeds methods`, kernels as `suite/name` by comma.
final class HlsChoice {
    private static final double RUNS = Double.parseDouble(System.getProperty("runs", "48"));

    private static Method variant(String name) {
        return new Method(name, name, name, p -> {
            BayesSettings s = BayesSettings.CGP;
            for (String part : name.substring(name.indexOf(':') + 1).split("\\+")) {
                s = switch (part) {
                    case "default" -> s;
                    case "old" -> BayesSettings.DEFAULT;
                    case "objectives" -> s.with(BayesSettings.Report.OBJECTIVES);
                    case "random" -> s.with(BayesSettings.Start.RANDOM);
                    case "shared" -> s.with(BayesSettings.Fronts.SHARED);
                    case "penalised" -> s.with(BayesSettings.Invalid.PENALISED);
                    case "nostall" -> s.with(BayesSettings.Stall.NONE);
                    case "noprior" -> s.with(BayesSettings.Prior.NONE);
                    case "likelier" -> s.with(BayesSettings.ObjectiveModel.LIKELIER);
                    case "correlated" -> s.with(BayesSettings.ObjectiveModel.CORRELATED);
                    case "warm12" -> s.with(GpSettings.DEFAULT);
                    case "any" -> s.with(BayesSettings.Screening.ANY);
                    case "linear" -> s.with(GpSettings.DEFAULT.with(GpSettings.LowerLink.LINEAR));
                    case "ehvi" -> s.with(BayesSettings.Gain.HYPERVOLUME).with(BayesSettings.AcquisitionKind.EXACT);
                    default -> throw new IllegalArgumentException(part);
                };
            }
            return new CgpExplorer(
                    name,
                    p.space(),
                    p.encoder(),
                    p.info(),
                    s.withInitialDesigns(p.initialDesigns()),
                    CgpExplorer.gaussianProcesses(s),
                    p.seed(),
                    System::nanoTime);
        });
    }

    public static void main(String[] args) {
        Path out = Path.of(args[0]);
        List<String> methods = Arrays.asList(args[3].split(","));
        HlsTools t = HlsTools.standard();
        var tools = new HlsTools(
                t.reader(),
                t.spaces(),
                t.toolPart(),
                t.toolchains(),
                new Choices<>(
                        "method",
                        Stream.concat(
                                        t.methods().all().stream(),
                                        methods.stream()
                                                .filter(m -> m.contains(":"))
                                                .map(HlsChoice::variant))
                                .toList()));
        var job = Jobs.into(out)
                .tools(tools)
                .samples(Path.of("sample-projects"))
                .data(Optional.of(Path.of(System.getProperty("knobscape.shared"), "data")))
                .telling(System.err::println)
                .methods(methods)
                .job();
        var log = new TrialLog(out.resolve("trials.jsonl"));
        var logs = new LinkedHashMap<String, Double>();
        for (HlsSuites.Kernel kernel : HlsSuites.all(job)) {
            if (!Arrays.asList(args[1].split(",")).contains(kernel.subject())) {
                continue;
            }
            HlsSuites.Opened s = kernel.open(told -> {}).orElseThrow();
            System.out.printf("%-28s", s.subject());
            for (String m : methods) {
                List<Trial> trials = LongStream.rangeClosed(1, Long.parseLong(args[2]))
                        .mapToObj(seed -> log.find("seed=" + seed + " " + s.subject(), m)
                                .orElseGet(() -> {
                                    Trial trial = HlsTablesBench.trial(
                                            job, s, m, seed, Map.of("ann", ending(RUNS * s.fullHours())));
                                    log.add("seed=" + seed + " " + s.subject(), trial);
                                    return trial;
                                }))
                        .toList();
                logs.merge(m, Math.log(Math.max(1e-3, mean(trials, Trial::adrs))), Double::sum);
                System.out.printf(
                        "  %s %.4f (24: %.3f, area %.3f, %.0f/%.0f, %.0f s)",
                        m,
                        mean(trials, Trial::adrs),
                        mean(trials, x -> x.adrsAt(RUNS / 2 * s.fullHours())),
                        mean(trials, x -> x.area(RUNS * s.fullHours())),
                        mean(trials, Trial::designs),
                        mean(trials, Trial::atTop),
                        mean(trials, Trial::algorithmSeconds));
                System.out.flush();
            }
            System.out.println();
        }
        double first = logs.values().iterator().next();
        int kernels = args[1].split(",").length;
        logs.forEach((m, sum) -> System.out.printf("%s %.3f  ", m, Math.exp((sum - first) / kernels)));
        System.out.println("(geometric mean of ADRS over the first's)");
    }

    private static Trial ending(double hours) {
        return new Trial("", "ann", 0, 0, 0, hours, 0, 0, 0, 0, Optional.empty(), List.of(), 0, 0, List.of());
    }

    private static double mean(List<Trial> trials, ToDoubleFunction<Trial> f) {
        return trials.stream().mapToDouble(f).average().orElse(Double.NaN);
    }

    private HlsChoice() {}
}
