package knobscape.network.source;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import knobscape.evaluate.UserError;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;
import knobscape.network.einsum.EinsumFiles;
import knobscape.network.onnx.OnnxImport;
import knobscape.network.table.TableImport;
import knobscape.network.zoo.Zoo;

/// Reads whatever describes a network: an ONNX file (`.onnx`), a JSON graph or layer table (`.json`), a CSV
/// layer table (`.csv`, `.csv.gz`), a workload of ZigZag, Stream, Timeloop or AccelForge (`.yaml`), or `zoo:NAME` for a
/// built-in one.
public final class NetworkSource {
    private NetworkSource() {}

    /// Reads a network. Throws [UserError] with one sentence for whatever is wrong with the source.
    ///
    /// @param source a file, or `zoo:resnet18` and the like
    /// @param options what the source leaves open; layer tables and built-in networks take 1 sample where no
    /// batch is given
    public static ImportedNetwork read(String source, ImportOptions options) {
        if (source.startsWith(NetworkNames.ZOO)) {
            options.requireOpen(source, List.of());
            return new ImportedNetwork(
                    Zoo.named(source.substring(NetworkNames.ZOO.length()))
                            .network(options.batch().orElse(1)),
                    List.of());
        }
        Path file = path(source);
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".onnx")) {
            return OnnxImport.read(file, options);
        }
        if (name.endsWith(".json") || name.endsWith(".csv") || name.endsWith(".csv.gz")) {
            options.requireOpen(source, List.of());
            return TableImport.read(file, options);
        }
        if (EinsumFiles.isYaml(name)) {
            return EinsumFiles.read(file, options);
        }
        throw new UserError("'" + file
                + "' does not look like a network; an .onnx, .json, .csv or .yaml file, or zoo:NAME is wanted.");
    }

    /// Reads a network for `batch` samples, where 1 is what nobody asked for: a JSON file then keeps a batch of its
    /// own.
    ///
    /// @param dims see [ImportOptions]
    public static ImportedNetwork read(String source, long batch, Map<String, Long> dims) {
        boolean own = batch == 1 && !source.startsWith(NetworkNames.ZOO) && source.endsWith(".json");
        return read(source, new ImportOptions(own ? OptionalLong.empty() : OptionalLong.of(batch), dims));
    }

    private static Path path(String source) {
        try {
            return Path.of(source);
        } catch (InvalidPathException e) {
            throw new UserError("'" + source + "' is not the name of a file.", e);
        }
    }
}
