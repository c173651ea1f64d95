package knobscape.gpu.space.template;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.DeviceLimitCheck;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.space.Configuration;

/// One way to compute a piece of work: what a template or sketch makes of a configuration.
///
/// @param source what made it
/// @param configuration a member of its space
/// @param epilogue what is done to each element of the result
/// @param arguments the buffers in the device's memory, with what they hold
/// @param setup kernels that run once when weights are known and are not timed
/// @param kernels kernels that run one after the other and are timed together
public record Schedule(
        ScheduleSource source,
        Configuration configuration,
        Epilogue epilogue,
        List<Argument> arguments,
        List<LoopNest> setup,
        List<LoopNest> kernels) {
    /// Copies the lists.
    public Schedule {
        arguments = List.copyOf(arguments);
        setup = List.copyOf(setup);
        kernels = List.copyOf(kernels);
    }

    /// The role of a buffer in the device's memory.
    public enum Role {
        /// Activations: NCHW, or the first matrix, row by row.
        DATA,
        /// Weights: KCRS; of a dense layer `N x K` (output features first); the second matrix of a product, row
        /// by row.
        WEIGHT,
        /// The factor of each output channel or column, by which a sum of integers becomes a number.
        SCALE,
        /// One value for each output channel or column.
        BIAS,
        /// A tensor of the output's shape that is added.
        RESIDUAL,
        /// Any other tensor that is read, of a subgraph without names for them.
        INPUT,
        /// The result: NCHW, or a matrix row by row.
        OUTPUT,
        /// Weights in another form, written by the setup.
        PREPARED,
        /// The values that one kernel leaves for the next.
        WORKSPACE;

        /// True if it is given, not computed.
        public boolean isInput() {
            return ordinal() <= INPUT.ordinal();
        }
    }

    /// A buffer with its role.
    ///
    /// @param buffer the buffer
    /// @param role what it holds
    public record Argument(Buffer buffer, Role role) {}

    /// The buffer of a role that occurs once, if it occurs.
    public Optional<Buffer> buffer(Role role) {
        return arguments.stream()
                .filter(a -> a.role() == role)
                .map(Argument::buffer)
                .findFirst();
    }

    /// Every kernel, setup first.
    public List<LoopNest> all() {
        return Stream.concat(setup.stream(), kernels.stream()).toList();
    }

    /// The kernel that stands for the schedule: the first, or the products of a Winograd convolution.
    public LoopNest main() {
        return setup.isEmpty() ? kernels.getFirst() : kernels.get(1);
    }

    /// The first reason why a device cannot run it, as a sentence, if there is one.
    public Optional<String> check(DeviceLimits limits) {
        return source.obstacle(configuration)
                .or(() -> DeviceLimitCheck.check(kernels, limits))
                .or(() -> DeviceLimitCheck.check(setup, limits));
    }
}
