package knobscape.gpu.codegen;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPlan;
import knobscape.gpu.space.template.Schedule;

/// Writes loop nests as source text. Virtual threads become loops around each statement that depends on them,
/// always unrolled; copies of neighbouring elements become one access of two or four words where they begin at a
/// multiple of as many ([VectorCopy]); other loops are unrolled as the [UnrollPlan] says.
public final class KernelPrinter {
    private final LoopNest nest;
    private final KernelLanguage dialect;
    private final UnrollPlan plan;
    private final StringBuilder text = new StringBuilder();

    /// The source of every kernel of a schedule, setup first, as one file.
    public static String source(Schedule schedule, KernelLanguage dialect) {
        return schedule.all().stream().map(k -> source(k, dialect)).collect(Collectors.joining("\n"));
    }

    /// The source of one kernel.
    public static String source(LoopNest nest, KernelLanguage dialect) {
        var printer = new KernelPrinter(nest, dialect);
        printer.print();
        return printer.text.toString();
    }

    private KernelPrinter(LoopNest nest, KernelLanguage dialect) {
        this.nest = nest;
        this.dialect = dialect;
        this.plan = UnrollPlan.of(nest);
    }

    private void print() {
        Set<Buffer> written = new HashSet<>();
        nest.accesses().stream().filter(a -> a.write()).forEach(a -> written.add(a.buffer()));
        if (nest.hasFragments()) {
            text.append(dialect.fragments());
        } else if (Stream.concat(nest.parameters().stream(), nest.allocations().stream())
                .anyMatch(b -> b.format() != Buffer.Format.FLOAT)) {
            text.append(dialect.words());
        }
        long[] grid = nest.grid();
        long[] block = nest.block();
        line(
                0,
                "// grid %d x %d x %d, block %d x %d x %d, %d bytes shared"
                        .formatted(grid[0], grid[1], grid[2], block[0], block[1], block[2], nest.sharedBytes()));
        text.append(dialect.head(nest.name(), block[0], block[1], block[2]))
                .append('(')
                .append(nest.parameters().stream()
                        .map(b -> dialect.parameter(b, written.contains(b)))
                        .collect(Collectors.joining(", ")))
                .append(") {\n");
        for (Buffer b : nest.allocations()) {
            if (b.scope() == Buffer.Scope.SHARED) {
                line(1, dialect.shared(b.format(), nest.hasFragments()) + " " + b.name() + "[" + b.elements() + "];");
            } else {
                line(1, b.format().c() + " " + b.name() + "[" + nest.floatsPerThread(b) + "];");
            }
        }
        for (Axis a : nest.axes()) {
            if ((a.binding().isBlock() || a.binding().isThread()) && a.extent() > 1) {
                line(1, "const int " + a.name() + " = " + digit(a) + ";");
            }
        }
        print(List.of(nest.body()), 1, List.of(), List.of());
        text.append("}\n");
    }

    /// The index of an axis bound to a dimension, which it may share with others.
    private String digit(Axis a) {
        long step = nest.digit(a);
        return dialect.index(a.binding())
                + (step > 1 ? " / " + step : "")
                + (step * a.extent() < nest.extent(a.binding()) ? " % " + a.extent() : "");
    }

    private void line(int depth, String s) {
        text.append("  ".repeat(depth)).append(s).append('\n');
    }

    /// A loop variable that has become a constant.
    private record Fixed(Axis axis, long value) {}

    /// @param pending conditions around the statements that depend on virtual threads: they are tested at each
    /// store
    private void print(List<NestStatement> body, int depth, List<Fixed> fixed, List<IndexBound> pending) {
        for (NestStatement s : body) {
            switch (s) {
                case NestStatement.Loop l -> loop(l, depth, fixed, pending);
                case NestStatement.Pragma p -> print(p.body(), depth, fixed, pending);
                case NestStatement.Barrier _ -> line(depth, dialect.barrier());
                case NestStatement.Guard g -> guard(g, depth, fixed, pending);
                case NestStatement.Store store -> store(store, depth, fixed, pending);
                case NestStatement.Fragment f -> line(depth, fragment(f, fixed));
            }
        }
    }

    private void loop(NestStatement.Loop l, int depth, List<Fixed> fixed, List<IndexBound> pending) {
        Axis a = l.axis();
        boolean runs = !a.binding().isBlock() && !a.binding().isThread() && a.binding() != Binding.VTHREAD;
        if (!runs || a.extent() == 1) {
            print(l.body(), depth, fixed, pending);
        } else if (pending.isEmpty() && vector(l, depth, fixed)) {
            return;
        } else if (plan.isWrittenOut(a)) {
            for (long i = 0; i < a.extent(); i++) {
                var more = new ArrayList<>(fixed);
                more.add(new Fixed(a, i));
                print(l.body(), depth, more, pending);
            }
        } else {
            if (plan.isUnrolled(a)) {
                line(depth, "#pragma unroll");
            }
            line(depth, head(a) + " {");
            print(l.body(), depth + 1, fixed, pending);
            line(depth, "}");
        }
    }

