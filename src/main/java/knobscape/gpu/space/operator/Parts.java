package knobscape.gpu.space.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPolicy;
import knobscape.gpu.space.sketch.GraphFormulas;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.network.ElementType;
import knobscape.network.Operator;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// Pieces that several templates share.
final class Parts {
    private Parts() {}

    /// An output axis cut into block, virtual thread, thread and inner part. Output index: `((block v +
    /// vthread) t + thread) i + inner`.
    record Tiled(Axis block, Axis virtual, Axis thread, Axis inner) {
        /// @param name short name of the axis, for example `f`
        /// @param factors [block, virtual, thread, inner]
        /// @param blockExtent extent of the block axis, which may hold more than this axis
        static Tiled of(String name, long[] factors, long blockExtent, Axis.Binding block, Axis.Binding thread) {
            return new Tiled(
                    new Axis("b" + name, blockExtent, block),
                    new Axis("v" + name, factors[1], Axis.Binding.VTHREAD),
                    new Axis("t" + name, factors[2], thread),
                    new Axis(name, factors[3], Axis.Binding.SERIAL));
        }

        /// Elements of the axis that a block makes.
        long size() {
            return virtual.extent() * thread.extent() * inner.extent();
        }

        /// Where the thread's inner part begins in the block's tile.
        IndexExpr threadStart() {
            return IndexExpr.of(virtual).times(thread.extent()).plus(thread).times(inner.extent());
        }

        /// Position in the block's tile.
        IndexExpr inTile() {
            return threadStart().plus(inner);
        }

        /// The same with an inner axis of its own: every loop has its own axis.
        Tiled fresh(String suffix) {
            return new Tiled(block, virtual, thread, new Axis(inner.name() + suffix, inner.extent(), inner.binding()));
        }

        /// First output index of the block, where the block axis holds nothing else.
        IndexExpr start() {
            return IndexExpr.of(block).times(size());
        }
    }

    /// The buffers that every schedule has.
    ///
    /// @param type of the data's elements; 8-bit integers lie four to a word
    record Tensors(
            ElementType type, Buffer data, Buffer weight, Buffer scale, Buffer bias, Buffer residual, Buffer output) {
        static Tensors of(Workload w) {
            return new Tensors(
                    w.type(),
                    factor("data", w.type(), Shapes.data(w)),
                    factor("weight", w.type(), Shapes.weights(w)),
                    global("scale", Shapes.channels(w)),
                    global("bias", Shapes.channels(w)),
                    global("residual", Shapes.output(w)),
                    global("output", Shapes.output(w)));
        }

        private static Buffer factor(String name, ElementType type, long elements) {
            return type.isIntegral()
                    ? new Buffer(name, Buffer.Scope.GLOBAL, elements / 4, Buffer.Format.WORD)
                    : type == ElementType.FLOAT16
                            ? new Buffer(name, Buffer.Scope.GLOBAL, elements, Buffer.Format.HALF)
                            : global(name, elements);
        }

        /// The format of tiles of data and weights, and of sums of their products.
        Buffer.Format format() {
            return data.format();
        }

        /// Words of unsigned bytes become words of signed ones.
        NestValue signed(NestValue word) {
            return type == ElementType.UINT8 ? new NestValue.Unary(NestValue.Function.FLIP, word) : word;
        }

        /// The product of an element of the data and one of the weights.
        NestValue product(IndexExpr dataAt, IndexExpr weightAt) {
            return Parts.product(signed(new NestValue.Load(data, dataAt)), new NestValue.Load(weight, weightAt));
        }

        /// The output, of 8-bit integers where the last step makes them.
        private Buffer result(Epilogue e) {
            return e.quantize()
                    .map(_ -> new Buffer(output.name(), Buffer.Scope.GLOBAL, output.elements(), Buffer.Format.BYTE))
                    .orElse(output);
        }

        /// The epilogue's buffers and the output, in the order of arguments.
        List<Buffer> behind(Epilogue e) {
            return parameters(e).stream().skip(2).toList();
        }

        /// The parameters of a kernel that does all the work.
        List<Buffer> parameters(Epilogue e) {
            return arguments(e).stream().map(Schedule.Argument::buffer).toList();
        }

        /// All buffers in the order of arguments, with roles.
        List<Schedule.Argument> arguments(Epilogue e) {
            var all = new ArrayList<Schedule.Argument>();
            all.add(new Schedule.Argument(data, Schedule.Role.DATA));
            all.add(new Schedule.Argument(weight, Schedule.Role.WEIGHT));
            if (e.hasScale()) {
                all.add(new Schedule.Argument(scale, Schedule.Role.SCALE));
            }
            if (e.hasBias()) {
                all.add(new Schedule.Argument(bias, Schedule.Role.BIAS));
            }
            if (e.hasResidual()) {
                all.add(new Schedule.Argument(residual, Schedule.Role.RESIDUAL));
            }
            all.add(new Schedule.Argument(result(e), Schedule.Role.OUTPUT));
            return all;
        }

        /// The store of a finished element.
        NestStatement.Store finish(Epilogue e, NestValue result, IndexExpr channel, IndexExpr at) {
            return finish(e, result, channel, at, at);
        }

        /// @param at place among the elements in the work's order
        /// @param stored where it is stored
        NestStatement.Store finish(Epilogue e, NestValue result, IndexExpr channel, IndexExpr at, IndexExpr stored) {
            NestValue v = result;
            for (Epilogue.Step step : e.steps()) {
                v = switch (step) {
                    case Epilogue.Rescale _ -> NestValue.multiply(v, new NestValue.Load(scale, channel));
                    case Epilogue.Quantize q ->
                        clamp(new NestValue.Unary(NestValue.Function.RINT, v), new Epilogue.Clamp(q.low(), q.high()));
                    case Epilogue.Bias _ -> NestValue.add(v, new NestValue.Load(bias, channel));
                    case Epilogue.Residual _ -> NestValue.add(v, new NestValue.Load(residual, at));
                    case Epilogue.Clamp c -> clamp(v, c);
                    case Epilogue.Linear l -> function(l.function(), v);
                    case Epilogue.Activation a -> function(a.function(), v);
                };
            }
            return new NestStatement.Store(result(e), stored, v, false);
        }

        private static NestValue function(Operator.Unary u, NestValue element) {
            return GraphFormulas.ofElement(u).value(_ -> element);
        }

        private static NestValue clamp(NestValue v, Epilogue.Clamp c) {
            NestValue low = c.low() == Double.NEGATIVE_INFINITY
                    ? v
                    : new NestValue.Binary(NestValue.Operator.MAX, v, new NestValue.Constant(c.low()));
            return c.high() == Double.POSITIVE_INFINITY
                    ? low
                    : new NestValue.Binary(NestValue.Operator.MIN, low, new NestValue.Constant(c.high()));
        }
    }

