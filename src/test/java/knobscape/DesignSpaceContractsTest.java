package knobscape;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.space.StrategySpace;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.space.operator.Templates;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.KnobKind;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.DesignSpaceContractTest;
import knobscape.space.Diagrams;
import knobscape.space.Domain;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.space.ProductSpace;
import org.junit.jupiter.api.Nested;

/// Every kind of design space keeps to the same contract, those that the areas build included.
class DesignSpaceContractsTest {
    private static KnobSet knobs(String name, int... sizes) {
        return new KnobSet(IntStream.range(0, sizes.length)
                .mapToObj(i -> new Knob(
                        name + i,
                        new Domain.Factors(IntStream.range(0, sizes[i])
                                .map(f -> 1 << f)
                                .boxed()
                                .toList())))
                .toList());
    }

    /// Of three knobs the first two have equal levels.
    private static DesignSpace tied() {
        var diagrams = new Diagrams(4, 4, 3);
        return diagrams.space(
                knobs("t", 4, 4, 3),
                diagrams.relation(new int[] {0, 1}, l -> l[0] == l[1]),
                new int[] {0, 1, 2},
                List.of(new int[] {0, 1}));
    }

    private static DesignSpace directives(String sample, boolean everything) {
        var kernel = Kernels.reader()
                .read(
                        Path.of("sample-projects", sample, sample + ".cpp"),
                        new KernelReader.Options(Optional.of(sample), List.of(), Map.of()));
        return everything
                ? SpaceBuilder.build(kernel, SpaceLimits.defaults(), EnumSet.allOf(KnobKind.class))
                        .space()
                : SpaceBuilder.build(
                                kernel,
                                SpaceLimits.defaults(),
                                DirectiveFile.read(Path.of("sample-projects", sample, "directives.yaml")))
                        .space();
    }

    @Nested
    class Cartesian extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            return new CartesianSpace(knobs("k", 3, 1, 4, 2));
        }
    }

    @Nested
    class OnlyOneMember extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            return new CartesianSpace(new KnobSet(List.of()));
        }
    }

    @Nested
    class LargeCartesian extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            return new CartesianSpace(
                    knobs("k", IntStream.generate(() -> 9).limit(80).toArray()));
        }
    }

    @Nested
    class Diagram extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            return tied();
        }
    }

    @Nested
    class LargeDiagram extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            int[] sizes = IntStream.generate(() -> 8).limit(40).toArray();
            var diagrams = new Diagrams(sizes);
            var even = new BitSet();
            even.set(0);
            even.set(2);
            Diagrams.Diagram set = diagrams.only(3, even);
            for (int i = 0; i + 1 < sizes.length; i += 2) {
                set = set.and(diagrams.relation(new int[] {i, i + 1}, l -> l[0] <= l[1]));
            }
            return diagrams.space(
                    knobs("d", sizes), set, IntStream.range(0, sizes.length).toArray(), List.of());
        }
    }

    @Nested
    class Product extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            DesignSpace free = new CartesianSpace(knobs("p", 3, 2));
            DesignSpace tied = tied();
            return new ProductSpace(
                    new KnobSet(List.of(
                            free.knobs().get(1),
                            tied.knobs().get(0),
                            tied.knobs().get(1),
                            free.knobs().get(0),
                            tied.knobs().get(2))),
                    List.of(tied, free));
        }
    }

    @Nested
    class Finite extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            KnobSet knobs = knobs("f", 3, 4);
            return new FiniteSpace(
                    knobs,
                    List.of(
                            Configuration.of(knobs, 2, 1),
                            Configuration.of(knobs, 0, 0),
                            Configuration.of(knobs, 0, 3)));
        }
    }

    @Nested
    class Schedules extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            return Templates.of(WorkSamples.work().get("direct").getFirst())
                    .getFirst()
                    .space();
        }
    }

    @Nested
    class SmallSchedules extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            return Templates.of(WorkSamples.work().get("dense-small").getFirst())
                    .getFirst()
                    .space();
        }
    }

    @Nested
    class Directives extends DesignSpaceContractTest {
        private final DesignSpace gemm = directives("gemm", false);

        @Override
        protected DesignSpace space() {
            return gemm;
        }
    }

    @Nested
    class AllKindsOfDirectives extends DesignSpaceContractTest {
        private final DesignSpace stencil = directives("stencil3d", true);

        @Override
        protected DesignSpace space() {
            return stencil;
        }
    }

    @Nested
    class Strategies extends DesignSpaceContractTest {
        @Override
        protected DesignSpace space() {
            return StrategySpace.of(FusionSamples.zoo("resnet18"), 64).space();
        }
    }
}
