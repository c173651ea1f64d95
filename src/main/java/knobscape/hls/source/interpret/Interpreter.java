package knobscape.hls.source.interpret;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import knobscape.hls.source.exact.ExactFunction;
import knobscape.hls.source.exact.ExactProgram;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactVariable;

/// Runs the top function of a program. Never hangs and never fails: what goes wrong in the program, or takes
/// more than the limits allow, is told in the outcome.
public final class Interpreter {
    /// Room for the depth of calls that [Limits] allow by default, with deep expressions in each. Only what is used of
    /// it is taken.
    private static final long STACK_BYTES = 256L << 20;

    private Interpreter() {}

    /// Runs `program` once, in a thread of its own with a deep stack; an interruption of this thread is passed on to
    /// it.
    ///
    /// @param arguments for each parameter of the top function the bytes it has in memory; for an address or a
    ///        reference those of what it leads to, which the program may change. A stream has none.
    public static Outcome run(ExactProgram program, List<byte[]> arguments, Limits limits) {
        var outcome = new FutureTask<>(() -> runHere(program, arguments, limits));
        Thread runner = new Thread(null, outcome, "interpreter", STACK_BYTES);
        runner.setDaemon(true);
        runner.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return outcome.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    runner.interrupt();
                } catch (ExecutionException e) {
                    switch (e.getCause()) {
                        case RuntimeException thrown -> throw thrown;
                        case Error thrown -> throw thrown;
                        case null, default -> throw new IllegalStateException("interpreting failed", e.getCause());
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Outcome runHere(ExactProgram program, List<byte[]> arguments, Limits limits) {
        var results = new ArrayList<byte[]>();
        Machine[] machine = new Machine[1];
        Optional<String> stopped = Optional.empty();
        try {
            machine[0] = new Machine(program, limits);
            results.add(execute(machine[0], program, arguments));
        } catch (Stop e) {
            stopped = Optional.of(e.location().map(l -> l + ": the run ").orElse("The run ") + e.getMessage() + ".");
        } catch (StackOverflowError e) {
            stopped = Optional.of("The run nests expressions or calls too deeply.");
        } catch (ArithmeticException e) {
            stopped = Optional.of("The run computes a size beyond 64 bits.");
        }
        byte[] result = results.isEmpty() ? new byte[0] : results.getFirst();
        return machine[0] == null
                ? new Outcome(stopped, result, java.util.Map.of(), 0)
                : new Outcome(stopped, result, machine[0].trips(), machine[0].steps());
    }

    private static byte[] execute(Machine machine, ExactProgram program, List<byte[]> arguments) {
        Machine.Body start = machine.compiled(program.start());
        machine.run(start, new Frame(start.slots()));
        ExactFunction top = program.topFunction();
        Machine.Body body = machine.body(program.top());
        var frame = new Frame(body.slots());
        for (int i = 0; i < top.parameters(); i++) {
            ExactVariable p = top.variables().get(i);
            byte[] bytes = arguments.get(i);
            if (p.type() instanceof ExactType.Pointer t && t.target() instanceof ExactType.Stream) {
                long at = machine.memory.add(new byte[8], p.name());
                machine.memory.store64(at, machine.open());
                frame.variables[i] = at;
            } else if (p.type() instanceof ExactType.Pointer
                    || p.type().isAggregate()
                    || p.type().isWide()) {
                frame.variables[i] = machine.memory.add(bytes, p.name());
            } else {
                long at = machine.memory.add(bytes, p.name());
                frame.variables[i] = switch (p.type().size()) {
                    case 1 ->
                        Conversions.wrap(machine.memory.load8(at), 8, p.type().signed());
                    case 2 ->
                        Conversions.wrap(machine.memory.load16(at), 16, p.type().signed());
                    case 4 ->
                        Conversions.wrap(machine.memory.load32(at), 32, p.type().signed());
                    default -> machine.memory.load64(at);
                };
            }
        }
        machine.run(body, frame);
        return switch (top.result()) {
            case ExactType.Nothing n -> new byte[0];
            case ExactType.Struct s -> machine.returned();
            default -> {
                long at = machine.memory.add(new byte[top.result().size()], "result");
                if (top.result().isWide()) {
                    machine.memory.storeWide(at, frame.wideResult, top.result().size());
                } else {
                    machine.store(at, top.result(), frame.result);
                }
                yield machine.memory.bytes(at, top.result().size());
            }
        };
    }
}
