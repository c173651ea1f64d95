package knobscape.work.device;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/// The energy that an NVIDIA GPU has drawn, by NVIDIA's management library (NVML), where it is installed and the GPU
/// counts it (from Volta on). The counter is the whole board's and moves every some ten milliseconds.
@SuppressWarnings("restricted") // NVIDIA's library, or one of a test.
final class EnergyMeter implements AutoCloseable {
    /// The library's names on Linux and Windows.
    static final List<String> LIBRARIES = List.of("libnvidia-ml.so.1", "nvml.dll");

    private static final FunctionDescriptor PLAIN = FunctionDescriptor.of(ValueLayout.JAVA_INT);
    private static final FunctionDescriptor TWO =
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    /// Nanoseconds that runs are repeated for: the counter's step is a small part of it.
    private static final long LONG_ENOUGH = 1_000_000_000;
    /// Nanoseconds after which a counter that has not moved does not count.
    private static final long PATIENCE = 500_000_000;

    private final Arena arena;
    private final MethodHandle total;
    private final MemorySegment device;
    private final MemorySegment millijoules;
    private final LongSupplier clock;

    private EnergyMeter(Arena arena, MethodHandle total, MemorySegment device, LongSupplier clock) {
        this.arena = arena;
        this.total = total;
        this.device = device;
        this.clock = clock;
        millijoules = arena.allocate(ValueLayout.JAVA_LONG);
    }

    /// The meter of a GPU; empty where the library is absent, refuses, or the GPU does not count.
    ///
    /// @param libraries names or paths, of which the first that loads is taken
    /// @param domain of its place on the bus
    /// @param clock nanoseconds
    @SuppressWarnings("MustBeClosedChecker") // The meter closes what it was given.
    static Optional<EnergyMeter> open(List<String> libraries, int domain, int bus, int slot, LongSupplier clock) {
        Arena arena = Arena.ofShared();
        try {
            Optional<SymbolLookup> library = libraries.stream()
                    .flatMap(l -> load(l, arena).stream())
                    .findFirst()
                    .filter(l -> call(l, "nvmlInit_v2", PLAIN));
            if (library.isPresent()) {
                MemorySegment place = arena.allocate(ValueLayout.ADDRESS);
                MemorySegment name =
                        arena.allocateFrom(String.format(Locale.ROOT, "%08X:%02X:%02X.0", domain, bus, slot));
                Optional<MethodHandle> total = function(library.get(), "nvmlDeviceGetTotalEnergyConsumption", TWO);
                if (total.isPresent() && call(library.get(), "nvmlDeviceGetHandleByPciBusId_v2", TWO, name, place)) {
                    var meter = new EnergyMeter(arena, total.get(), place.get(ValueLayout.ADDRESS, 0), clock);
                    if (meter.total().isPresent()) {
                        return Optional.of(meter);
                    }
                }
            }
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
        arena.close();
        return Optional.empty();
    }

    private static Optional<SymbolLookup> load(String library, Arena arena) {
        try {
            return Optional.of(SymbolLookup.libraryLookup(library, arena));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<MethodHandle> function(SymbolLookup library, String name, FunctionDescriptor type) {
        return library.find(name).map(f -> Linker.nativeLinker().downcallHandle(f, type));
    }

    private static boolean call(SymbolLookup library, String name, FunctionDescriptor type, Object... arguments) {
        return function(library, name, type)
                .filter(f -> status(f, arguments) == 0)
                .isPresent();
    }

    private static int status(MethodHandle function, Object... arguments) {
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException("NVML cannot be called", e);
        }
    }

    /// Millijoules since the driver was loaded; empty where the GPU does not count them.
    private OptionalLong total() {
        return status(total, device, millijoules) == 0
                ? OptionalLong.of(millijoules.get(ValueLayout.JAVA_LONG, 0))
                : OptionalLong.empty();
    }

    /// Mean energy of a run in millijoules, from one step of the counter to another about a second later, runs
    /// following
    /// one another; empty where the counter stands still.
    OptionalDouble millijoules(Runnable run) {
        Optional<Step> first = step(run, clock.getAsLong());
        Optional<Step> last = first.flatMap(_ -> step(run, clock.getAsLong() + LONG_ENOUGH));
        return last.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) (last.get().total - first.get().total) / last.get().runs);
    }

    /// A step of the counter.
    ///
    /// @param runs how many ended before it
    private record Step(long total, long runs) {}

    /// Runs until the counter moves, but until a moment at least.
    private Optional<Step> step(Runnable run, long until) {
        long before = total().orElse(0);
        long deadline = until + PATIENCE;
        for (long runs = 1; ; runs++) {
            run.run();
            long now = total().orElse(0);
            long time = clock.getAsLong();
            if (now != before && time - until >= 0) {
                return Optional.of(new Step(now, runs));
            }
            if (time - deadline > 0) {
                return Optional.empty();
            }
            before = now;
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
