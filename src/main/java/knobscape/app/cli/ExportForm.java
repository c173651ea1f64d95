package knobscape.app.cli;

/// What `export` writes.
enum ExportForm {
    TCL,
    PRAGMA,
    CFG,
    VERILOG,
    JSON,
    CSV,
    CUDA,
    OPENCL,
    AUTOTVM,
    TVM,
    HEADER,
    COMMAND,
    TRITON,
    VLLM,
    CACHE,
    T4
}
