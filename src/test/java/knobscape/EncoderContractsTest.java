package knobscape;

import java.util.List;
import knobscape.explore.Experience;
import knobscape.gpu.space.feature.LoopFeatures;
import knobscape.gpu.space.feature.ScheduleSizes;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Template;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.CartesianSpace;
import knobscape.space.DesignSpace;
import knobscape.space.Domain;
import knobscape.space.Encoder;
import knobscape.space.EncoderContractTest;
import knobscape.space.FeatureEncoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Nested;

/// Every encoder keeps to the same contract.
class EncoderContractsTest {
    private static final CartesianSpace SPACE = new CartesianSpace(new KnobSet(List.of(
            new Knob("factor", new Domain.Factors(List.of(1, 2, 5, 12))),
            new Knob("rank", new Domain.Factors(List.of(0, 512, 1500))),
            new Knob("toggle", new Domain.Toggle()),
            new Knob("kind", new Domain.Categories(List.of("none", "cyclic", "block"))),
            new Knob("either", new Domain.Categories(List.of("off", "on"))),
            new Knob("tile", new Domain.Categories(List.of("8x1x2", "2x4x2", "-1x2x8"))),
            new Knob("only", new Domain.Factors(List.of(7))))));

    private abstract static class OfKnobs extends EncoderContractTest {
        @Override
        protected DesignSpace space() {
            return SPACE;
        }
    }

    @Nested
    class Unit extends OfKnobs {
        @Override
        protected Encoder encoder() {
            return new FeatureEncoder(SPACE.knobs());
        }

        @Override
        protected boolean isUnit() {
            return true;
        }
    }

    @Nested
    class Numbers extends OfKnobs {
        @Override
        protected Encoder encoder() {
            return FeatureEncoder.numbers(SPACE.knobs());
        }
    }

    @Nested
    class Coordinates extends OfKnobs {
        @Override
        protected Encoder encoder() {
            return FeatureEncoder.coordinates(SPACE.knobs());
        }
    }

    @Nested
    class Common extends OfKnobs {
        @Override
        protected Encoder encoder() {
            return Experience.none(SPACE).features();
        }
    }

    private abstract static class OfLoops extends EncoderContractTest {
        static final Template TEMPLATE = Templates.of(new Workload.Conv2d(
                        ElementType.FLOAT32,
                        1,
                        64,
                        56,
                        56,
                        64,
                        new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                        new Workload.Conv2d.Padding(1, 1, 1, 1),
                        1))
                .getFirst();

        @Override
        protected DesignSpace space() {
            return TEMPLATE.space();
        }

        @Override
        protected double toldApart() {
            return 0.95;
        }
    }

    @Nested
    class LoopByLoop extends OfLoops {
        @Override
        protected Encoder encoder() {
            return new LoopFeatures(TEMPLATE, LoopFeatures.Form.ITERVAR);
        }
    }

    @Nested
    class CommonWithSizes extends OfLoops {
        @Override
        protected Encoder encoder() {
            return Experience.of(TEMPLATE.space(), new ScheduleSizes(TEMPLATE), List.of())
                    .features();
        }
    }

    @Nested
    class Curves extends OfLoops {
        @Override
        protected Encoder encoder() {
            return new LoopFeatures(TEMPLATE, LoopFeatures.Form.CURVE);
        }
    }
}
