package knobscape.lab.bench;

import java.util.List;
import java.util.Optional;

/// The published figures of layer fusion (DNNFuser, arXiv 2201.11218, Tables 1 to 3), transcribed. Table 2's
/// header lost a label; its columns are read as DNNFuser, Seq2Seq, G-Sampler for both networks, which agrees
/// with Table 1 and the text.
final class FusionTables {
    private FusionTables() {}

    /// A case: a network under a buffer.
    ///
    /// @param table 1, 2 or 3
    record Case(int table, String network, int batch, int megabytes) {}

    /// What was published for a method; NaN where it was N/A or not given.
    record Published(double speedup, double megabytes, double minutes) {
        static final Published NOTHING = new Published(Double.NaN, Double.NaN, Double.NaN);
    }

    private static final double NA = Double.NaN;

    private record Line(String method, double[] figures) {}

    /// Table 1: speedup, MB, minutes at 20 MB and batch 64, then at 40 MB and batch 128.
    private static final List<Line> TABLE_1 = List.of(
            line("pso", NA, 102.76, 69.17, NA, 255.3, 93.28),
            line("cmaes", NA, 186.25, 77.03, NA, 411.04, 91.42),
            line("de", NA, 114, 65.17, NA, 149.32, 104.74),
            line("tbpsa", NA, 153.34, 110.50, NA, 245.66, 106.20),
            line("ga", NA, 139.69, 61.66, NA, 236.03, 151.74),
            line("a2c", 0.98, 2.26, 335.63, NA, 372.51, 293.81),
            line("gsampler", 1.19, 16.46, 0.66, 2.06, 37.73, 1.27),
            line("seq2seq", 1.05, 16.06, 0.01, 1.51, 35.4, 0.01),
            line("dnnfuser", 1.20, 19.27, 0.01, 3.13, 37.73, 0.01));
    private static final int[] BUFFERS_2 = {20, 25, 30, 35, 40, 45};
    /// Table 2: speedups at those buffers.
    private static final List<Line> TABLE_2 = List.of(
            line("vgg16 dnnfuser", 1.20, 1.20, 1.16, 1.88, 1.97, 1.97),
            line("vgg16 seq2seq", 1.04, 1.04, 1.83, 1.85, 1.86, 2.02),
            line("vgg16 gsampler", 1.19, 2.18, 1.86, 2.14, 2.17, 2.30),
            line("resnet18 dnnfuser", 1.27, 1.27, 2.31, 2.31, 2.68, 2.68),
            line("resnet18 seq2seq", 1.32, 1.32, 1.56, 1.56, 1.56, 1.56),
            line("resnet18 gsampler", 1.37, 1.34, 1.51, 1.53, 2.88, 2.95));
    private static final int[] BUFFERS_3 = {25, 35, 45, 55};
    /// Table 3: speedups at those buffers; DNNFuser fine-tuned, DNNFuser trained on the network alone,
    /// G-Sampler.
    private static final List<Line> TABLE_3 = List.of(
            line("resnet50 dnnfuser", 1.31, 1.78, 2.01, 2.55),
            line("resnet50 dnnfuser-direct", 1.17, 1.78, 2.03, 2.03),
            line("resnet50 gsampler", 1.41, 1.94, 2.13, 2.26),
            line("mobilenet_v2 dnnfuser", 1.83, 2.01, 2.66, 2.94),
            line("mobilenet_v2 dnnfuser-direct", 1.68, 1.67, 2.90, NA),
            line("mobilenet_v2 gsampler", 2.27, 2.18, 2.41, 4.32),
            line("mnasnet dnnfuser", 3.34, 3.34, 3.34, 3.46),
            line("mnasnet dnnfuser-direct", NA, 3.34, 3.34, 3.53),
            line("mnasnet gsampler", 3.60, 3.17, 3.82, 4.07));

    private static Line line(String method, double... figures) {
        return new Line(method, figures);
    }

    /// All cases in the order of the tables.
    static List<Case> cases() {
        var all = new java.util.ArrayList<Case>(List.of(new Case(1, "vgg16", 64, 20), new Case(1, "vgg16", 128, 40)));
        for (String network : List.of("vgg16", "resnet18")) {
            for (int mb : BUFFERS_2) {
                all.add(new Case(2, network, 64, mb));
            }
        }
        for (String network : List.of("resnet50", "mobilenet_v2", "mnasnet")) {
            for (int mb : BUFFERS_3) {
                all.add(new Case(3, network, 64, mb));
            }
        }
        return List.copyOf(all);
    }

    /// What was published for a case; the plain G-Sampler stands for the published one too.
    static Published published(Case c, String method) {
        String name =
                method.equals("gsampler-plain") ? "gsampler" : method.equals("dnnfuser-tuned") ? "dnnfuser" : method;
        if (c.table() == 3 && method.equals("dnnfuser")) {
            // The paper's models are fine-tuned there; ours answers for networks it has never seen, too.
            return Published.NOTHING;
        }
        return switch (c.table()) {
            case 1 ->
                find(TABLE_1, name)
                        .map(f -> c.batch() == 64 ? new Published(f[0], f[1], f[2]) : new Published(f[3], f[4], f[5]))
                        .orElse(Published.NOTHING);
            case 2 ->
                find(TABLE_2, c.network() + " " + name)
                        .map(f -> new Published(f[index(BUFFERS_2, c.megabytes())], NA, NA))
                        .orElse(Published.NOTHING);
            default ->
                find(TABLE_3, c.network() + " " + name)
                        .map(f -> new Published(f[index(BUFFERS_3, c.megabytes())], NA, NA))
                        .orElse(Published.NOTHING);
        };
    }

    private static Optional<double[]> find(List<Line> table, String method) {
        return table.stream()
                .filter(l -> l.method().equals(method))
                .map(Line::figures)
                .findFirst();
    }

    private static int index(int[] values, int value) {
        return java.util.stream.IntStream.range(0, values.length)
                .filter(i -> values[i] == value)
                .findFirst()
                .orElseThrow();
    }
}
