package knobscape.hls.source.interpret;

import java.util.HashMap;
import java.util.List;
import knobscape.hls.source.Location;
import knobscape.hls.source.exact.ExactPlace;
import knobscape.hls.source.exact.ExactStatement;
import knobscape.hls.source.exact.ExactType;

/// Turns statements of one function into code.
final class StatementCode {
    private final Machine machine;
    private final ExpressionCode expressions;

    StatementCode(Machine machine, ExpressionCode expressions) {
        this.machine = machine;
        this.expressions = expressions;
    }

    Step step(ExactStatement s) {
        return switch (s) {
            case ExactStatement.Evaluate e -> placed(expressions.effect(e.expression()), e.location());
            case ExactStatement.Clear c -> {
                Code at = expressions.address(c.place());
                int size = c.place().type().size();
                yield f -> {
                    machine.memory.fill(at.at(f), (byte) 0, size);
                    return Step.NEXT;
                };
            }
            case ExactStatement.Open o -> open(o.streams());
            case ExactStatement.Block b -> block(b.statements());
            case ExactStatement.If i -> {
                Code test = value(expressions.narrow(i.condition()), i.location());
                Step then = step(i.then());
                Step otherwise = step(i.otherwise());
                yield f -> test.at(f) != 0 ? then.run(f) : otherwise.run(f);
            }
            case ExactStatement.Loop l -> loop(l);
            case ExactStatement.Switch w -> choose(w);
            case ExactStatement.Break b -> f -> Step.BREAK;
            case ExactStatement.Continue c -> f -> Step.CONTINUE;
            case ExactStatement.Return r -> leave(r);
            case ExactStatement.Unsupported u -> {
                Stop stop = new Stop("is not executable: " + u.what()).at(u.location());
                yield f -> {
                    throw stop;
                };
            }
        };
    }

    /// The step, which tells its place where it stops.
    private static Step placed(Step step, Location location) {
        return f -> {
            try {
                return step.run(f);
            } catch (Stop e) {
                throw e.at(location);
            }
        };
    }

    private static Code value(Code code, Location location) {
        return f -> {
            try {
                return code.at(f);
            } catch (Stop e) {
                throw e.at(location);
            }
        };
    }

    private Step open(ExactPlace place) {
        int n = place.type().size() / 8;
        Code at = expressions.address(place);
        return f -> {
            long to = at.at(f);
            for (int i = 0; i < n; i++) {
                machine.memory.store64(to + 8L * i, machine.open());
            }
            return Step.NEXT;
        };
    }

    private Step block(List<ExactStatement> statements) {
        Step[] steps = statements.stream().map(this::step).toArray(Step[]::new);
        if (steps.length == 1) {
            return steps[0];
        }
        return f -> run(steps, 0, f);
    }

    private static int run(Step[] steps, int from, Frame f) {
        for (int i = from; i < steps.length; i++) {
            int how = steps[i].run(f);
            if (how != Step.NEXT) {
                return how;
            }
        }
        return Step.NEXT;
    }

    private Step loop(ExactStatement.Loop l) {
        Code test = l.condition()
                .<Code>map(c -> value(expressions.narrow(c), l.location()))
                .orElse(f -> 1);
        Step body = step(l.body());
        Step next = step(l.step());
        boolean first = l.testedFirst();
        Machine.Counter counter = machine.counter(l.location());
        return f -> {
            long n = 0;
            int how = Step.NEXT;
            while ((!first && n == 0) || test.at(f) != 0) {
                n++;
                count(l.location());
                how = body.run(f);
                if (how == Step.BREAK || how == Step.RETURN) {
                    break;
                }
                next.run(f);
            }
            counter.add(n);
            return how == Step.RETURN ? how : Step.NEXT;
        };
    }

    private void count(Location location) {
        try {
            machine.step();
        } catch (Stop e) {
            throw e.at(location);
        }
    }

    private Step choose(ExactStatement.Switch w) {
        Code value = value(expressions.narrow(w.value()), w.location());
        var starts = new HashMap<Long, Integer>();
        w.cases().forEach(c -> starts.putIfAbsent(c.value(), c.start()));
        Step[] steps = w.body().stream().map(this::step).toArray(Step[]::new);
        return f -> {
            int how = run(steps, starts.getOrDefault(value.at(f), w.otherwise()), f);
            return how == Step.BREAK ? Step.NEXT : how;
        };
    }

    private Step leave(ExactStatement.Return r) {
        if (r.value().isEmpty()) {
            return f -> Step.RETURN;
        }
        ExactType type = r.value().get().type();
        Value value = expressions.value(r.value().get());
        if (type.isWide()) {
            WideCode code = value.wide();
            return placed(
                    f -> {
                        f.wideResult = code.at(f);
                        return Step.RETURN;
                    },
                    r.location());
        }
        Code code = value.narrow();
        return placed(
                f -> {
                    f.result = code.at(f);
                    return Step.RETURN;
                },
                r.location());
    }
}
