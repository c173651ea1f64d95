package knobscape.app.cli;

/// What `export` writes.
enum ExportForm {
    TCL,
    PRAGMA,
    CFG,
    JSON,
    CSV,
    CUDA,
    OPENCL,
    AUTOTVM,
    TVM,
    HEADER,
    COMMAND
}
