package knobscape.project;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The program as a command that starts it once more.
public final class ThisProgram {
    private ThisProgram() {}

    /// The words of a process with the virtual machine and its options of this one.
    ///
    /// @param options further options of the virtual machine; those of this one that begin like one of them are
    /// left out
    /// @param arguments the words after `knobscape`
    public static List<String> command(List<String> options, List<String> arguments) {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(a -> !a.startsWith("-javaagent")
                        && !a.startsWith("-agentlib")
                        && options.stream().noneMatch(o -> a.startsWith(o.replaceFirst("=.*", ""))))
                .forEach(words::add);
        words.addAll(options);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), "knobscape.app.Launcher"));
        words.addAll(arguments);
        return words;
    }

    /// The words before a command by which it outlives the terminal its parent was started in: `setsid` or
    /// `nohup`, where there is one.
    static List<String> detached() {
        return Stream.of("setsid", "nohup")
                .filter(n -> onPath(n).isPresent())
                .limit(1)
                .toList();
    }

    /// A program of the search path.
    public static Optional<Path> onPath(String name) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
                .filter(f -> !f.isBlank())
                .map(f -> Path.of(f, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
