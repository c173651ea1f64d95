package knobscape.fusion.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import knobscape.fusion.source.Accelerator;
import knobscape.fusion.space.Strategy;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The cost model against figures worked out independently of it.
class CostVectorsTest {
    private static final String DNNFUSER_FIG4 = "42,-1,30,27,-1,30,-1,30,-1,-1,-1,31,-1,36,-1,-1,47,62,35";
    private static final String GSAMPLER_FIG4 = "64,-1,36,-1,64,-1,-1,25,-1,60,43,20,36,42,61,46,1,37,21";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4,-1,-1,-1 | 64000000 | 15052.0 | 0 | 14752 | 0 | 1.000000",
                "4,2,1,-1 | 64000000 | 7854.4 | 1536 | 4512 | 10240 | 1.916378",
                "4,2,-1,-1 | 64000000 | 13613.6 | 1024 | 12704 | 4096 | 1.105659",
                "4,-1,2,-1 | 64000000 | 11565.6 | 1024 | 10656 | 4096 | 1.301446",
                "4,3,3,4 | 64000000 | 7354.4 | 5632 | 4512 | 10240 | 2.046666",
                "4,2,1,-1 | 1000 | 10280.0 | 1536 | 8256 | 10240 | 1.464202"
            })
    void toyNetwork(String strategy, long weights, double nanoseconds, long peak, long off, long on, double speedup) {
        var model = new FusionCostModel(
                FusionSamples.toy(), FusionSamples.toyAccelerator().withWeightCapacity(weights), 4);
        assertThat(model.baselineSeconds()).isCloseTo(15052.0e-9, within(1e-15));
        check(model, strategy, nanoseconds * 1e-9, peak, off, on, speedup);
    }

    @ParameterizedTest
    @CsvSource({
        "vgg16, 64, 1769.936000",
        "vgg16, 128, 3382.156302",
        "resnet18, 64, 377.959271",
        "resnet18, 128, 738.441973",
        "resnet50, 64, 1767.999733",
        "resnet50, 128, 3495.162898",
        "mobilenet_v2, 64, 988.674782",
        "mobilenet_v2, 128, 1960.244276",
        "mnasnet, 64, 821.278240",
        "mnasnet, 128, 1624.479378"
    })
    void baselines(String network, int batch, double microseconds) {
        var model = new FusionCostModel(FusionSamples.zoo(network), Accelerator.calibrated(), batch);
        assertThat(model.baselineSeconds() * 1e6).isCloseTo(microseconds, within(1e-6 * microseconds));
        var tabled = FusionSamples.table(network);
        tabled.ifPresent(t -> assertThat(new FusionCostModel(t, Accelerator.calibrated(), batch).baselineSeconds())
                .isEqualTo(model.baselineSeconds()));
        Assumptions.assumeTrue(
                tabled.isPresent(), "the shared layer tables are not here; the built-in networks were checked");
    }

    @Test
    void baselineOfThePrintedHardware() {
        var model = new FusionCostModel(FusionSamples.zoo("vgg16"), Accelerator.paperLiteral(), 64);
        // The vector has 250 launch cycles; the preset has none: 16 launches of 0.25 us less.
        assertThat(model.baselineSeconds() * 1e6 + 16 * 0.25).isCloseTo(966895.520000, within(1e-6 * 966895.52));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vgg16 | 64 | 64,6,-1^15 | 1363.894208 | 1.297708 | 19267584 | 1178300608 | 411041792",
                "vgg16 | 64 | 64,-1,6,-1^14 | 1518.034880 | 1.165939 | 19267584 | 1332441280 | 256901120",
                "vgg16 | 64 | 64,-1^4,20,-1^11 | 1668.675552 | 1.060683 | 16056320 | 1486581952 | 102760448",
                "vgg16 | 64 | 2^5,-1,8^4,-1,64^5,-1 | 566.811829 | 3.122617 | 19791872 | 282915008 | 1306427392",
                "vgg16 | 64 | 1^16,-1 | 10264.724480 | 0.172429 | 13555712 | 8863721984 | 1441300480",
                "vgg16 | 128 | 3^11,-1,128^4,-1 | 839.845330 | 4.027118 | 39739392 | 183429824 | 2856910848",
                "resnet18 | 64 | " + DNNFUSER_FIG4 + " | 318.916012 | 1.185137 | 11440128 | 267038400 | 107610112",
                "resnet18 | 64 | " + GSAMPLER_FIG4 + " | 277.545330 | 1.361793 | 19715080 | 214052544 | 128483328",
                "resnet18 | 64 | 1^18,-1 | 347.328807 | 1.088189 | 2308096 | 21376704 | 314736640",
                "resnet18 | 64 | 8^18,-1 | 95.328807 | 3.964796 | 18464768 | 21376704 | 314736640",
                "resnet50 | 64 | 4^50,-1 | 413.244601 | 4.278337 | 38434816 | 35200704 | 1544749056",
                "mobilenet_v2 | 64 | 8^53,-1 | 216.710030 | 4.562201 | 53424896 | 13167552 | 864714752",
                "mnasnet | 64 | 8^53,-1 | 200.845008 | 4.089115 | 43653120 | 14042184 | 713183232"
            })
    void realNetworks(
            String network,
            int batch,
            String strategy,
            double microseconds,
            double speedup,
            long peak,
            long off,
            long on) {
        check(
                new FusionCostModel(FusionSamples.zoo(network), Accelerator.calibrated(), batch),
                strategy,
                microseconds * 1e-6,
                peak,
                off,
                on,
                speedup);
    }

    private static void check(
            FusionCostModel model, String text, double seconds, long peak, long off, long on, double speedup) {
        Strategy s = Strategy.parse(text);
        Cost cost = model.evaluate(s);
        assertThat(cost.seconds()).isCloseTo(seconds, within(1e-6 * seconds));
        assertThat(cost.peakBytes()).isEqualTo(peak);
        assertThat(cost.offChipBytes()).isEqualTo(off);
        assertThat(cost.onChipBytes()).isEqualTo(on);
        assertThat(model.speedup(cost.seconds())).isCloseTo(speedup, within(1e-6 * speedup));
        FusionReport report = model.report(s);
        assertThat(report.cost()).isEqualTo(cost);
        assertThat(report.layers().stream()
                        .mapToDouble(FusionReport.Layer::seconds)
                        .sum())
                .isCloseTo(seconds, within(1e-6 * seconds));
        assertThat(report.layers().stream()
                        .mapToLong(l -> l.traffic().offChipBytes())
                        .sum())
                .isEqualTo(off);
        assertThat(report.layers().stream()
                        .mapToLong(l -> l.traffic().onChipBytes())
                        .sum())
                .isEqualTo(on);
        assertThat(report.groups().get(report.peakGroup()).cost().peakBytes()).isEqualTo(peak);
        assertThat(report.groups().stream().mapToDouble(g -> g.cost().seconds()).sum())
                .isCloseTo(seconds, within(1e-6 * seconds));
    }
}
