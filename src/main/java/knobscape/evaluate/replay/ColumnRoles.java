package knobscape.evaluate.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Formula;
import knobscape.evaluate.UserError;

/// The roles of the columns of a table of results, as its mapping has them, and mappings in which a column is for
/// something else.
public final class ColumnRoles {
    /// The role of a column.
    public enum Role {
        /// An objective; less is better.
        MINIMISE("minimise"),
        /// An objective; more is better.
        MAXIMISE("maximise"),
        /// A number that is shown beside the objectives.
        NOTE("note"),
        /// A decision.
        KNOB("knob"),
        /// It says which rows have a result.
        STATUS("says which rows count"),
        /// Nothing.
        UNUSED("not used");

        private final String words;

        Role(String words) {
            this.words = words;
        }

        /// As a person reads it.
        public String words() {
            return words;
        }

        boolean isObjective() {
            return this == MINIMISE || this == MAXIMISE;
        }
    }

    /// A column, or a metric that is computed from several.
    ///
    /// @param name as it stands in the table, or the metric's; one without a name is called by its place
    /// @param role what it is for
    /// @param possible what it can be for; holds `role`
    public record Column(String name, Role role, Set<Role> possible) {}

    private final ResultFile file;
    private final ReplayMapping mapping;
    private final List<Column> columns;

    private ColumnRoles(ResultFile file, ReplayMapping mapping, List<Column> columns) {
        this.file = file;
        this.mapping = mapping;
        this.columns = List.copyOf(columns);
    }

    /// @param rows those of the table that count
    /// @param statuses columns that say which rows have a result
    static ColumnRoles of(ResultFile file, ReplayMapping mapping, List<Integer> rows, Set<String> statuses) {
        CsvTable table = file.table();
        List<String> knobs = knobs(table, mapping);
        Set<String> objectives = objectives(mapping);
        Set<String> used = used(mapping);
        var columns = new ArrayList<Column>();
        for (String metric : metrics(mapping)) {
            Role role = !objectives.contains(metric)
                    ? Role.NOTE
                    : "maximise".equals(direction(mapping, metric)) ? Role.MAXIMISE : Role.MINIMISE;
            Set<Role> possible = EnumSet.of(Role.MINIMISE, Role.MAXIMISE, Role.NOTE);
            if (mapping.fidelities().size() == 1) {
                possible.add(Role.UNUSED);
                column(mapping, metric).filter(c -> !knobs.contains(c)).ifPresent(c -> possible.add(Role.KNOB));
            }
            if (role.isObjective() && mapping.objectives().size() == 1) {
                possible.retainAll(EnumSet.of(Role.MINIMISE, Role.MAXIMISE));
            }
            columns.add(new Column(metric, role, possible));
        }
        Set<String> taken = metrics(mapping);
        for (int i = 0; i < table.header().size(); i++) {
            String c = table.header().get(i);
            int cells = i;
            boolean knob = knobs.contains(c);
            boolean empty = rows.stream().allMatch(r -> table.cell(r, cells).isBlank());
            if (!knob && (used.contains(c) || taken.contains(c) || empty)) {
                continue;
            }
            if (c.isEmpty()) {
                columns.add(new Column("column " + (i + 1) + " (no name)", Role.UNUSED, EnumSet.of(Role.UNUSED)));
                continue;
            }
            if (statuses.contains(c)) {
                columns.add(new Column(c, Role.STATUS, EnumSet.of(Role.STATUS, Role.KNOB)));
                continue;
            }
            Set<Role> possible = EnumSet.of(Role.KNOB, Role.UNUSED);
            if (!taken.contains(c) && isNumeric(table, i, rows)) {
                possible.addAll(EnumSet.of(Role.MINIMISE, Role.MAXIMISE, Role.NOTE));
            }
            if (knob && knobs.size() == 1) {
                possible.retainAll(EnumSet.of(Role.KNOB));
            }
            columns.add(new Column(c, knob ? Role.KNOB : Role.UNUSED, possible));
        }
        columns.sort(Comparator.comparingInt(c -> c.role().isObjective()
                ? 0
                : 1 + List.of(Role.KNOB, Role.NOTE, Role.STATUS, Role.UNUSED).indexOf(c.role())));
        return new ColumnRoles(file, mapping, columns);
    }

    /// Objectives first, then knobs, notes and what is not used, each as they stand in the table.
    public List<Column> columns() {
        return columns;
    }

    /// Names of the studies in the file, where it holds several that cannot be taken together.
    public List<String> studies() {
        return file.readings().size() < 2
                ? List.of()
                : file.readings().stream().map(ResultFile.Reading::name).toList();
    }

    /// The study that is read; empty where there is one only.
    public String study() {
        return studies().stream().filter(mapping.name()::equals).findFirst().orElse("");
    }

    /// The mapping that reads another study, as YAML. Throws [UserError] for one that is not there.
    public String ofStudy(String name) {
        return file.readings().stream()
                .filter(r -> r.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError(file.table().file() + " has no study '" + name + "'; there are: "
                        + String.join(", ", studies())))
                .mapping()
                .text();
    }

