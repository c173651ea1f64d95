package knobscape.app.system;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.ObjectName;

/// Gives memory back to the system while nobody uses the window.
///
/// The serial collector enlarges the old part of its heap before it collects it, so that a window in which much was
/// looked at takes many times what is alive in it. A collection of all costs some tenths of a second, which nobody
/// notices as long as there is no input; see `src/docs/decisions/serial-gc.md`.
public final class SpareMemory implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SpareMemory.class.getName());
    private static final long MEGA = 1 << 20;

    /// Below this much of possible garbage a collection is not worth its pause.
    private static final long WORTH_IT = 96 * MEGA;

    private static final long LOOK_SECONDS = 2;
    /// After the start and after a collection: opening a project needs no pauses, and a run few of them.
    private static final long APART_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(4);

    /// How much of the heap may be free after a collection at rest, in percent; Java's own is 70.
    private static final String FREE_AT_REST = "10";
    private static final String FREE = "MaxHeapFreeRatio";
    private static final String LEAST_FREE = "MinHeapFreeRatio";
    private static final String LEAST_FREE_AT_REST = "5";

    private final MemoryPoolMXBean old;
    private final AtomicLong lastInput = new AtomicLong(System.nanoTime());
    /// Only of the clock's thread.
    private long lastCollection = System.nanoTime();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(work -> Thread.ofPlatform()
            .name("spare memory")
            .daemon(true)
            .unstarted(work));

    private SpareMemory(MemoryPoolMXBean old) {
        this.old = old;
        clock.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /// Starts to watch this process.
    ///
    /// @return empty where Java collects in another way than the launchers ask for, as only theirs needs this
    public static Optional<SpareMemory> watched() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findFirst()
                .map(SpareMemory::new);
    }

    /// Somebody moved the pointer or pressed a key. Of any thread, and cheap.
    public void input() {
        lastInput.set(System.nanoTime());
    }

    private void look() {
        long now = System.nanoTime();
        if (now - lastInput.get() >= REST_NANOS
                && now - lastCollection >= APART_NANOS
                && worthCollecting(old.getUsage(), Optional.ofNullable(old.getCollectionUsage()))) {
            giveBack();
            lastCollection = System.nanoTime();
        }
    }

    /// Whether more than half of what lies in the old part of the heap has come since it was last collected.
    static boolean worthCollecting(MemoryUsage now, Optional<MemoryUsage> collected) {
        long alive = collected.map(MemoryUsage::getUsed).orElse(0L);
        return now.getUsed() - alive > Math.max(WORTH_IT, alive);
    }

    /// Collects all, with little of the heap left free. Only this once: a run in the same process shall find its heap
    /// grow as ever.
    private static void giveBack() {
        HotSpotDiagnosticMXBean machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        String least = machine.getVMOption(LEAST_FREE).getValue();
        String most = machine.getVMOption(FREE).getValue();
        machine.setVMOption(LEAST_FREE, LEAST_FREE_AT_REST);
        machine.setVMOption(FREE, FREE_AT_REST);
        try {
            System.gc();
        } finally {
            machine.setVMOption(FREE, most);
            machine.setVMOption(LEAST_FREE, least);
        }
        trimNative();
    }

    /// Of the C library too, which keeps what pictures and native libraries gave back (Linux).
    private static void trimNative() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "systemTrimNativeHeap",
                            new Object[0],
                            new String[0]);
        } catch (JMException e) {
            LOG.log(System.Logger.Level.DEBUG, "native memory is not trimmed here", e);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
