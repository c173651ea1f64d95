package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;

/// The files of measured designs that benches read: MachSuite kernels at three stages of a real flow.
final class MeasuredFiles {
    private MeasuredFiles() {}

    /// The CSV files in `data/hls/fudan_machsuite`, `data/fudan_machsuite` or `data` itself, by name. Throws
    /// [UserError] where there are none.
    static List<Path> in(Path data) {
        Path folder = Files.isDirectory(data.resolve("hls/fudan_machsuite"))
                ? data.resolve("hls/fudan_machsuite")
                : Files.isDirectory(data.resolve("fudan_machsuite")) ? data.resolve("fudan_machsuite") : data;
        return csv(folder);
    }

    /// As [#in], and behind them the PolyBench kernels measured after C synthesis and after implementation, where they
    /// are beside them.
    static List<Path> staged(Path data) {
        Path polybench = data.resolve("hls/hlsdataset_polybench");
        return Files.isDirectory(polybench)
                ? Stream.concat(in(data).stream(), csv(polybench).stream()).toList()
                : in(data);
    }

    /// The CSV files of a folder, by name. Throws [UserError] where there are none.
    static List<Path> csv(Path folder) {
        try (var list = Files.list(folder)) {
            List<Path> found =
                    list.filter(f -> f.toString().endsWith(".csv")).sorted().toList();
            if (found.isEmpty()) {
                throw new UserError("There is no CSV of measured designs in " + folder + ".");
            }
            return found;
        } catch (IOException e) {
            throw new UserError("Cannot read " + folder + ": " + e.getMessage() + ".", e);
        }
    }

    /// The sample or set a name belongs to, without the name of the collection.
    static String subject(String setName) {
        return setName.substring(setName.indexOf('/') + 1);
    }
}
