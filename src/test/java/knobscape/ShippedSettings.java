package knobscape;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import knobscape.House.Figure;
import knobscape.House.Kind;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.UserError;
import knobscape.explore.Budget;
import knobscape.explore.Explorer;
import knobscape.explore.SyntheticFlow;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.search.TuningProblem;
import knobscape.hls.HlsMethods;
import knobscape.space.FeatureEncoder;
import knobscape.work.Method;

/// Which values the settings of shipped methods take: every method is made for some problems, and what it holds is
/// looked through for records called settings or options.
final class ShippedSettings {
    private static final int MANY = 200_000;

    private final Map<String, Set<String>> taken = new TreeMap<>();
    private final Map<String, Set<String>> possible = new TreeMap<>();

    private ShippedSettings() {}

    /// Of every setting with named values those that no method takes, a figure each.
    static List<Figure> unreached() {
        var settings = new ShippedSettings();
        var flow = new SyntheticFlow(true);
        EvaluatorInfo all = flow.info();
        for (Method m : HlsMethods.standard().all()) {
            for (EvaluatorInfo info : List.of(all, onlyOne(all))) {
                for (int objectives = 2; objectives <= all.metrics().size(); objectives++) {
                    settings.hls(m, info, objectives);
                }
            }
        }
        for (TuningMethod m : TuningMethod.standard().all()) {
            settings.look(m);
            settings.made(() -> m.factory()
                    .apply(new TuningProblem(
                            SyntheticFlow.SPACE,
                            SyntheticFlow.SPACE.encoder(),
                            FeatureEncoder.coordinates(SyntheticFlow.SPACE.knobs()),
                            all,
                            all.metrics().getFirst(),
                            1)));
        }
        var figures = new ArrayList<Figure>();
        settings.possible.forEach((setting, values) -> values.stream()
                .filter(v -> !settings.taken.getOrDefault(setting, Set.of()).contains(v))
                .forEach(v -> figures.add(new Figure(Kind.SETTING, setting + "=" + v, 1))));
        return figures;
    }

    /// The same evaluator with one stage.
    private static EvaluatorInfo onlyOne(EvaluatorInfo info) {
        Fidelity only = info.fidelities().getFirst();
        return new EvaluatorInfo(
                info.name(),
                info.description(),
                info.source(),
                List.of(only),
                info.metrics(),
                Map.of(only.name(), info.reported().getOrDefault(only.name(), Set.of())),
                info.objectives(),
                Map.of(only.name(), 1.0),
                info.cost());
    }

    private void hls(Method method, EvaluatorInfo info, int objectives) {
        made(() -> method.factory()
                .create(new Method.Problem(
                        SyntheticFlow.SPACE,
                        SyntheticFlow.SPACE.encoder(),
                        info,
                        info.metrics().subList(0, objectives),
                        1,
                        8,
                        List.of(),
                        Budget.NONE,
                        Optional.empty())));
    }

    private void made(Supplier<Explorer> explorer) {
        Explorer made;
        try {
            made = explorer.get();
        } catch (UserError e) {
            // Its library is not on this machine, or it wants sketches: what the method holds is looked at without it.
            return;
        }
        look(made);
    }

    /// Looks through all that an object holds.
    private void look(Object root) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty() && seen.size() < MANY) {
            Object o = open.pop();
            if (!seen.add(o)) {
                continue;
            }
            if (o instanceof Iterable<?> list) {
                list.forEach(e -> Optional.ofNullable(e).ifPresent(open::push));
            } else if (o instanceof Optional<?> held) {
                held.ifPresent(open::push);
            } else if (o.getClass().getName().startsWith("knobscape.")) {
                held(o, open);
            }
        }
    }

    private void held(Object o, Deque<Object> open) {
        if (o.getClass().isRecord() && o.getClass().getSimpleName().matches("\\w*(Settings|Options)")) {
            for (RecordComponent c : o.getClass().getRecordComponents()) {
                if (c.getType().isEnum()) {
                    String name = c.getType().getName().replace('$', '.');
                    possible.computeIfAbsent(name, _ -> new TreeSet<>())
                            .addAll(Stream.of(c.getType().getEnumConstants())
                                    .map(e -> ((Enum<?>) e).name())
                                    .toList());
                    taken.computeIfAbsent(name, _ -> new TreeSet<>()).add(((Enum<?>) value(o, c.getName())).name());
                }
            }
        }
        for (Class<?> type = o.getClass();
                type != null && type.getName().startsWith("knobscape.");
                type = type.getSuperclass()) {
            for (Field f : type.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers()) && !f.getType().isPrimitive()) {
                    f.setAccessible(true);
                    try {
                        Optional.ofNullable(f.get(o)).ifPresent(open::push);
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }
    }

    private static Object value(Object o, String component) {
        try {
            Field f = o.getClass().getDeclaredField(component);
            f.setAccessible(true);
            return f.get(o);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