    /// The mapping in which a column is for something else, as YAML. Throws `IllegalArgumentException` for a role that
    /// the column cannot have.
    public String with(String name, Role role) {
        Column column = columns.stream()
                .filter(c -> c.name().equals(name) && c.possible().contains(role))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " cannot be " + role.words()));
        var knobs = new LinkedHashSet<>(knobs(file.table(), mapping));
        var metrics = new LinkedHashMap<>(mapping.metrics());
        var objectives = new ArrayList<String>();
        mapping.objectives().stream()
                .map(o -> String.join(
                        " | ",
                        Arrays.stream(o.split("\\|"))
                                .map(String::strip)
                                .filter(m -> !m.equals(name))
                                .toList()))
                .filter(o -> !o.isEmpty())
                .forEach(objectives::add);
        String source = EnumSet.of(Role.KNOB, Role.STATUS, Role.UNUSED).contains(column.role())
                ? name
                : column(mapping, name).orElse(name);
        if (role == Role.KNOB) {
            knobs.add(source);
        } else if (column.role() == Role.KNOB) {
            knobs.remove(name);
        }
        boolean measured = role.isObjective() || role == Role.NOTE;
        List<ReplayMapping.Stage> stages = IntStream.range(
                        0, mapping.fidelities().size())
                .mapToObj(i -> stage(
                        mapping.fidelities().get(i),
                        name,
                        measured,
                        i == mapping.fidelities().size() - 1))
                .toList();
        if (measured) {
            ReplayMapping.MetricEntry was =
                    metrics.getOrDefault(name, new ReplayMapping.MetricEntry(name, "", null, null));
            metrics.put(
                    name,
                    new ReplayMapping.MetricEntry(
                            was.label(), was.unit(), was.limit(), role == Role.NOTE ? "neutral" : role.words()));
        } else {
            metrics.remove(name);
        }
        if (role.isObjective()) {
            // A direction that changes leaves the order of the objectives as it is.
            int place = IntStream.range(0, mapping.objectives().size())
                    .filter(i -> mapping.objectives().get(i).equals(name))
                    .findFirst()
                    .orElse(objectives.size());
            objectives.add(Math.min(place, objectives.size()), name);
        }
        return ReplayMapping.Text.of(
                        "corrected",
                        new ReplayMapping(
                                1,
                                mapping.name(),
                                "What the columns are for was corrected by hand.",
                                new ReplayMapping.Rows(
                                        null, List.of(), mapping.rows().where()),
                                new ReplayMapping.Knobs(
                                        List.copyOf(knobs),
                                        List.of(),
                                        mapping.knobs().categories(),
                                        mapping.knobs().scales()),
                                metrics,
                                stages,
                                mapping.seconds(),
                                objectives))
                .text();
    }

    private ReplayMapping.Stage stage(ReplayMapping.Stage stage, String name, boolean measured, boolean top) {
        var formulas = new LinkedHashMap<>(stage.metrics());
        if (!measured) {
            formulas.remove(name);
        } else if (top) {
            formulas.putIfAbsent(name, "`" + name + "`");
        }
        return new ReplayMapping.Stage(stage.name(), stage.seconds(), stage.valid(), formulas);
    }

    /// The columns that are decisions, in their order; never one without a name.
    static List<String> knobs(CsvTable table, ReplayMapping mapping) {
        return table.header().stream()
                .filter(c -> !c.isEmpty()
                        && Patterns.any(mapping.knobs().columns(), c)
                        && !Patterns.any(mapping.knobs().exclude(), c))
                .toList();
    }

    /// The columns that formulas and conditions read.
    static Set<String> used(ReplayMapping mapping) {
        var used = new HashSet<>(mapping.rows().where().keySet());
        mapping.fidelities()
                .forEach(s -> Stream.concat(
                                Stream.of(s.seconds() == null ? "1" : s.seconds(), s.valid() == null ? "1" : s.valid()),
                                s.metrics().values().stream())
                        .forEach(f -> used.addAll(Formula.parse(f).columns())));
        return used;
    }

    private static Set<String> metrics(ReplayMapping mapping) {
        var names = new LinkedHashSet<>(mapping.metrics().keySet());
        mapping.fidelities().forEach(s -> names.addAll(s.metrics().keySet()));
        return names;
    }

    private static Set<String> objectives(ReplayMapping mapping) {
        var names = new HashSet<String>();
        mapping.objectives()
                .forEach(o -> Arrays.stream(o.split("\\|")).map(String::strip).forEach(names::add));
        return names;
    }

    private static String direction(ReplayMapping mapping, String metric) {
        ReplayMapping.MetricEntry entry = mapping.metrics().get(metric);
        return entry == null || entry.direction() == null ? "minimise" : entry.direction();
    }

    /// The column that a metric is read from at the top, where it is read as it stands.
    private static Optional<String> column(ReplayMapping mapping, String metric) {
        return Optional.ofNullable(mapping.fidelities().getLast().metrics().get(metric))
                .map(f -> f.strip().replaceAll("^`(.*)`$", "$1"))
                .filter(c -> Formula.parse(
                                mapping.fidelities().getLast().metrics().getOrDefault(metric, "1"))
                        .columns()
                        .equals(Set.of(c)));
    }

    /// True if a column holds numbers and empty cells only, and at least one number.
    static boolean isNumeric(CsvTable table, int column, Collection<Integer> rows) {
        boolean some = false;
        for (int row : rows) {
            String cell = table.cell(row, column).strip();
            if (!CsvTable.isMissing(cell)) {
                if (Double.isNaN(CsvTable.number(cell))) {
                    return false;
                }
                some = true;
            }
        }
        return some;
    }
}