    /// Writes a loop as one access of several words, where it is one; whether it was.
    private boolean vector(NestStatement.Loop l, int depth, List<Fixed> fixed) {
        Optional<VectorCopy> copy = VectorCopy.of(l, e -> fix(e, fixed))
                // What is repeated for virtual threads has a loop around it.
                .filter(c -> nest.axes().stream()
                        .noneMatch(a -> a.binding() == Binding.VTHREAD
                                && a.extent() > 1
                                && (c.at().uses(a)
                                        || c.first().uses(a)
                                        || c.conditions().stream()
                                                .anyMatch(x -> x.index().uses(a)))))
                .filter(c -> nest.virtualAxes(c.to()).isEmpty()
                        && nest.virtualAxes(c.from()).isEmpty());
        copy.ifPresent(c -> {
            String test = conditions(c.conditions());
            line(
                    depth,
                    (test.isEmpty() ? "" : "if (" + test + ") ")
                            + dialect.copy(
                                    c.lanes() * c.to().format().bytes() / Buffer.ELEMENT_BYTES,
                                    c.to().name() + "[" + index(c.at()) + "]",
                                    c.from().name() + "[" + index(c.first()) + "]",
                                    conditions(c.present())));
        });
        return copy.isPresent();
    }

    private static String head(Axis a) {
        return "for (int " + a.name() + " = 0; " + a.name() + " < " + a.extent() + "; ++" + a.name() + ")";
    }

    private void guard(NestStatement.Guard g, int depth, List<Fixed> fixed, List<IndexBound> pending) {
        var here = new ArrayList<IndexBound>();
        var later = new ArrayList<>(pending);
        for (IndexBound c : g.conditions()) {
            boolean virtual = nest.axes().stream()
                    .anyMatch(a -> a.binding() == Binding.VTHREAD
                            && a.extent() > 1
                            && c.index().uses(a));
            (virtual ? later : here).add(c);
        }
        String test = conditions(here, fixed);
        if (test.isEmpty()) {
            print(g.body(), depth, fixed, later);
        } else {
            line(depth, "if (" + test + ") {");
            print(g.body(), depth + 1, fixed, later);
            line(depth, "}");
        }
    }

    private String fragment(NestStatement.Fragment f, List<Fixed> fixed) {
        String to = element(f.to().buffer(), f.to().index(), fixed);
        String from = f.from().stream()
                .map(p -> element(p.buffer(), p.index(), fixed))
                .collect(Collectors.joining(", "));
        return switch (f.action()) {
            case CLEAR -> "nvcuda::wmma::fill_fragment(" + to + ", 0.0f);";
            case LOAD -> "nvcuda::wmma::load_matrix_sync(" + to + ", &" + from + ", " + f.pitch() + ");";
            case MULTIPLY -> "nvcuda::wmma::mma_sync(" + to + ", " + from + ", " + to + ");";
            case STORE ->
                "nvcuda::wmma::store_matrix_sync(&" + to + ", " + from + ", " + f.pitch()
                        + ", nvcuda::wmma::mem_row_major);";
        };
    }

    private void store(NestStatement.Store store, int depth, List<Fixed> fixed, List<IndexBound> pending) {
        int at = depth;
        for (Axis v : nest.virtualAxes(store, pending)) {
            line(at, "#pragma unroll");
            line(at++, head(v));
        }
        String test = conditions(pending, fixed);
        String target = element(store.buffer(), store.index(), fixed);
        String what;
        if (store.accumulate()
                && store.value() instanceof NestValue.Binary(var o, var left, var right)
                && o == NestValue.Operator.DOT) {
            what = " = ks_dot(" + value(left, fixed, true) + ", " + value(right, fixed, true) + ", " + target + ")";
        } else {
            String value = value(store.value(), fixed, true);
            what = (store.accumulate() ? " += " : " = ")
                    + (store.buffer().format() == Buffer.Format.BYTE
                            ? "(" + Buffer.Format.BYTE.c() + ")(int)(" + value + ")"
                            : value);
        }
        line(at, (test.isEmpty() ? "" : "if (" + test + ") ") + target + what + ";");
    }

