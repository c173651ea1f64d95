package knobscape.hls.open;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.estimator.CompiledKernel;
import knobscape.hls.evaluate.estimator.TooLarge;
import knobscape.hls.evaluate.estimator.WrittenOutDesign;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.build.HardwareBuilder;
import knobscape.hls.rtl.build.HardwareCheck;
import knobscape.hls.rtl.build.HardwareDesign;
import knobscape.hls.rtl.build.NotBuildable;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.space.Configuration;

/// Hardware of a kernel's designs, each run against the kernel. Thread-safe.
public final class OpenKernel {
    /// Changes whenever the same design may become other hardware.
    public static final String VERSION = "1";
    /// Cycles that are simulated at most.
    private static final long MOST_CYCLES = 30_000_000;
    /// Seed of the inputs of the run.
    private static final long SEED = 1;

    private final DirectiveSpace space;
    private final double clockNs;
    private final Function<List<Directive>, WrittenOutDesign> designs;
    private final HardwareCheck check;

    /// Compiles the kernel. Throws [NotBuildable] with a sentence where it cannot be run.
    ///
    /// @param clockNs period to build for
    public OpenKernel(DirectiveSpace space, double clockNs, CancellationSignal cancel) {
        this.space = space;
        this.clockNs = clockNs;
        Kernel kernel = space.kernel();
        designs = CompiledKernel.of(
                        kernel, name -> space.space().knobs().indexOf(name).isPresent(), cancel)
                .writtenOut(kernel, cancel);
        check = new HardwareCheck(kernel.compiled().orElseThrow(), kernel, cancel);
    }

    /// Hardware that computes what the kernel computes.
    ///
    /// @param design its records
    /// @param run what it did on random inputs
    public record Checked(HardwareDesign design, HardwareCheck.Result run) {}

    /// Builds a design without running it. Throws [NotBuildable] with a sentence where that is not possible.
    public HardwareDesign build(Configuration configuration) {
        try {
            return new HardwareBuilder(space.kernel()).build(designs.apply(space.directives(configuration)), clockNs);
        } catch (TooLarge e) {
            throw new NotBuildable(e.getMessage());
        }
    }

    /// Builds a design and runs it once; the run says where it differs. Throws [NotBuildable] with a sentence where it
    /// cannot be built or would run too long.
    public Checked checked(Configuration configuration, CancellationSignal cancel) {
        HardwareDesign d = build(configuration);
        cancel.throwIfCancelled();
        long cycles = check.scheduled(d, SEED);
        if (cycles > MOST_CYCLES) {
            throw new NotBuildable("the design takes " + cycles + " cycles, too many to be run for its check (at most "
                    + MOST_CYCLES + "); make the kernel's loops shorter");
        }
        cancel.throwIfCancelled();
        HardwareCheck.Result r = check.check(d, SEED, 2 * cycles + 1000, cancel);
        return new Checked(
                d,
                r.difference().isEmpty() && r.cycles() != cycles
                        ? new HardwareCheck.Result(
                                Optional.of("it takes " + r.cycles() + " cycles where the schedule says " + cycles),
                                r.cycles(),
                                r.vectors())
                        : r);
    }

    /// Name of the module that a kernel becomes.
    static String moduleName(Kernel kernel) {
        return HardwareBuilder.moduleName(kernel);
    }

    /// Bits of all registers of a module and of those inside.
    static long registers(RtlModule m) {
        return m.registers().stream().mapToLong(RtlModule.Register::width).sum()
                + m.instances().stream().mapToLong(i -> registers(i.module())).sum();
    }
}
