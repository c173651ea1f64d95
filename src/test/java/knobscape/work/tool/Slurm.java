package knobscape.work.tool;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// A real Slurm of one node on this machine, for tests: its own configuration and state, authentication by
/// munge. Skips the test where it is not installed or this is not root.
public final class Slurm implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    /// Most tasks of an array; what is larger is refused as every array is on a cluster that takes none.
    static final int LARGEST_ARRAY = 5;

    private final Path folder;

    private Slurm(Path folder) {
        this.folder = folder;
    }

    /// A port of its own, so that two clusters on one machine do not meet.
    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    public static Slurm start(Path folder) throws Exception {
        Assumptions.assumeTrue(
                program("slurmctld").isPresent()
                        && program("slurmd").isPresent()
                        && program("munged").isPresent(),
                "slurm-wlm and munge are not installed, so Slurm is not tried");
        Assumptions.assumeTrue(System.getProperty("user.name").equals("root"), "a Slurm of one's own needs root");
        Files.createDirectories(folder);
        String host = InetAddress.getLocalHost().getHostName().split("\\.")[0];
        Files.writeString(
                folder.resolve("slurm.conf"), """
                ClusterName=test
                SlurmctldHost=%1$s
                SlurmctldPort=%4$d
                SlurmdPort=%5$d
                AuthType=auth/munge
                SlurmUser=root
                SlurmdUser=root
                StateSaveLocation=%2$s/state
                SlurmdSpoolDir=%2$s/spool
                SlurmctldPidFile=%2$s/ctld.pid
                SlurmdPidFile=%2$s/d.pid
                SlurmctldLogFile=%2$s/ctld.log
                SlurmdLogFile=%2$s/d.log
                ProctrackType=proctrack/linuxproc
                TaskPlugin=task/none
                SchedulerType=sched/backfill
                SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
                KillWait=1
                MaxArraySize=%3$d
                SelectType=select/cons_tres
                SelectTypeParameters=CR_Core
                ReturnToService=2
                JobAcctGatherType=jobacct_gather/none
                AccountingStorageType=accounting_storage/none
                NodeName=%1$s CPUs=2 State=UNKNOWN
                PartitionName=main Nodes=%1$s Default=YES MaxTime=INFINITE State=UP
                """.formatted(host, folder, LARGEST_ARRAY, freePort(), freePort()));
        var slurm = new Slurm(folder);
        if (run(List.of("munge", "-n")) != 0) {
            Files.createDirectories(Path.of("/run/munge"));
            run(List.of("chown", "munge:", "/run/munge"));
            run(List.of(
                    "runuser",
                    "-u",
                    "munge",
                    "--",
                    program("munged").orElseThrow().toString(),
                    "--force"));
        }
        Assumptions.assumeTrue(run(List.of("munge", "-n")) == 0, "munge does not start here");
        slurm.startController();
        slurm.daemon("slurmd");
        Instant end = Instant.now().plus(START);
        while (slurm.ask("sinfo", "-h", "-o", "%t")
                .lines()
                .noneMatch(l -> l.strip().equals("idle"))) {
            Assumptions.assumeTrue(Instant.now().isBefore(end), "Slurm did not come up here");
            Thread.sleep(200);
        }
        return slurm;
    }

    public Path configuration() {
        return folder.resolve("slurm.conf");
    }

    public void startController() throws Exception {
        daemon("slurmctld");
    }

    public void stopController() throws Exception {
        stop("ctld.pid");
    }

    String ask(String... command) throws Exception {
        Path out = Files.createTempFile(folder, "ask", ".txt");
        Process p = builder(List.of(command)).redirectOutput(out.toFile()).start();
        p.waitFor(20, TimeUnit.SECONDS);
        return Files.readString(out);
    }

    private void daemon(String name) throws Exception {
        builder(List.of(program(name).orElseThrow().toString())).start().waitFor(20, TimeUnit.SECONDS);
    }

    private ProcessBuilder builder(List<String> command) {
        var b = new ProcessBuilder(command).redirectErrorStream(true);
        b.environment().put("SLURM_CONF", configuration().toString());
        return b;
    }

    private void stop(String pidFile) throws Exception {
        Path file = folder.resolve(pidFile);
        if (Files.exists(file)) {
            Optional<ProcessHandle> p =
                    ProcessHandle.of(Long.parseLong(Files.readString(file).strip()));
            p.ifPresent(ProcessHandle::destroy);
            p.ifPresent(h -> h.onExit()
                    .orTimeout(10, TimeUnit.SECONDS)
                    .exceptionally(_ -> h)
                    .join());
        }
    }

    private static int run(List<String> command) throws Exception {
        Process p = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return p.waitFor(20, TimeUnit.SECONDS) ? p.exitValue() : 1;
    }

    private static Optional<Path> program(String name) {
        return Stream.of("/usr/sbin", "/usr/bin", "/sbin", "/usr/local/sbin", "/usr/local/bin")
                .map(f -> Path.of(f, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public void close() {
        try {
            ask("scancel", "--user=root");
            stop("d.pid");
            stop("ctld.pid");
        } catch (Exception e) {
            throw new IllegalStateException("Slurm could not be stopped", e);
        }
    }
}
