package knobscape.lab.bench;

import java.util.List;

/// The published figures of layer fusion (DNNFuser, arXiv 2201.11218, Tables 1 to 3), transcribed in `dnnfuser.csv`.
/// Table 2's header lost a label; its columns are read as DNNFuser, Seq2Seq, G-Sampler for both networks, which agrees
/// with Table 1 and the text. Models of Table 3 are fine-tuned or, as `dnnfuser-direct`, trained on the network alone.
final class FusionTables {
    private static final PublishedTable TABLES = PublishedTable.named("dnnfuser");

    private FusionTables() {}

    /// A case: a network under a buffer.
    ///
    /// @param table 1, 2 or 3
    record Case(int table, String network, int batch, int megabytes) {
        private double figure(String column, String method) {
            return TABLES.figure(column, table, network, batch, megabytes, method);
        }
    }

    /// The published figures of a method; NaN where one was N/A or not given.
    record Figures(double speedup, double megabytes, double minutes) {}

    /// All cases in the order of the tables.
    static List<Case> cases() {
        return TABLES.rows().stream()
                .map(r -> new Case(
                        Integer.parseInt(r.get(0)), r.get(1), Integer.parseInt(r.get(2)), Integer.parseInt(r.get(3))))
                .distinct()
                .toList();
    }

    /// The published figures of a case; the plain G-Sampler stands for the published one too. The paper's models are
    /// fine-tuned in Table 3: ours that is not has no figure there.
    static Figures published(Case c, String method) {
        String name = switch (method) {
            case "gsampler-plain" -> "gsampler";
            case "dnnfuser-tuned", "dnnfuser-published-tuned" -> "dnnfuser";
            case "dnnfuser-published-direct" -> "dnnfuser-direct";
            case "dnnfuser", "dnnfuser-published" -> c.table() == 3 ? "" : "dnnfuser";
            default -> method;
        };
        return new Figures(c.figure("speedup", name), c.figure("peak MB", name), c.figure("minutes", name));
    }
}
