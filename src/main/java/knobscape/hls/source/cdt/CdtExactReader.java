package knobscape.hls.source.cdt;

import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.exact.ExactProgram;
import knobscape.hls.source.file.SourceFiles;

/// Reads a kernel exactly, with Eclipse CDT's parser.
public final class CdtExactReader {
    private CdtExactReader() {}

    /// Reads the function `top` of a file and everything it calls.
    ///
    /// @param top name as [knobscape.hls.source.Kernel#top()] has it
    /// @param options folders and macros as for [CdtKernelReader]
    /// Throws [UserError] like [CdtKernelReader], and where the parameters of the top function cannot be held.
    public static ExactProgram read(Path file, String top, Options options) {
        String text = SourceFiles.readMain(file);
        return DeepStack.read(file, () -> readHere(file, text, top, options));
    }

    private static ExactProgram readHere(Path file, String text, String top, Options options) {
        Program program = CdtKernelReader.parsed(file, text, options, new Notes());
        List<Instance> found =
                program.instances().stream().filter(i -> i.name().equals(top)).toList();
        if (found.isEmpty()) {
            throw new UserError(file + " has no function '" + top + "'; name one that it has.");
        }
        try {
            return new ExactProgramReader(program).read(found.getFirst());
        } catch (NotExact e) {
            throw new UserError(
                    program.parsed().positions().of(e.node()) + ": " + top + " is not executable: " + e.getMessage()
                            + ".",
                    e);
        }
    }
}