    static Buffer global(String name, long elements) {
        return new Buffer(name, Buffer.Scope.GLOBAL, elements);
    }

    static Buffer shared(String name, long elements) {
        return shared(name, elements, Buffer.Format.FLOAT);
    }

    static Buffer shared(String name, long elements, Buffer.Format format) {
        return new Buffer(name, Buffer.Scope.SHARED, elements, format);
    }

    static Buffer local(String name, long elements) {
        return local(name, elements, Buffer.Format.FLOAT);
    }

    static Buffer local(String name, long elements, Buffer.Format format) {
        return new Buffer(name, Buffer.Scope.LOCAL, elements, format);
    }

    /// All threads copy a tile of `length` elements; each copies one contiguous run. The fused index is split
    /// over `threads` outermost first, with a ceiling at each level.
    ///
    /// @param name name of the serial axis
    /// @param value what stands at a position of the tile
    static NestStatement fetchRuns(
            String name, Buffer tile, long length, List<Axis> threads, Function<IndexExpr, NestValue> value) {
        var conditions = new ArrayList<IndexBound>();
        long[] bounds = new long[threads.size()];
        long[] runs = new long[threads.size()];
        long run = length;
        for (int i = 0; i < runs.length; i++) {
            bounds[i] = run;
            run = Math.ceilDiv(run, threads.get(i).extent());
            runs[i] = run;
        }
        Axis serial = new Axis(name, run, Axis.Binding.SERIAL);
        IndexExpr at = IndexExpr.of(serial);
        for (int i = threads.size() - 1; i >= 0; i--) {
            at = IndexExpr.of(threads.get(i)).times(runs[i]).plus(at);
            conditions.add(new IndexBound(at, bounds[i]));
        }
        var store = new NestStatement.Store(tile, at, value.apply(at), false);
        return new NestStatement.Loop(serial, NestStatement.guarded(conditions, List.of(store)));
    }

    /// All threads copy a tile of `length` elements; neighbouring threads copy neighbouring elements. The last
    /// of `threads` is the fastest digit.
    ///
    /// @param offset where in `tile` the copy goes
    static NestStatement fetchInterleaved(
            String name,
            Buffer tile,
            IndexExpr offset,
            long length,
            List<Axis> threads,
            Function<IndexExpr, NestValue> value) {
        return spread(
                name, length, threads, at -> new NestStatement.Store(tile, offset.plus(at), value.apply(at), false));
    }

