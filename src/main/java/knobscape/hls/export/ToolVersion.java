package knobscape.hls.export;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A version of the vendor's HLS tool (`2018.2`, `2024.1`), and what it does where no directive says anything.
///
/// Vivado HLS after UG902 (v2018.2, v2019.2), Vitis HLS after UG1391 and UG1399 (2020.2: `config_array_partition` with
/// the thresholds of Vivado HLS; 2021.1 to 2025.2: `config_compile`, `config_array_partition`, *Automatic Loop
/// Pipelining*, `set_directive_dependence`).
///
/// @param year of the version
/// @param release in the year, from 1
public record ToolVersion(int year, int release) {
    /// The form that the text of a version must have.
    static final String MUST =
            "a version of the tool like 2018.2 or 2024.1 (up to 2019.2 Vivado HLS, from 2020.1 on Vitis HLS)";

    private static final Pattern TEXT = Pattern.compile("(20[12]\\d)\\.([1-4])");
    private static final int FIRST_YEAR = 2015;
    private static final int FIRST_VITIS = 2020;
    private static final int SMALL = 4;
    private static final int PIPELINED = 64;

    /// Reads `2022.1`. Throws [IllegalArgumentException] where it is none.
    public static ToolVersion of(String text) {
        Matcher m = TEXT.matcher(text.strip());
        if (!m.matches() || Integer.parseInt(m.group(1)) < FIRST_YEAR) {
            throw new IllegalArgumentException(MUST);
        }
        return new ToolVersion(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)));
    }

    /// Whose version it is.
    public Dialect dialect() {
        return year >= FIRST_VITIS ? Dialect.VITIS_HLS : Dialect.VIVADO_HLS;
    }

    /// Iterations up to which a loop is written out so that the loop around it is pipelined without a directive;
    /// longer innermost loops are pipelined themselves. 0 where no loop is pipelined without a directive.
    public int pipelineLoops() {
        return dialect() == Dialect.VITIS_HLS ? PIPELINED : 0;
    }

    /// True if local arrays are partitioned without a directive where a pipeline needs it.
    public boolean partitions() {
        return dialect() == Dialect.VITIS_HLS;
    }

    /// True if a DEPENDENCE pragma that says neither true nor false asserts the dependence; from 2022.2 on it takes it
    /// away, with a warning.
    public boolean assertsDependence() {
        return year < 2022 || (year == 2022 && release < 2);
    }

    /// The commands that leave this to the tool, said in full.
    ///
    /// @param config whether lines of a configuration file are written in the place of commands
    List<String> commands(boolean config) {
        var all = new ArrayList<String>();
        boolean thresholds = year <= FIRST_VITIS;
        if (config) {
            all.add("syn.array_partition.complete_threshold=" + SMALL);
            all.add("syn.array_partition.throughput_driven=auto");
        } else {
            all.add(
                    thresholds
                            ? "config_array_partition -auto_partition_threshold " + SMALL
                                    + " -auto_promotion_threshold " + PIPELINED
                            : "config_array_partition -complete_threshold " + SMALL + " -throughput_driven auto");
        }
        if (pipelineLoops() > 0) {
            all.add(
                    config
                            ? "syn.compile.pipeline_loops=" + pipelineLoops()
                            : "config_compile -pipeline_loops " + pipelineLoops());
        }
        return all;
    }

    @Override
    public String toString() {
        return year + "." + release;
    }
}
