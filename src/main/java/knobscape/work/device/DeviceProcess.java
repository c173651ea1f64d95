package knobscape.work.device;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a process that uses a device is started: drivers crash, and kernels never end, so that no device is used by the
/// program itself.
public final class DeviceProcess {
    private static final String POCL_METHOD = "POCL_WORK_GROUP_METHOD";

    private DeviceProcess() {}

    /// The virtual machine's program; it may not be there.
    public static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", File.separatorChar == '\\' ? "java.exe" : "java");
    }

    /// Program and arguments that run the main method of a class of this program.
    ///
    /// @param temporary takes temporary files
    public static List<String> command(Class<?> main, Path temporary, List<String> arguments) {
        var command = new ArrayList<>(List.of(
                java().toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                classPath(),
                main.getName()));
        command.addAll(arguments);
        return command;
    }

    /// This program's, for a process that starts in another folder.
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                .map(p -> Path.of(p).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// The variables of its environment beside this process's own.
    ///
    /// @param temporary takes temporary files
    public static Map<String, String> environment(Path temporary) {
        var environment = new HashMap<String, String>();
        // Every configuration is a kernel of its own: a cache that outlives the run would only grow.
        environment.put("POCL_CACHE_DIR", temporary.toString());
        // The default method of PoCL 3.1 vectorises loops over work items and makes wrong code of some
        // correct kernels (a private array that lives across a barrier in a loop). This one does not
        // vectorise; versions that do not know the name say so and choose by themselves.
        environment.put(POCL_METHOD, System.getenv().getOrDefault(POCL_METHOD, "workitemloops"));
        return environment;
    }
}
