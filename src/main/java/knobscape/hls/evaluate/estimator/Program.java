package knobscape.hls.evaluate.estimator;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Loop;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;

/// A kernel prepared for estimation: names are numbers, operators are looked up, everything that does not
/// depend on directives is computed. Immutable after [ProgramBuilder] made it.
///
/// @param functions callees before callers, the top last
/// @param loops of all functions
/// @param arrays of the kernel, globals first
/// @param structs array members of each struct that the top takes by address
/// @param slots scalar variables over all functions, `function.variable`
/// @param loopOfSlot loop whose induction variable a slot is, -1 for ordinary variables, -2 for a function's
/// result
/// @param exposed whether some block reads the slot before writing it, so that its last value must survive a
/// block
/// @param assignments ids of the [Step.Assign]s by `scope/variable`, as [Directive.BindOperation] names them
/// @param addressAdders adder of each array's address, by array
/// @param bankDividers by array: the divider of an index, alone and in a pipeline
/// @param buses AXI ports of the top
/// @param library the operators
/// @param assumptions what was assumed about the source, one sentence each
record Program(
        List<Procedure> functions,
        List<Iteration> loops,
        List<Store> arrays,
        List<List<Store>> structs,
        List<String> slots,
        int[] loopOfSlot,
        boolean[] exposed,
        Map<String, List<Integer>> assignments,
        Operator[] addressAdders,
        Operator[][] bankDividers,
        Buses buses,
        OperatorLibrary library,
        List<String> assumptions) {

    /// What an array's accesses wait for, in words.
    String ports(int array) {
        Store store = arrays.get(array);
        return store.onBus()
                ? "AXI port " + buses.ports().get(store.bus()).name()
                : "ports of " + store.source().id();
    }

    /// The top function.
    Procedure top() {
        return functions.getLast();
    }

    /// A function.
    static final class Procedure {
        final int id;
        final String name;
        final boolean explicitInline;
        List<Step> body = List.of();
        int[] loops = {};
        int[] outermost = {};
        int[] arrays = {};
        int returnSlot;
        /// Parameters, and members of them, that it assigns: what it does to variables that it got by reference.
        final Set<Integer> assigned = new LinkedHashSet<>();
        boolean hasLoops;
        /// Functions called, directly or not.
        int[] reaches = {};
        int operations;

        Procedure(int id, String name, boolean explicitInline) {
            this.id = id;
            this.name = name;
            this.explicitInline = explicitInline;
        }
    }

    /// A loop.
    static final class Iteration {
        final int id;
        final Loop source;
        final int function;
        final int parent;
        int slot = -1;
        List<Step> body = List.of();
        /// This loop and the loops below it in the same function, outer first.
        int[] nest = {};
        /// Loops around it in the same function, innermost first.
        int[] around = {};
        int[] children = {};
        /// Functions called from the nest, directly or not.
        int[] reaches = {};
        /// Arrays accessed in the nest of the same function (formal names).
        int[] arrays = {};
        double averageTrip;
        /// Largest trip count, -1 where unknown.
        long maxTrip;
        boolean exactTrip;
        /// Whether the loop's body holds nothing but one loop, apart from values derived from induction
        /// variables.
        boolean perfect;
        /// Carried dependences through arrays that the front end could not express as affine pairs: array to
        /// distance.
        Map<Integer, Long> carried = Map.of();
        int operations;
        /// Arrays that may be written in the nest (formal names).
        int[] writes = {};

        Iteration(int id, Loop source, int function, int parent) {
            this.id = id;
            this.source = source;
            this.function = function;
            this.parent = parent;
        }
    }

    /// An array.
    ///
    /// @param id index
    /// @param source declaration
    /// @param bits width of an element
    /// @param dims sizes, outermost first; an unknown outermost size is 0
    /// @param strides elements between neighbours of each dimension
    /// @param external whether the memory is outside the design (parameter of the top)
    /// @param fifo whether it is a stream
    /// @param rom whether it is only read
    /// @param bus AXI master port behind which it lies, by index among the [Buses]; -1 for none
    /// @param roots arrays that may stand behind a formal parameter; itself where it is none
    record Store(
            int id,
            ArrayVariable source,
            int bits,
            long[] dims,
            long[] strides,
            boolean external,
            boolean fifo,
            boolean rom,
            int bus,
            int[] roots) {
        /// Whether it is reached over an AXI master port.
        boolean onBus() {
            return bus >= 0;
        }
    }

    /// A step of a body.
    sealed interface Step {
        /// Assigns a scalar; `id` counts the assignments of the kernel, -1 for one that its source does not have.
        record Assign(int id, int slot, Value value) implements Step {}

        /// Stores to an array.
        record Write(Reference target, Value value) implements Step {}

        /// A loop.
        record Nested(Iteration loop) implements Step {}

        /// A call for its effect.
        record Call(Invoke invoke) implements Step {}

        /// A branch; `structured` where a loop or a call of a function with loops stands in it.
        record Branch(Value condition, List<Step> then, List<Step> otherwise, boolean structured) implements Step {}

        /// Returns a value from the function.
        record Return(int slot, Value value) implements Step {}
    }

    /// A value.
    sealed interface Value {
        /// Width in bits.
        int bits();

        /// Width that really carries information: a conversion to a wider integer adds none.
        default int usefulBits() {
            return this instanceof Compute c
                            && c.kind() == OperationKind.CONVERT
                            && c.operators()[0].name().equals("wire")
                            && c.operands().length == 1
                    ? Math.min(c.bits(), c.operands()[0].usefulBits())
                    : bits();
        }

        /// A constant.
        record Constant(double value, int bits) implements Value {
            /// One of a type of that many bits, which may need fewer.
            static Constant of(double value, int bits) {
                if (!Double.isFinite(value) || value != Math.rint(value) || Math.abs(value) > 1e15) {
                    return new Constant(value, bits);
                }
                long v = (long) value;
                return new Constant(value, Math.min(bits, 65 - Long.numberOfLeadingZeros(v < 0 ? ~v : v)));
            }
        }

        /// A scalar variable.
        record Scalar(int slot, int bits) implements Value {}

        /// A load.
        record Read(Reference source, int bits) implements Value {}

        /// An operation; `operators` by binding ([Directive.Core] ordinal x 2, + 1 in a pipeline).
        record Compute(OperationKind kind, Operator[] operators, Value[] operands, ScalarType.Kind family, int bits)
                implements Value {}

        /// Unknown.
        record Opaque(int bits) implements Value {}
    }

    /// A call.
    ///
    /// @param callee the function
    /// @param arguments scalar arguments
    /// @param slots slots of the scalar parameters, in the order of the arguments
    /// @param formals array parameters bound here
    /// @param actuals arrays of the caller behind them
    /// @param bits width of the result
    record Invoke(Procedure callee, Value[] arguments, int[] slots, int[] formals, int[] actuals, int bits)
            implements Value {}

    /// An access to an array.
    ///
    /// @param id unique number
    /// @param array formal array
    /// @param affine whether every index is affine
    /// @param loops loops whose variables occur
    /// @param coefficients per dimension and loop, of the variable's value
    /// @param constants per dimension
    /// @param divisors per dimension
    /// @param indices index values, used where not affine
    record Reference(
            int id,
            int array,
            boolean affine,
            int[] loops,
            long[][] coefficients,
            long[] constants,
            long[] divisors,
            Value[] indices) {}
}
