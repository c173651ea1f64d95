package knobscape.lab.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsTools;

/// A table that the program repeats by itself. It keeps what it has in its output folder, so that an
/// interrupted one resumes where it was.
public interface Bench {

    /// Name as on the command line.
    String name();

    /// One sentence for a person.
    String description();

    /// Methods that it compares and of which [Job#methods] may choose some; none where there is nothing to
    /// choose.
    default List<String> methods() {
        return List.of();
    }

    /// Runs what is missing and gives the whole table. Throws `CancellationException` where it was asked to
    /// stop; what was finished is kept.
    BenchReport run(Job job);

    /// How much of a bench is run.
    enum Extent {
        /// All of it.
        WHOLE,
        /// Less of everything, to end within some ten minutes on two cores.
        QUICK,
        /// Nothing: the table is that of the trials that were finished earlier.
        FINISHED
    }

    /// How to run.
    ///
    /// @param tools parts that HLS work is put together from
    /// @param samples folder of the sample projects, where there is one
    /// @param data folder of measured designs, where there is one
    /// @param out folder for the table and for what is kept between runs
    /// @param extent how much is run
    /// @param seeds repetitions, the bench's own number where empty
    /// @param firstSeed seed of the first repetition
    /// @param progress told a line now and then
    /// @param sources folder of the sources that measured designs belong to, where there is one
    /// @param methods those of [Bench#methods] to compare, empty for all
    record Job(
            HlsTools tools,
            Optional<Path> samples,
            Optional<Path> data,
            Path out,
            Extent extent,
            Optional<Integer> seeds,
            long firstSeed,
            Consumer<String> progress,
            CancellationSignal cancel,
            Optional<Path> sources,
            List<String> methods) {
        /// True if it is to end within some ten minutes on two cores.
        public boolean quick() {
            return extent == Extent.QUICK;
        }

        /// The folder of the sample projects; throws [UserError] where there is none.
        Path requiredSamples() {
            return samples.orElseThrow(
                    () -> new UserError("The sample projects were not found; start the program from its own folder."));
        }

        /// The folder of measured designs; throws [UserError] where none is named.
        Path requiredData() {
            return data.orElseThrow(
                    () -> new UserError(
                            "Measured designs are needed: name their folder with --data (the one that holds fudan_machsuite/*.csv)."));
        }
    }
}
