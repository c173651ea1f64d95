package knobscape.gpu.evaluate.model;

import java.util.*;
import knobscape.evaluate.CancellationSignal;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.*;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.network.task.*;
import knobscape.network.task.TuningTask;
import knobscape.network.task.TuningTasks;
import knobscape.network.zoo.Zoo;

/// By hand: the model on random schedules of a network's tasks. Arguments: network, device, draws.
final class TemplateTrial {
    private TemplateTrial() {}

    public static void main(String[] arguments) {
        var device = new ModelDevice(GpuSpec.named(arguments[1]), 0, 1);
        int draws = Integer.parseInt(arguments[2]);
        for (TuningTask task :
                TuningTasks.of(Zoo.named(arguments[0]).network(1)).tasks()) {
            for (Template t : Templates.of(task.workload())) {
                var random = new SplittableRandom(1);
                var g = new ArrayList<Double>();
                var bounds = new TreeMap<String, Integer>();
                int bad = 0;
                long start = System.nanoTime();
                for (int i = 0; i < draws; i++) {
                    Schedule s = t.schedule(t.space().draw(random));
                    Measurement m = device.measure(s, new CancellationSignal());
                    if (m.seconds().isEmpty()) {
                        bad++;
                        continue;
                    }
                    g.add(m.gflops(task.workload().flops()));
                    bounds.merge(
                            device.estimates(s).stream()
                                    .max(Comparator.comparingDouble(GpuModel.Estimate::milliseconds))
                                    .orElseThrow()
                                    .bound(),
                            1,
                            Integer::sum);
                }
                double us = (System.nanoTime() - start) * 1e-3 / draws;
                Collections.sort(g);
                if (!g.isEmpty())
                    System.out.printf(
                            "%-60s bad %.2f  median %.0f  90%% %.0f  max %.0f GFLOPS  %.0f us each %s%n",
                            t.id(),
                            bad / (double) draws,
                            g.get(g.size() / 2),
                            g.get(g.size() * 9 / 10),
                            g.getLast(),
                            us,
                            bounds);
            }
        }
    }
}
