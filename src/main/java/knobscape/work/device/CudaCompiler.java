package knobscape.work.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jcuda.CudaException;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcProgram;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;

/// CUDA C to PTX: by NVRTC where its library loads, else by `nvcc` as a process.
public final class CudaCompiler {
    private static final int LONGEST_LOG = 2000;
    private static final int LEAST_OF_NVCC = 75;
    private static final Pattern VERSION = Pattern.compile("(?m)^\\.version (\\d+)\\.(\\d+)");
    private static final Pattern TARGET = Pattern.compile("(?m)^\\.target sm_(\\d+)");

    /// Who compiles.
    private enum Kind {
        /// The library of the toolkit.
        NVRTC,
        /// The program of the toolkit.
        NVCC
    }

    private final Kind kind;
    private final String version;

    private CudaCompiler(Kind kind, String version) {
        this.kind = kind;
        this.version = version;
    }

    /// The folders where CUDA's headers may be; NVRTC, unlike nvcc, does not know them.
    private static final List<String> HEADERS = Stream.concat(
                    Stream.of("CUDA_HOME", "CUDA_PATH").map(System::getenv).filter(Objects::nonNull),
                    Stream.of("/usr/local/cuda", "/usr"))
            .map(f -> f + "/include")
            .filter(f -> Files.isRegularFile(Path.of(f, "mma.h")))
            .toList();

    /// The compiler of this machine, if there is one.
    public static Optional<CudaCompiler> find() {
        try {
            JNvrtc.setExceptionsEnabled(true);
            int[] major = new int[1];
            int[] minor = new int[1];
            JNvrtc.nvrtcVersion(major, minor);
            return Optional.of(new CudaCompiler(Kind.NVRTC, major[0] + "." + minor[0]));
        } catch (LinkageError | CudaException e) {
            return nvcc();
        }
    }

    /// `nvcc` on the PATH, if it runs.
    static Optional<CudaCompiler> nvcc() {
        try {
            Process p = new ProcessBuilder("nvcc", "--version")
                    .redirectErrorStream(true)
                    .start();
            p.getOutputStream().close();
            String text = new String(p.getInputStream().readNBytes(4096), StandardCharsets.UTF_8);
            if (p.waitFor() != 0) {
                return Optional.empty();
            }
            Matcher m = Pattern.compile("release (\\d+\\.\\d+)").matcher(text);
            return Optional.of(new CudaCompiler(Kind.NVCC, m.find() ? m.group(1) : "of unknown version"));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /// A few words: who and which version.
    String words() {
        return (kind == Kind.NVRTC ? "NVRTC " : "nvcc ") + version;
    }

    /// PTX of a source for a compute capability (86 stands for 8.6), of an instruction set version not above
    /// `isa` (80 for 8.0). Throws [CompileException].
    ///
    /// Kernels use instructions that have been there since compute capability 5.0, so newer PTX may call itself
    /// older.
    ///
    /// @param options of the compiler, `-DNAME=value` for a macro
    public String ptx(String source, List<String> options, int capability, int isa) {
        return lower(
                kind == Kind.NVRTC ? byNvrtc(source, options, capability) : byNvcc(source, options, capability),
                capability,
                isa);
    }

    static String lower(String ptx, int capability, int isa) {
        Matcher v = VERSION.matcher(ptx);
        String text = ptx;
        if (v.find() && Integer.parseInt(v.group(1)) * 10 + Integer.parseInt(v.group(2)) > isa) {
            text = v.replaceFirst(".version " + isa / 10 + "." + isa % 10);
        }
        Matcher t = TARGET.matcher(text);
        return t.find() && Integer.parseInt(t.group(1)) > capability
                ? t.replaceFirst(".target sm_" + capability)
                : text;
    }

    private static String byNvrtc(String source, List<String> options, int capability) {
        var program = new nvrtcProgram();
        JNvrtc.nvrtcCreateProgram(program, source, "kernels.cu", 0, null, null);
        try {
            var all = new ArrayList<>(options);
            all.add("--gpu-architecture=compute_" + Math.min(capability, 90));
            HEADERS.stream().map(f -> "-I" + f).forEach(all::add);
            JNvrtc.nvrtcCompileProgram(program, all.size(), all.toArray(String[]::new));
            String[] ptx = new String[1];
            JNvrtc.nvrtcGetPTX(program, ptx);
            return ptx[0];
        } catch (CudaException e) {
            String[] log = new String[1];
            JNvrtc.nvrtcGetProgramLog(program, log);
            String said = log[0] == null || log[0].isBlank() ? UserError.reason(e) : log[0];
            throw new CompileException(
                    HEADERS.isEmpty() && said.contains("mma.h")
                            ? "NVRTC finds no mma.h of CUDA's headers; name the folder of the toolkit in CUDA_HOME"
                            : shortened(said));
        } finally {
            JNvrtc.nvrtcDestroyProgram(program);
        }
    }

    private static String byNvcc(String source, List<String> options, int capability) {
        Path folder;
        try {
            folder = TemporaryFiles.folder("knobscape-nvcc");
        } catch (IOException e) {
            throw new UserError("nvcc cannot be used: " + e.getMessage() + ".", e);
        }
        try {
            Path in = folder.resolve("kernels.cu");
            Path out = folder.resolve("kernels.ptx");
            Files.writeString(in, source);
            String log = run(in, out, options, capability);
            if (!log.isEmpty() && log.contains("nsupported gpu architecture")) {
                log = run(in, out, options, LEAST_OF_NVCC);
            }
            if (!log.isEmpty()) {
                throw new CompileException(shortened(log));
            }
            return Files.readString(out);
        } catch (IOException e) {
            throw new UserError("nvcc cannot be used: " + e.getMessage() + ".", e);
        } finally {
            TemporaryFiles.remove(folder);
        }
    }

    /// The compiler's words where it failed; empty where it did not.
    private static String run(Path in, Path out, List<String> options, int capability) throws IOException {
        var command = new ArrayList<>(List.of("nvcc", "-ptx", "-O3", "-arch=compute_" + capability));
        command.addAll(options);
        command.addAll(List.of(in.toString(), "-o", out.toString()));
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        p.getOutputStream().close();
        String log = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return p.waitFor() == 0 ? "" : log.isBlank() ? "nvcc ended with status " + p.exitValue() : log;
        } catch (InterruptedException e) {
            p.destroyForcibly();
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static String shortened(String log) {
        String text = log.replace("\0", "").strip();
        return text.substring(0, Math.min(text.length(), LONGEST_LOG));
    }
}
