package knobscape.gpu.evaluate.device;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jcuda.CudaException;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.space.template.Schedule;
import knobscape.work.device.CompileException;
import knobscape.work.device.CudaCompiler;

/// A kernel's resources by the assembler of NVIDIA's GPUs. It runs without a GPU and without a driver.
///
/// @param kernel name of the kernel
/// @param registers registers per thread
/// @param sharedBytes shared memory per block
/// @param stackBytes local memory per thread
/// @param spillStoreBytes bytes of registers written to local memory for want of registers
/// @param spillLoadBytes bytes read back
public record KernelResources(
        String kernel, int registers, int sharedBytes, int stackBytes, int spillStoreBytes, int spillLoadBytes) {
    /// The compute capabilities it can be asked for, lowest first. Toolkits from CUDA 13 on write instructions
    /// that GPUs below 6.1 do not have.
    public static final List<Integer> CAPABILITIES = List.of(50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90);
    /// The newest PTX that the assembler takes.
    private static final int ISA = 80;
    private static final Pattern ENTRY = Pattern.compile("Compiling entry function '([^']+)'");
    private static final Pattern STACK =
            Pattern.compile("(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
    private static final Pattern USED = Pattern.compile("Used (\\d+) registers");
    private static final Pattern SHARED = Pattern.compile("(\\d+) bytes smem");

    /// Why resources cannot be told on this machine, as a sentence; empty where they can.
    public static Optional<String> whyNot() {
        try {
            JNvPTXCompiler.nvPTXCompilerGetVersion(new int[1], new int[1]);
        } catch (LinkageError e) {
            return Optional.of(
                    "The PTX assembler does not load on this system, so registers and spills of kernels cannot be told.");
        }
        return CudaCompiler.find().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "Neither NVRTC nor nvcc is there to make PTX of kernels, so their registers and spills cannot be told; install the CUDA toolkit to see them.");
    }

    /// Resources of every kernel of a schedule, setup first.
    ///
    /// @param capability compute capability, one of [#CAPABILITIES]; 86 stands for 8.6
    /// @throws UserError where this machine cannot tell, or the assembler refuses a kernel
    public static List<KernelResources> of(Schedule schedule, int capability) {
        if (!CAPABILITIES.contains(capability)) {
            throw new UserError(
                    "Resources can be told for compute capabilities " + CAPABILITIES + ", not " + capability + ".");
        }
        whyNot().ifPresent(why -> {
            throw new UserError(why);
        });
        try {
            String ptx = CudaCompiler.find()
                    .orElseThrow()
                    .ptx(KernelPrinter.source(schedule, KernelLanguage.CUDA), List.of(), capability, ISA);
            return parse(assemble(ptx, capability));
        } catch (CompileException e) {
            throw new UserError("The compiler refuses the kernel: " + e.getMessage(), e);
        }
    }

    private static String assemble(String ptx, int capability) {
        JNvPTXCompiler.setExceptionsEnabled(true);
        byte[] text = ptx.getBytes(StandardCharsets.UTF_8);
        byte[] terminated = Arrays.copyOf(text, text.length + 1);
        var handle = new nvPTXCompilerHandle();
        JNvPTXCompiler.nvPTXCompilerCreate(handle, terminated.length, terminated);
        try {
            String[] options = {"--gpu-name=sm_" + capability, "--verbose"};
            JNvPTXCompiler.nvPTXCompilerCompile(handle, options.length, options);
            long[] size = new long[1];
            JNvPTXCompiler.nvPTXCompilerGetInfoLogSize(handle, size);
            byte[] log = new byte[Math.toIntExact(size[0] + 1)];
            JNvPTXCompiler.nvPTXCompilerGetInfoLog(handle, log);
            return new String(log, StandardCharsets.UTF_8).replace("\0", "");
        } catch (CudaException e) {
            throw new CompileException(error(handle).orElse(e.getMessage()));
        } finally {
            JNvPTXCompiler.nvPTXCompilerDestroy(handle);
        }
    }

    private static Optional<String> error(nvPTXCompilerHandle handle) {
        try {
            long[] size = new long[1];
            JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(handle, size);
            byte[] log = new byte[Math.toIntExact(size[0] + 1)];
            JNvPTXCompiler.nvPTXCompilerGetErrorLog(handle, log);
            return Optional.of(new String(log, StandardCharsets.UTF_8)
                            .replace("\0", "")
                            .strip())
                    .filter(s -> !s.isEmpty());
        } catch (CudaException e) {
            return Optional.empty();
        }
    }

    static List<KernelResources> parse(String log) {
        var all = new ArrayList<KernelResources>();
        String kernel = "";
        int[] stack = new int[3];
        for (String line : log.lines().toList()) {
            Matcher entry = ENTRY.matcher(line);
            Matcher frame = STACK.matcher(line);
            Matcher used = USED.matcher(line);
            if (entry.find()) {
                kernel = entry.group(1);
            } else if (frame.find()) {
                stack = new int[] {
                    Integer.parseInt(frame.group(1)), Integer.parseInt(frame.group(2)), Integer.parseInt(frame.group(3))
                };
            } else if (used.find()) {
                Matcher shared = SHARED.matcher(line);
                all.add(new KernelResources(
                        kernel,
                        Integer.parseInt(used.group(1)),
                        shared.find() ? Integer.parseInt(shared.group(1)) : 0,
                        stack[0],
                        stack[1],
                        stack[2]));
            }
        }
        return List.copyOf(all);
    }
}
