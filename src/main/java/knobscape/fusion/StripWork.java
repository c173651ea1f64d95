package knobscape.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripSearch;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.rows.RowAxes;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.fusion.source.rows.RowReader;
import knobscape.network.ImportedNetwork;
import knobscape.network.Network;
import knobscape.network.table.TableImport;
import knobscape.work.WorkLocation;

/// Layer fusion opened for strips: the network as rows, the accelerator with its buffer, the batch. Immutable.
///
/// @param batch runs of the network
/// @param notes sentences on what was read
public record StripWork(RowGraph graph, Accelerator accelerator, long batch, List<String> notes) {
    private static final String FIXED_BATCH = "The batch size is fixed in the file";

    /// Copies the notes.
    public StripWork {
        notes = List.copyOf(notes);
    }

    /// Opens work; relative paths start at `place`. Throws [UserError] for whatever is wrong with network, accelerator
    /// or numbers.
    ///
    /// The batch is that of the settings, else the one that the file fixes.
    public static StripWork open(WorkLocation place, FusionSettings settings) {
        String source = settings.source(place);
        ImportedNetwork imported = settings.network(place);
        RowReader.Rows rows = rows(source, imported.network());
        return new StripWork(
                rows.graph(),
                settings.accelerator(place),
                settings.values()
                        .find(FusionSettings.BATCH)
                        .map(Integer::longValue)
                        .orElseGet(() -> runs(source, settings, imported.network())),
                Stream.concat(
                                // The file's batch is taken, or its rows are none.
                                imported.notes().stream().filter(n -> !n.startsWith(FIXED_BATCH)),
                                rows.notes().stream())
                        .toList());
    }

    private static RowReader.Rows rows(String source, Network network) {
        try {
            return RowReader.of(network);
        } catch (UserError e) {
            throw new UserError(source + ": " + e.getMessage().replaceFirst("\\.$", "") + "; name another network.", e);
        }
    }

    private static long runs(String source, FusionSettings settings, Network network) {
        boolean table = settings.isBuiltIn()
                || (source.matches(".*\\.csv(\\.gz)?") && !TableImport.isTopology(Path.of(source)));
        return table ? FusionSettings.USUAL_BATCH : RowAxes.samples(network);
    }

    /// Network, accelerator and batch as a model.
    public StripModel model() {
        return new StripModel(graph, machine(), batch);
    }

    /// The accelerator as strips see it.
    public StripMachine machine() {
        return accelerator.machine();
    }

    /// The same with another buffer.
    public StripWork withBuffer(long bytes) {
        return new StripWork(graph, accelerator.withBuffer(bytes), batch, notes);
    }

    /// The best answer. Throws [UserError] where no grouping fits the buffer, with the least that would do.
    public StripAnswer solve(Objective objective, CancellationSignal cancel) {
        return StripSearch.solve(model(), objective, cancel).orElseThrow(() -> tooSmall(cancel));
    }

    /// That no grouping fits the buffer, with the least that would do.
    UserError tooSmall(CancellationSignal cancel) {
        long least = StripSearch.smallest(model(), cancel);
        return new UserError("No way to run '" + graph.name() + "' fits the buffer of "
                + ByteSize.shown(accelerator.bufferBytes()) + "; the smallest that does is " + ByteSize.shown(least)
                + " (--buffer " + ByteSize.text(least) + ").");
    }
}
