package knobscape.lab.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsTools;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;

/// The designs of HLSDataset's PolyBench kernels (`hlsdataset_polybench`) as directives. A design is named by the
/// lanes of its input and output (every array split cyclically, the read and write loops pipelined and unrolled as
/// often), and by pipelining and unrolling of the loops `lp1`, `lp2`, .. between; so the set's README and the
/// published scripts say. Output ports were FIFOs, for which there is no directive here: they are taken for memories.
final class PolybenchGrid {
    private final Kernel kernel;

    PolybenchGrid(Kernel kernel) {
        this.kernel = kernel;
    }

    /// The kernel's source below a checkout: `NAME/src/NAME.c` or `NAME/NAME.c`, in the folder of HLSDataset's
    /// kernels or right there. Empty where there is none.
    static Optional<Kernel> source(String name, Path sources, HlsTools tools) {
        return Stream.of("fpga_ml_dataset/HLS_dataset/polybench", "HLS_dataset/polybench", "polybench", "")
                .map(sources::resolve)
                .flatMap(f -> Stream.of(f.resolve(name).resolve("src"), f.resolve(name)))
                .map(f -> f.resolve(name + ".c"))
                .filter(Files::isRegularFile)
                .flatMap(f -> read(f, name, tools).stream())
                .filter(k -> k.loop(name + "/lp2").isPresent())
                .findFirst();
    }

    private static Optional<Kernel> read(Path file, String top, HlsTools tools) {
        try {
            return Optional.of(
                    tools.reader().read(file, new KernelReader.Options(Optional.of(top), List.of(), Map.of())));
        } catch (UserError e) {
            // Another suite's file of that name.
            return Optional.empty();
        }
    }

    /// The directives of a row.
    List<Directive> of(Map<String, String> row) {
        var found = new ArrayList<Directive>();
        int lanes = Integer.parseInt(row.getOrDefault("io_factor", "1"));
        boolean both = row.getOrDefault("partition_dims", "1").equals("2");
        for (ArrayVariable a : kernel.arrays()) {
            boolean parameter = a.scope() == ArrayVariable.Scope.PARAMETER;
            if (parameter && !a.name().endsWith("_out")) {
                found.add(new Directive.BindStorage(a.id(), Storage.BRAM_1P));
            }
            if (lanes > 1 && (!parameter || a.dims().size() > 1)) {
                int last = a.dims().size();
                found.add(new Directive.Partition(a.id(), last, PartitionType.CYCLIC, lanes));
                if (both && last > 1 && !parameter) {
                    found.add(new Directive.Partition(a.id(), 1, PartitionType.CYCLIC, lanes));
                }
            }
        }
        kernel.loops().stream()
                .filter(l -> l.label().matches("lp(rd|wr).*"))
                .filter(l -> l.children().isEmpty())
                .forEach(l -> {
                    found.add(new Directive.Pipeline(l.id(), true, 0));
                    if (lanes > 1) {
                        found.add(new Directive.Unroll(l.id(), lanes));
                    }
                });
        row.forEach((column, value) -> {
            String id = kernel.top() + "/" + column.substring(column.indexOf('@') + 1);
            if (kernel.loop(id).isPresent()) {
                if (column.startsWith("pipeline@") && value.equals("on")) {
                    found.add(new Directive.Pipeline(id, true, 0));
                } else if (column.startsWith("unroll@") && !value.equals("1")) {
                    found.add(new Directive.Unroll(id, Integer.parseInt(value)));
                }
            }
        });
        return found;
    }
}
