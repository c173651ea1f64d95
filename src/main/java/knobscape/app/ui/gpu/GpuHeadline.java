package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.designs.Headline;
import knobscape.app.ui.designs.Quantity;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;

/// The few figures a person came for: the network's time, how much faster it became, how near the roof it is.
final class GpuHeadline {
    private static final double GIGA = 1e9;

    private GpuHeadline() {}

    /// The figures of what is open, as it changes.
    ///
    /// @param turn opens a figure by its title
    static ObservableValue<List<Headline>> of(GpuViewModel model, Consumer<String> turn) {
        return Bindings.createObjectBinding(
                () -> model.network()
                        .get()
                        .filter(n -> n.kernels().size() == model.states().get().size())
                        .map(n -> of(
                                n,
                                model.states().get(),
                                model.roofs()
                                        .of(model.tunings()
                                                .shown()
                                                .get()
                                                .map(t -> t.how().toolchain())
                                                .orElse(model.roofs().device().get())),
                                turn,
                                model.selected()::set))
                        .orElse(List.of()),
                model.network(),
                model.states(),
                model.tunings().shown(),
                model.roofs().device(),
                model.roofs().changes());
    }

    /// @param roof of the device, where its peak is known
    /// @param turn opens a figure by its title
    /// @param select selects a kernel
    static List<Headline> of(
            GpuNetwork network,
            List<KernelState> states,
            Optional<DevicePeaks.Roof> roof,
            Consumer<String> turn,
            IntConsumer select) {
        var all = new ArrayList<Headline>();
        double flops = flops(network.kernels());
        var tuned = new TunedNetwork(states);
        double ms = tuned.latencyMilliseconds();
        long tasks = tasks(network.kernels().stream());
        long ran = tasks(states.stream().filter(s -> s.best().isPresent()).map(KernelState::kernel));
        Optional<Runnable> toNetwork = Optional.of(() -> turn.accept("Network"));
        if (ms > 0) {
            all.add(new Headline(
                    "Network",
                    GpuFigures.millis(ms),
                    "kernels of " + tasks + " tasks" + (tuned.isModelled() ? ", model" : ""),
                    toNetwork));
            double first = tuned.firstMilliseconds();
            all.add(new Headline(
                    "Speedup",
                    String.format(Locale.ROOT, first / ms < 10 ? "%.2f\u00d7" : "%.0f\u00d7", first / ms),
                    "over each task's first schedule, " + GpuFigures.millis(first),
                    toNetwork));
        } else if (tuned.wholeMilliseconds() > 0) {
            all.add(new Headline(
                    "Network, so far",
                    "~" + GpuFigures.millis(tuned.wholeMilliseconds()),
                    ran + " of " + tasks + " tasks ran, the others at the best rate so far",
                    toNetwork));
        } else {
            all.add(new Headline(
                    "Tasks",
                    Quantity.count(tasks),
                    ran == 0
                            ? "none has run yet"
                            : ran + " have run so far: "
                                    + tuned.soFar()
                                            .map(TunedNetwork.SoFar::words)
                                            .orElse("")));
        }
        if (flops > 0) {
            roof.ifPresent(r -> {
                Optional<Runnable> toRoof = Optional.of(() -> turn.accept("Roofline"));
                double least = leastMilliseconds(network.kernels(), r);
                String attainable = GpuFigures.gflops(flops / least / 1e6);
                all.add(
                        ms > 0
                                ? new Headline(
                                        "Of the roofline",
                                        String.format(
                                                Locale.ROOT,
                                                least / ms < 0.095 ? "%.1f %%" : "%.0f %%",
                                                100 * least / ms),
                                        "of " + attainable + " attainable",
                                        toRoof)
                                : new Headline(
                                        "At the roofline",
                                        GpuFigures.millis(least),
                                        attainable + " attainable of " + GpuFigures.gflops(r.peakGflops()),
                                        toRoof));
            });
        }
        if (ms > 0) {
            int k = IntStream.range(0, states.size())
                    .boxed()
                    .filter(i -> states.get(i).placesMilliseconds() > 0)
                    .reduce((a, b) ->
                            states.get(a).placesMilliseconds() >= states.get(b).placesMilliseconds() ? a : b)
                    .orElseThrow();
            if (tasks > 1 && network.what().templates() != TunableNetwork.Ways.ALL) {
                double of = states.get(k).placesMilliseconds();
                all.add(new Headline(
                        "Takes longest",
                        network.title(k),
                        String.format(Locale.ROOT, "%s, %.0f %%", GpuFigures.millis(of), 100 * of / ms),
                        Optional.of(() -> select.accept(k))));
            }
        }
        int trials = states.stream().mapToInt(KernelState::trials).sum();
        double seconds =
                states.stream().mapToDouble(s -> s.effort().toolSeconds()).sum();
        if (trials > 0) {
            boolean model = tuned.isModelled();
            all.add(new Headline(
                    "Spent",
                    Quantity.count(trials),
                    (model ? "estimates of a model" : "measurements")
                            + (seconds > 0
                                    ? ", " + Quantity.spent(seconds, model ? "simulated hours" : "device hours")
                                    : "")));
        }
        return all;
    }

    private static long tasks(Stream<NetworkKernel> kernels) {
        return kernels.map(NetworkKernel::task).distinct().count();
    }

    /// Milliseconds of the network where every task is as fast as arithmetic and memory allow: no faster than the
    /// peak, nor than its operations a byte times the traffic. Of several templates the fastest roof counts.
    static double leastMilliseconds(List<NetworkKernel> kernels, DevicePeaks.Roof roof) {
        var tasks = new HashMap<String, Double>();
        for (NetworkKernel k : kernels) {
            double gflops = roof.most(k);
            tasks.merge(k.task(), k.totalFlops() / gflops / GIGA * 1e3, Math::min);
        }
        return tasks.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /// Operations of the network; 0 where those of a task are not known. A task may have several templates.
    private static double flops(List<NetworkKernel> kernels) {
        var tasks = new HashMap<String, Double>();
        kernels.forEach(k -> tasks.merge(k.task(), k.totalFlops(), Math::max));
        return tasks.containsValue(0.0)
                ? 0
                : tasks.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