    /// All threads copy `lines` lines of `step` elements; reads run along the lines, and element k of line l
    /// lands at `k lines + l`, so that threads which later read the same k of neighbouring lines read
    /// neighbouring elements.
    ///
    /// @param offset where in `tile` the copy goes
    /// @param value what stands at a line and position
    static NestStatement fetchTurned(
            String name,
            Buffer tile,
            IndexExpr offset,
            long lines,
            long step,
            List<Axis> threads,
            BiFunction<IndexExpr, IndexExpr, NestValue> value) {
        return spread(name, lines * step, threads, at -> {
            IndexExpr line = at.dividedBy(step);
            IndexExpr k = at.modulo(step);
            return new NestStatement.Store(tile, offset.plus(k.times(lines)).plus(line), value.apply(line, k), false);
        });
    }

    /// All threads share `length` statements, neighbours doing neighbouring ones.
    static NestStatement spread(
            String name, long length, List<Axis> threads, Function<IndexExpr, NestStatement> statement) {
        long all = threads.stream().mapToLong(Axis::extent).reduce(1, Math::multiplyExact);
        Axis serial = new Axis(name, Math.ceilDiv(length, all), Axis.Binding.SERIAL);
        IndexExpr at = IndexExpr.of(serial);
        for (Axis t : threads) {
            at = at.times(t.extent()).plus(t);
        }
        return new NestStatement.Loop(
                serial, NestStatement.guarded(List.of(new IndexBound(at, length)), List.of(statement.apply(at))));
    }

    /// A thread copies a part of a tile into a buffer of its own, which lies as `axes` run.
    static NestStatement take(Buffer own, List<Axis> axes, Buffer tile, IndexExpr at) {
        return NestStatement.nested(
                axes, List.of(new NestStatement.Store(own, flat(axes), new NestValue.Load(tile, at), false)));
    }

    /// Products are summed in a buffer that lies as `written` run.
    ///
    /// @param axes every loop of the sum
    static NestStatement multiplyAdd(
            List<Axis> axes,
            Buffer sum,
            List<Axis> written,
            Buffer left,
            IndexExpr leftAt,
            Buffer right,
            IndexExpr rightAt) {
        return NestStatement.nested(
                axes,
                List.of(new NestStatement.Store(
                        sum,
                        flat(written),
                        product(new NestValue.Load(left, leftAt), new NestValue.Load(right, rightAt)),
                        true)));
    }

    /// The product of two values; of two words of bytes the sum of four.
    private static NestValue product(NestValue left, NestValue.Load right) {
        return right.buffer().format() == Buffer.Format.WORD
                ? new NestValue.Binary(NestValue.Operator.DOT, left, right)
                : NestValue.multiply(left, right);
    }

    /// Row-major position over axes, the last one fastest.
    static IndexExpr flat(List<Axis> axes) {
        IndexExpr at = IndexExpr.ZERO;
        for (Axis a : axes) {
            at = at.times(a.extent()).plus(a);
        }
        return at;
    }

    /// Zeros in a local buffer.
    static NestStatement clear(Buffer buffer, List<Axis> axes) {
        return NestStatement.nested(
                axes, List.of(new NestStatement.Store(buffer, flat(axes), new NestValue.Constant(0), false)));
    }

    /// The policy of a template's two unrolling knobs.
    static UnrollPolicy policy(ScheduleSpace space, Configuration c) {
        return new UnrollPolicy(space.option(c, "auto_unroll_max_step"), space.option(c, "unroll_explicit") == 1);
    }

    /// An element of the input of a convolution, 0 in the padding.
    ///
    /// @param plane image and channel, fused
    /// @param row row with the padding's offset taken off; may be outside
    /// @param column the same for the column
    static NestValue padded(Workload.Conv2d c, Buffer data, IndexExpr plane, IndexExpr row, IndexExpr column) {
        IndexExpr at = plane.times(c.height()).plus(row).times(c.width()).plus(column);
        var load = new NestValue.Load(
                data, at, List.of(new IndexBound(row, c.height()), new IndexBound(column, c.width())));
        int fill = c.padding().fill();
        return fill == 0 || load.conditions().isEmpty()
                ? load
                : new NestValue.Select(
                        load.conditions(),
                        new NestValue.Load(data, at),
                        new NestValue.Unary(NestValue.Function.SPREAD, new NestValue.Constant(fill)));
    }
}
