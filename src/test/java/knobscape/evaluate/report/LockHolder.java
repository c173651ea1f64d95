package knobscape.evaluate.report;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A process that holds the lock of a file until its input ends.
public final class LockHolder {
    private LockHolder() {}

    /// @param arguments the file
    public static void main(String[] arguments) throws Exception {
        try (FileChannel channel =
                        FileChannel.open(Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            System.out.println("held " + lock.isValid());
            System.out.flush();
            while (System.in.read() >= 0) {}
        }
    }

    /// Starts one and waits until it holds the lock.
    public static Process start(Path file) throws Exception {
        Process p = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        file.toString()))
                .redirectErrorStream(true)
                .start();
        String line = p.inputReader().readLine();
        if (!"held true".equals(line)) {
            throw new IllegalStateException("the process said " + line);
        }
        return p;
    }
}