    private String element(Buffer buffer, IndexExpr index, List<Fixed> fixed) {
        IndexExpr copy = IndexExpr.ZERO;
        for (Axis v : nest.virtualAxes(buffer)) {
            copy = copy.times(v.extent()).plus(v);
        }
        return buffer.name() + "[" + index(fix(copy.times(buffer.elements()).plus(index), fixed)) + "]";
    }

    private static IndexExpr fix(IndexExpr index, List<Fixed> fixed) {
        IndexExpr e = index;
        for (Fixed f : fixed) {
            e = e.with(f.axis(), f.value());
        }
        return e;
    }

    private String value(NestValue v, List<Fixed> fixed, boolean outermost) {
        return switch (v) {
            case NestValue.Load l -> {
                String test = conditions(l.conditions(), fixed);
                yield test.isEmpty()
                        ? element(l.buffer(), l.index(), fixed)
                        : "(" + test + " ? " + element(l.buffer(), l.index(), fixed) + " : "
                                + zero(l.buffer().format()) + ")";
            }
            case NestValue.Constant c -> constant(c.value());
            case NestValue.Unary u ->
                (u.function().isOfWords()
                                ? "ks_" + u.function().cName()
                                : dialect.function(u.function().cName())) + "(" + value(u.of(), fixed, true) + ")";
            case NestValue.Select s -> {
                String test = conditions(s.conditions(), fixed);
                yield test.isEmpty()
                        ? value(s.then(), fixed, outermost)
                        : "(" + test + " ? " + value(s.then(), fixed, true) + " : " + value(s.otherwise(), fixed, true)
                                + ")";
            }
            case NestValue.Binary b ->
                switch (b.operator()) {
                    case ADD ->
                        parenthesised(value(b.left(), fixed, true) + " + " + value(b.right(), fixed, false), outermost);
                    case SUBTRACT ->
                        parenthesised(value(b.left(), fixed, true) + " - " + value(b.right(), fixed, false), outermost);
                    case MULTIPLY -> value(b.left(), fixed, false) + " * " + value(b.right(), fixed, false);
                    case DIVIDE ->
                        parenthesised(
                                value(b.left(), fixed, false) + " / " + value(b.right(), fixed, false), outermost);
                    case POWER -> call("pow", b, fixed);
                    case MAX -> call("fmax", b, fixed);
                    case MIN -> call("fmin", b, fixed);
                    case DOT ->
                        "ks_dot(" + value(b.left(), fixed, true) + ", " + value(b.right(), fixed, true) + ", 0)";
                };
        };
    }

    private static String zero(Buffer.Format format) {
        return switch (format) {
            case FLOAT -> "0.0f";
            case HALF -> "__float2half(0.0f)";
            default -> "0";
        };
    }

    private String call(String function, NestValue.Binary b, List<Fixed> fixed) {
        return dialect.function(function) + "(" + value(b.left(), fixed, true) + ", " + value(b.right(), fixed, true)
                + ")";
    }

    private static String parenthesised(String s, boolean outermost) {
        return outermost ? s : "(" + s + ")";
    }

    /// The float nearest to a number, in parentheses where it is negative.
    static String constant(double value) {
        String s = Float.toString((float) value) + "f";
        return value < 0 ? "(" + s + ")" : s;
    }

    /// Conditions as C has them, joined; empty where all hold always.
    public static String conditions(List<IndexBound> conditions) {
        return conditions(conditions, List.of());
    }

    private static String conditions(List<IndexBound> conditions, List<Fixed> fixed) {
        var tests = new ArrayList<String>();
        for (IndexBound c : conditions) {
            IndexExpr e = fix(c.index(), fixed);
            if (e.min() < 0) {
                tests.add("0 <= " + index(e));
            }
            if (e.max() >= c.limit()) {
                tests.add(index(e) + " < " + c.limit());
            }
        }
        return String.join(" && ", tests);
    }

    /// An index as C has it.
    public static String index(IndexExpr e) {
        var b = new StringBuilder();
        for (IndexExpr.Term t : e.terms()) {
            long factor = t.factor();
            b.append(b.isEmpty() ? factor < 0 ? "-" : "" : factor < 0 ? " - " : " + ");
            b.append(
                    switch (t.atom()) {
                        case Axis a -> a.name();
                        case IndexExpr.Division d -> d.text(index(d.of()));
                    });
            if (Math.abs(factor) != 1) {
                b.append(" * ").append(Math.abs(factor));
            }
        }
        if (b.isEmpty()) {
            return String.valueOf(e.constant());
        }
        if (e.constant() != 0) {
            b.append(e.constant() < 0 ? " - " : " + ").append(Math.abs(e.constant()));
        }
        return b.toString();
    }
}
