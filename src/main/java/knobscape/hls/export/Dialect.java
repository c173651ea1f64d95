package knobscape.hls.export;

import java.util.List;

/// The vendor tool that is to read what is exported. Both speak of the same directives; some are spelled
/// differently.
///
/// Vivado HLS after UG902 (v2018.2), Vitis HLS after UG1399 (2020.2 and later): resources became `bind_op` and
/// `bind_storage`, the kind of a partition became `type=`, and loops are pipelined without being asked.
public enum Dialect {
    /// Vivado HLS, version 2018.2 and its neighbours.
    VIVADO_HLS(
            "vivado_hls",
            "Vivado HLS 2018.2",
            "config_array_partition -auto_partition_threshold 0 -auto_promotion_threshold 0"),
    /// Vitis HLS from 2020.2 on.
    VITIS_HLS(
            "vitis_hls",
            "Vitis HLS 2020.2 or later",
            "config_array_partition -complete_threshold 0 -throughput_driven off");

    private final String command;
    private final String words;
    private final String wholeArrays;

    Dialect(String command, String words, String wholeArrays) {
        this.command = command;
        this.words = words;
        this.wholeArrays = wholeArrays;
    }

    /// Name of the tool's program, which takes a script by `-f`.
    public String command() {
        return command;
    }

    /// The tool's name and version for a person.
    public String words() {
        return words;
    }

    /// The commands after which the tool does nothing that no directive asks for.
    ///
    /// @param config whether lines of a configuration file are written in the place of commands
    List<String> onlyAsked(boolean config) {
        if (this == VIVADO_HLS) {
            return List.of(wholeArrays);
        }
        return config
                ? List.of(
                        "syn.array_partition.complete_threshold=0",
                        "syn.array_partition.throughput_driven=off",
                        "syn.compile.pipeline_loops=0")
                : List.of(wholeArrays, "config_compile -pipeline_loops 0");
    }
}
