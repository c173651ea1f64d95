package knobscape.app.system;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
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
/// notices as long as there is no input; where the heap has doubled, as by opening a project of very many designs, a
/// moment without input is enough. Needs `-XX:-ShrinkHeapInSteps`, which the launchers give; see
/// `src/docs/decisions/serial-gc.md`.
public final class SpareMemory implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SpareMemory.class.getName());
    private static final long MEGA = 1 << 20;

    /// Less than this is not worth a pause.
    private static final long WORTH_IT = 96 * MEGA;

    private static final long LOOK_SECONDS = 2;
    /// After the start and after a collection: opening a project needs no pauses, and a run few of them.
    private static final long APART_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(4);

    /// So much more than there was is a reason not to wait for a rest.
    private static final long MUCH = 192 * MEGA;

    private static final long MUCH_APART_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final long MOMENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// How much of the heap may be free after a collection at rest, in percent; Java's own is 70.
    private static final String FREE_AT_REST = "10";
    private static final String FREE = "MaxHeapFreeRatio";
    private static final String LEAST_FREE = "MinHeapFreeRatio";
    private static final String LEAST_FREE_AT_REST = "5";

    private final AtomicLong lastInput = new AtomicLong(System.nanoTime());
    /// Bytes of the heap after the last collection here, and its time. Only of the clock's thread.
    private long left = Runtime.getRuntime().totalMemory();
    private long lastCollection = System.nanoTime();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            work -> Thread.ofPlatform().name("spare memory").daemon(true).unstarted(work));

    /// Starts to watch this process. Does nothing where Java collects in another way than the launchers ask for: only
    /// theirs needs this.
    public SpareMemory() {
        var _ = clock.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private static boolean isSerial() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .anyMatch(pool -> pool.getName().equals("Tenured Gen"));
    }

    /// Somebody moved the pointer or pressed a key. Of any thread, and cheap.
    public void input() {
        lastInput.set(System.nanoTime());
    }

    private void look() {
        long now = System.nanoTime();
        if (isTime(
                        now - lastInput.get(),
                        now - lastCollection,
                        Runtime.getRuntime().totalMemory(),
                        left)
                // Last, as asking takes a moment that a start does not have.
                && isSerial()) {
            giveBack();
            left = Runtime.getRuntime().totalMemory();
            lastCollection = System.nanoTime();
        }
    }

    /// True if the heap has grown enough since the last time. A heap that somebody asked to be large from the start
    /// does not grow, and is left alone.
    ///
    /// @param quiet nanoseconds since the last input
    /// @param apart nanoseconds since the last collection
    /// @param heap bytes now
    /// @param before bytes after the last collection
    static boolean isTime(long quiet, long apart, long heap, long before) {
        long grown = heap - before;
        boolean atRest = quiet >= REST_NANOS && apart >= APART_NANOS;
        boolean inAMoment = quiet >= MOMENT_NANOS && apart >= MUCH_APART_NANOS;
        return (atRest && grown > Math.max(WORTH_IT, before / 2)) || (inAMoment && grown > Math.max(MUCH, before));
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
