package knobscape.gpu.space.nest;

import java.util.List;
import java.util.stream.Collectors;

/// A loop nest as indented text for a person.
final class NestText {
    private final StringBuilder text = new StringBuilder();

    private NestText() {}

    static String of(LoopNest nest) {
        var t = new NestText();
        t.text.append(nest.name())
                .append('(')
                .append(nest.parameters().stream().map(Buffer::name).collect(Collectors.joining(", ")))
                .append(")\n");
        nest.allocations()
                .forEach(b -> t.text.append("  ")
                        .append(b.scope().name().toLowerCase(java.util.Locale.ROOT))
                        .append(' ')
                        .append(b.name())
                        .append('[')
                        .append(b.elements())
                        .append("]\n"));
        t.add(List.of(nest.body()), 1);
        return t.text.toString();
    }

    private void add(List<NestStatement> body, int depth) {
        for (NestStatement s : body) {
            String margin = "  ".repeat(depth);
            switch (s) {
                case NestStatement.Loop l -> {
                    text.append(margin)
                            .append(l.axis()
                                    .binding()
                                    .name()
                                    .toLowerCase(java.util.Locale.ROOT)
                                    .replace('_', '.'))
                            .append(' ')
                            .append(l.axis().name())
                            .append(" < ")
                            .append(l.axis().extent())
                            .append('\n');
                    add(l.body(), depth + 1);
                }
                case NestStatement.Guard g -> {
                    text.append(margin)
                            .append("if ")
                            .append(conditions(g.conditions()))
                            .append('\n');
                    add(g.body(), depth + 1);
                }
                case NestStatement.Pragma p -> {
                    text.append(margin)
                            .append("unroll up to ")
                            .append(p.policy().maxStep())
                            .append(p.policy().explicit() ? " (written out)" : " (hint)")
                            .append('\n');
                    add(p.body(), depth);
                }
                case NestStatement.Store t ->
                    text.append(margin)
                            .append(t.buffer().name())
                            .append('[')
                            .append(t.index())
                            .append(t.accumulate() ? "] += " : "] = ")
                            .append(value(t.value()))
                            .append('\n');
                case NestStatement.Barrier _ -> text.append(margin).append("barrier\n");
                case NestStatement.Fragment f ->
                    text.append(margin)
                            .append("warp: ")
                            .append(f.action().name().toLowerCase(java.util.Locale.ROOT))
                            .append(' ')
                            .append(f.from().stream().map(NestText::place).collect(Collectors.joining(" by ")))
                            .append(f.from().isEmpty() ? "" : " to ")
                            .append(place(f.to()))
                            .append('\n');
            }
        }
    }

    private static String place(NestStatement.Fragment.Place p) {
        return p.buffer().name() + "[" + p.index() + "]";
    }

    private static String conditions(List<IndexBound> conditions) {
        return conditions.stream()
                .map(c -> "0 <= " + c.index() + " < " + c.limit())
                .collect(Collectors.joining(" and "));
    }

    private static String value(NestValue v) {
        return switch (v) {
            case NestValue.Load l ->
                l.buffer().name() + "[" + l.index() + "]"
                        + (l.conditions().isEmpty() ? "" : " if " + conditions(l.conditions()) + " else 0");
            case NestValue.Constant c -> String.valueOf(c.value());
            case NestValue.Unary u -> u.function().cName() + "(" + value(u.of()) + ")";
            case NestValue.Select s ->
                "(" + value(s.then()) + " if " + conditions(s.conditions()) + " else " + value(s.otherwise()) + ")";
            case NestValue.Binary b ->
                switch (b.operator()) {
                    case ADD -> "(" + value(b.left()) + " + " + value(b.right()) + ")";
                    case SUBTRACT -> "(" + value(b.left()) + " - " + value(b.right()) + ")";
                    case MULTIPLY -> value(b.left()) + " * " + value(b.right());
                    case DIVIDE -> value(b.left()) + " / (" + value(b.right()) + ")";
                    case POWER -> "pow(" + value(b.left()) + ", " + value(b.right()) + ")";
                    case MAX -> "max(" + value(b.left()) + ", " + value(b.right()) + ")";
                    case MIN -> "min(" + value(b.left()) + ", " + value(b.right()) + ")";
                    case DOT -> "dot(" + value(b.left()) + ", " + value(b.right()) + ")";
                };
        };
    }
}
