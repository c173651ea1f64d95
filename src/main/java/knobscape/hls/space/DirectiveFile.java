package knobscape.hls.space;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;

/// A directive file as written, checked for its form only; whether its names exist is checked against a kernel
/// by [SpaceBuilder].
///
/// ```yaml
/// version: 1
/// part: xc7vx485t          # optional, like clock and top
/// clock: 10                # ns
/// top: gemm
/// defaults: false          # true, or a list of kinds: take their default knobs wherever they apply
/// prune: true              # false: leave Algorithm 1 out
/// knobs:
///   - {kind: unroll,     at: gemm/inner, factors: [1, 2, 4]}
///   - {kind: pipeline,   at: gemm/inner, values: [off, on, ii=2]}
///   - {kind: partition,  at: gemm/m1, dim: 1, types: [none, cyclic, block, complete], factors: [2, 4, 8]}
///   - {kind: reshape,    at: gemm/m1, dim: 1, factors: [1, 2]}
///   - {kind: inline,     at: helper}
///   - {kind: flatten,    at: gemm/middle}
///   - {kind: dataflow,   at: top}
///   - {kind: multiplier, at: gemm, values: [auto, dsp, fabric]}
///   - {kind: storage,    at: gemm/buffer, values: [auto, bram_2p, lutram]}
/// ```
///
/// `at` is one location or a list of them. Values left out are the default candidates. A single value fixes a
/// knob. Without `knobs` the default knobs are meant; with `knobs`, only those, unless `defaults` says
/// otherwise. An entry replaces the default knob of its place.
///
/// @param name file name for messages
/// @param part FPGA part, where given
/// @param clockNs target clock period in ns, where given
/// @param top top function, where given
/// @param defaults kinds whose default knobs are taken wherever they apply
/// @param prune whether Algorithm 1 prunes; contradictions are pruned in any case
/// @param knobs entries in order
public record DirectiveFile(
        String name,
        Optional<String> part,
        OptionalDouble clockNs,
        Optional<String> top,
        Set<KnobKind> defaults,
        boolean prune,
        List<Entry> knobs) {
    private static final long MOST_BYTES = 1 << 20;

    public DirectiveFile {
        defaults = Set.copyOf(defaults);
        knobs = List.copyOf(knobs);
    }

    /// One entry of `knobs`.
    ///
    /// @param kind kind of knob
    /// @param at locations, at least one
    /// @param dimension of an array, 1-based; every dimension where absent
    /// @param factors for unroll, partition and reshape; the default candidates where absent
    /// @param values labels: types of a partition, else the knob's values; the default ones where absent
    /// @param line of the entry
    public record Entry(
            KnobKind kind,
            List<Place> at,
            OptionalInt dimension,
            Optional<List<Integer>> factors,
            Optional<List<String>> values,
            int line) {
        public Entry {
            at = List.copyOf(at);
            factors = factors.map(List::copyOf);
            values = values.map(List::copyOf);
        }
    }

    /// A location with its line.
    public record Place(String name, int line) {}

    /// Reads a file. Throws [UserError] with file and line for whatever is wrong with its form.
    public static DirectiveFile read(Path file) {
        if (Files.isDirectory(file)) {
            throw new UserError(file + " is a folder; name the directive file in it");
        }
        if (!Files.exists(file)) {
            throw new UserError("there is no directive file " + file);
        }
        try {
            return parse(file.toString(), InputFile.text(file, MOST_BYTES));
        } catch (CharacterCodingException e) {
            throw new UserError(file + " is not a text file in UTF-8", e);
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /// Reads the text of a directive file; `name` stands in messages.
    public static DirectiveFile parse(String name, String text) {
        return new DirectiveFileReader(name).read(text);
    }

    /// The directive file of a space, every knob with all its values, with comments on what the loops and
    /// arrays are. It reads back to the same space under the same limits.
    ///
    /// @param space a space of [SpaceBuilder]
    /// @param part FPGA part to name in it
    /// @param clockNs clock period in ns to name in it
    public static String write(DirectiveSpace space, Optional<String> part, OptionalDouble clockNs) {
        boolean prune = !(space instanceof PrunedDirectiveSpace p) || p.isPruned();
        return new DirectiveFileWriter(space).write(part, clockNs, prune);
    }
}
