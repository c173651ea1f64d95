package knobscape.hls.open;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    /// Changes whenever the same design may become other hardware, or other figures of it.
    public static final String VERSION = "7";

    private final DirectiveSpace space;
    private final double clockNs;
    private final Function<List<Directive>, WrittenOutDesign> designs;
    private final HardwareBuilder builder;
    private final HardwareCheck check;
    /// Of rewritten sources, and for other clocks.
    private final Map<Variant, OpenKernel> variants = new ConcurrentHashMap<>();

    private record Variant(DirectiveSpace space, double clockNs) {}

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
        builder = new HardwareBuilder(kernel, () -> designs.apply(space.directives(space.baseline())));
        check = new HardwareCheck(kernel.compiled().orElseThrow(), kernel, builder, cancel);
    }

    /// Hardware that computes what the kernel computes.
    ///
    /// @param design its records
    /// @param run what it did on random inputs
    public record Checked(HardwareDesign design, HardwareCheck.Result run) {}

    /// The builder of a design: this one where source and clock are those of all designs.
    private OpenKernel of(DirectiveSpace.Placed built) {
        double clock = built.clockNs().orElse(clockNs);
        return built.space() == space && clock == clockNs
                ? this
                : variants.computeIfAbsent(
                        new Variant(built.space(), clock),
                        v -> new OpenKernel(v.space(), v.clockNs(), new CancellationSignal()));
    }

    /// Builds a design without running it. Throws [NotBuildable] with a sentence where that is not possible.
    public HardwareDesign build(Configuration configuration) {
        DirectiveSpace.Placed built = space.at(configuration);
        OpenKernel by = of(built);
        if (by != this) {
            return by.build(built.configuration());
        }
        try {
            return builder.build(designs.apply(space.directives(configuration)), clockNs);
        } catch (TooLarge e) {
            throw new NotBuildable(e.getMessage());
        }
    }

    /// Builds a design and runs it, as [#check] does.
    public Checked checked(Configuration configuration, CancellationSignal cancel) {
        return check(configuration, build(configuration), cancel);
    }

    /// Runs a design; the run says where it differs. Throws [NotBuildable] with a sentence where it would run too long.
    ///
    /// @param design what was built of the configuration
    public Checked check(Configuration configuration, HardwareDesign design, CancellationSignal cancel) {
        DirectiveSpace.Placed built = space.at(configuration);
        OpenKernel by = of(built);
        if (by != this) {
            return by.check(built.configuration(), design, cancel);
        }
        cancel.throwIfCancelled();
        return new Checked(design, check.check(design, cancel));
    }

    /// Cycles that the schedule of a design says, without a run of it. Throws [NotBuildable] with a sentence where the
    /// kernel cannot be run.
    ///
    /// @param design what was built of the configuration
    public long scheduled(Configuration configuration, HardwareDesign design) {
        DirectiveSpace.Placed built = space.at(configuration);
        OpenKernel by = of(built);
        return by == this ? check.scheduled(design, 1) : by.scheduled(built.configuration(), design);
    }

    /// Builds the design without directives and runs the kernel once, so that one that cannot be built or checked is
    /// refused before anything is measured. Throws [NotBuildable] with a sentence.
    public void probe() {
        build(space.baseline());
        check.probe();
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
