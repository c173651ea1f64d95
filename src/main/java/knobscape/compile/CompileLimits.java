package knobscape.compile;

import java.io.File;
import java.time.Duration;
import java.util.List;

/// The limits of a process of the compiler.
///
/// @param time longest time of one request
/// @param memory most address space in MiB
public record CompileLimits(Duration time, long memory) {
    private static final long KIB = 1024;

    /// A minute and 8 GiB of address space.
    public static CompileLimits defaults() {
        return new CompileLimits(Duration.ofMinutes(1), 8 * KIB);
    }

    /// The words before a command by which the system holds it to the memory: none where there is no such shell.
    List<String> command() {
        if (File.separatorChar == '\\') {
            return List.of();
        }
        // The program and its arguments are the shell's own arguments, never its text.
        return List.of("/bin/sh", "-c", "ulimit -v " + memory * KIB + " 2>/dev/null; exec \"$0\" \"$@\"");
    }
}
