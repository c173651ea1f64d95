package knobscape.app.ui.gpu;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.Network;
import knobscape.network.subgraph.Subgraph;
import knobscape.project.Design;

/// The work opened for tuning: a network, or a file of measured kernels, which is a task of its own.
///
/// @param what where it comes from and how it is seen
/// @param name of the network
/// @param network the network itself; empty for measured kernels
/// @param kernels what is tuned, in the order of the tasks, as a tuning run has them
/// @param graph the drawing; empty for measured kernels
/// @param taskOf for each node of the graph the first kernel that computes it, -1 for none
/// @param notes what was noticed
record GpuNetwork(
        GpuSettings what,
        String name,
        Optional<Network> network,
        List<NetworkKernel> kernels,
        GraphLayout<Subgraph> graph,
        int[] taskOf,
        List<String> notes) {
    /// The network that a workbench has opened. Away from the screen: the drawing takes its time.
    static GpuNetwork of(GpuWorkbench bench) {
        TunableNetwork n = bench.network();
        int[] taskOf = new int[n.subgraphs().size()];
        Arrays.fill(taskOf, -1);
        for (int k = 0; k < n.kernels().size(); k++) {
            for (Subgraph s : n.kernels().get(k).places()) {
                taskOf[s.index()] = taskOf[s.index()] < 0 ? k : taskOf[s.index()];
            }
        }
        return new GpuNetwork(
                bench.settings(), n.name(), n.graph(), n.kernels(), GraphLayout.of(n.subgraphs()), taskOf, n.notes());
    }

    /// The file's facts about a node of the graph; none for measured kernels.
    List<LayerFacts> facts(Subgraph s) {
        return network.map(n -> LayerFacts.of(n, s)).orElse(List.of());
    }

    /// Name of a kernel that tells it from the others of its task.
    String title(int kernel) {
        NetworkKernel k = kernels.get(kernel);
        return what.templates() == TunableNetwork.Ways.ALL ? k.task() + " " + k.tag() : k.task();
    }

    /// The schedule of a design of a kernel; empty where the kernel is one of a file. Making it costs milliseconds.
    Optional<Schedule> schedule(int kernel, Design design) {
        NetworkKernel k = kernels.get(kernel);
        return Optional.of(design.configuration())
                .filter(c -> c.knobs().equals(k.space().knobs()))
                .flatMap(k::schedule);
    }
}
