package knobscape.app.cli;

/// The forms that `export` writes.
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
