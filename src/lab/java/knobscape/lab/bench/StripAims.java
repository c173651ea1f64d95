package knobscape.lab.bench;

import static knobscape.fusion.search.strip.StripNetworks.KIB;
import static knobscape.fusion.search.strip.StripNetworks.MB;
import static knobscape.fusion.search.strip.StripNetworks.MIB;
import static knobscape.fusion.search.strip.StripNetworks.edge;
import static knobscape.fusion.search.strip.StripNetworks.rows;
import static knobscape.fusion.search.strip.StripNetworks.shaped;
import static knobscape.fusion.search.strip.StripNetworks.solve;
import static knobscape.fusion.search.strip.StripNetworks.zoo;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripNetworks;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.StripMachine.Unrolling;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.lab.bench.BenchReport.Aim;

/// The aims of strip fusion: figures that other programs print, speed over every layer alone, bytes off chip, and
/// seconds of each search. The accelerator has 1 024 multiply-accumulates and 8 bytes off chip per cycle, 1 GHz.
final class StripAims {
    private static final double NANO = 1e-9;
    private static final int SIZES = 20;
    private final List<Aim> aims = new ArrayList<>();
    private double slowest;

    private StripAims() {}

    /// All aims, each with what was reached now.
    static List<Aim> all() {
        var a = new StripAims();
        a.peers();
        a.networks();
        a.attention();
        a.aims.add(Aim.atMost("strips: slowest search of these networks, processor seconds", a.slowest, 1));
        a.speed();
        return a.aims;
    }

    private StripAnswer timed(RowGraph graph, long buffer, long batch, Objective objective) {
        long start = processor();
        StripAnswer answer = solve(graph, edge(buffer), batch, objective);
        slowest = Math.max(slowest, (processor() - start) * NANO);
        return answer;
    }

    /// The processor time of this thread: other work on the machine does not count, nor does the compiler.
    private static long processor() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void speed() {
        RowGraph deep = rows(StripNetworks.deepResidual(1_000));
        long start = processor();
        solve(deep, edge(MIB), 64, Objective.TIME);
        aims.add(Aim.atMost(
                "strips: " + deep.layers() + " layers, batch 64, processor seconds", (processor() - start) * NANO, 3));
        start = processor();
        StripSweep.over(
                zoo("resnet50"),
                Accelerator.calibrated().machine(),
                64,
                Objective.TIME,
                StripSweep.Axis.BUFFER,
                IntStream.range(0, SIZES)
                        .mapToObj(i -> (double) Math.round(MB / 2.0 * Math.pow(2, i * 8.0 / (SIZES - 1))))
                        .toList(),
                new CancellationSignal());
        aims.add(Aim.atMost(
                "strips: sweep of ResNet-50 over 20 buffers from 0.5 to 128 MB, batch 64, processor seconds",
                (processor() - start) * NANO,
                3));
    }

    private void traffic(String what, RowGraph graph, long buffer, long batch, double most) {
        aims.add(Aim.atMost(
                "strips: " + what + ", MB off chip",
                timed(graph, buffer, batch, Objective.TRAFFIC).total().offChip() / (double) MB,
                most));
    }

    private void faster(String what, double speedup, double least) {
        aims.add(Aim.atLeast("strips: " + what + ", times faster than every layer alone", speedup, least));
    }

    private void peers() {
        traffic("AccelForge's MobileNet block at 64 KiB", rows(StripNetworks.mobileNetBlock()), 64 * KIB, 1, .05136);
        traffic("three convolutions at 256 KiB", rows(StripNetworks.threeConvolutions()), 256 * KIB, 1, .498944);
        RowGraph products = rows(StripNetworks.products(128, 128, 128, 128));
        aims.add(Aim.atMost(
                "strips: two products at 16 KiB unfused, MB off chip",
                timed(products, 16 * KIB, 1, Objective.TRAFFIC)
                                .unfused()
                                .total()
                                .offChip()
                        / (double) MB,
                .131072));
        traffic("two products at 16 KiB", products, 16 * KIB, 1, .120576);
        RowGraph fsrcnn = rows(StripNetworks.fsrcnn(554, 974));
        traffic("DeFiNES's FSRCNN at 1 MiB", fsrcnn, MIB, 1, 8.849988);
        double cycles = solve(fsrcnn, shaped(MIB, new Unrolling(32, 2, 4, 4)), 1, Objective.TIME)
                        .total()
                        .seconds()
                / NANO;
        aims.add(Aim.atMost("strips: cycles of FSRCNN over those of DeFiNES", cycles / 20.2e6, 1.1));
    }

    private void networks() {
        RowGraph mobile = zoo("mobilenet_v2");
        RowGraph resnet = zoo("resnet50");
        faster(
                "MobileNet-v2 at 256 KiB",
                timed(mobile, 256 * KIB, 1, Objective.TIME).speedup(),
                3.5);
        faster(
                "MobileNet-v2 at 128 KiB",
                timed(mobile, 128 * KIB, 1, Objective.TIME).speedup(),
                3.4);
        traffic("ResNet-50, batch 64, at 1 MB", resnet, MB, 64, 570);
        faster(
                "ResNet-50, batch 64, at 20 MB on 'calibrated'",
                solve(resnet, Accelerator.calibrated().withBuffer(20 * MB).machine(), 64, Objective.TIME)
                        .speedup(),
                6.2);
        traffic(
                "U-Net of 256 x 256, 16 channels, at 1 MiB",
                rows(StripNetworks.unet(256, 16, 4, 1, 2)),
                MIB,
                1,
                .530096);
        traffic("DenseNet-121 at 1 MiB", rows(StripNetworks.denseNet121()), MIB, 1, 8.7);
        traffic("Inception-v3 at 1 MiB", zoo("inception_v3"), MIB, 1, 25.7);
        traffic("SqueezeNet 1.1 at 1 MiB", zoo("squeezenet_v1.1"), MIB, 1, 1.39);
    }

    private void attention() {
        traffic(
                "attention of 32 heads, 2 048 tokens, at 1 MiB",
                rows(StripNetworks.attention(32, 32, 2048, 2048, 128)),
                MIB,
                1,
                33.554432);
        traffic(
                "attention of 32 heads, 8 192 tokens, at 1 MiB",
                rows(StripNetworks.attention(32, 32, 8192, 8192, 128)),
                MIB,
                1,
                365);
    }
}
