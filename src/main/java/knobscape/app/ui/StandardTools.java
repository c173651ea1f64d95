package knobscape.app.ui;

import java.util.List;
import java.util.Optional;
import knobscape.explore.RandomExplorer;
import knobscape.hls.directive.DirectiveFile;
import knobscape.hls.directive.SpaceBuilder;
import knobscape.hls.directive.SpaceLimits;
import knobscape.hls.source.cdt.CdtKernelReader;
import knobscape.hls.toolchain.Part;
import knobscape.hls.toolchain.estimator.EstimatorEvaluator;
import knobscape.hls.toolchain.estimator.EstimatorSettings;
import knobscape.project.HlsTools;
import knobscape.project.Method;
import knobscape.project.Methods;
import knobscape.project.Toolchain;
import knobscape.project.Toolchains;

/// The parts that come with the program.
final class StandardTools {
    private StandardTools() {
    }

    static HlsTools make() {
        return new HlsTools(new CdtKernelReader(), (kernel, file, part) -> file.map(f -> SpaceBuilder.build(kernel, SpaceLimits.defaults(), DirectiveFile.read(f)))
                .orElseGet(() -> SpaceBuilder.build(kernel, SpaceLimits.defaults())), (kernel, part) -> "", part -> part(part).name(),
                new Toolchains(List.of(new Toolchain("estimator", "Built-in estimator", "The built-in estimator.",
                        job -> new EstimatorEvaluator(job.space(), EstimatorSettings.defaults().withPart(part(job.kernel().part())).withClockNs(job.kernel().clockNs()).withDelayFactor(job.waitFactor()))))),
                new Methods(List.of(new Method("random", "Random search", "Uniform draws from the pruned space.",
                        p -> new RandomExplorer(p.space(), p.info().top(), p.initialDesigns(), p.seed())))));
    }

    private static Part part(Optional<String> name) {
        return name.map(Part::byName).orElseGet(Part::byDefault);
    }
}
