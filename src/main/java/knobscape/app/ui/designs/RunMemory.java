package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.Goal.Best;

/// A person's work on the designs of one run: pins, filter, selection, notes. Kept in a file beside the runs,
/// so that closing the window loses none of it.
///
/// @param file where it is kept, with what belongs to other runs
/// @param run number of the run
/// @param subject index of the subject whose designs they are, 0 where there is one
public record RunMemory(Settings file, long run, int subject) {
    /// Stands for the designs of all runs taken together.
    public static final long ALL_RUNS = 0;

    /// Name of the file.
    public static final String FILE = "window.json";

    private static final String TEXT = "text=";
    private static final String BEST = "best=";

    /// Of a run of one subject.
    public RunMemory(Settings file, long run) {
        this(file, run, 0);
    }

    private String key(String what) {
        return "run." + run + (subject == 0 ? "." : ".task" + subject + ".") + what;
    }

    /// Numbers of the pinned designs in the order of their slots.
    public List<Integer> pins() {
        return file.lines(key("pins")).stream().flatMap(l -> number(l).stream()).toList();
    }

    /// Number of the selected design; empty where none was.
    public Optional<Integer> selected() {
        return file.get(key("selected")).flatMap(RunMemory::number);
    }

    /// A person's note on the run, empty where there is none.
    public String about() {
        return file.get(key("about")).orElse("");
    }

    /// Keeps what a person wrote about the run; what is blank is forgotten.
    public void keepAbout(String words) {
        keep("about", words);
    }

    private void keep(String what, String words) {
        if (words.isBlank()) {
            file.remove(key(what));
        } else {
            file.put(key(what), words.strip());
        }
    }

    /// A person's note on a design, empty where there is none.
    public String note(int design) {
        return file.get(key("note." + design)).orElse("");
    }

    /// A person's notes on the designs.
    public DesignNotes notes() {
        var notes = new HashMap<Integer, String>();
        file.under(key("note.")).forEach((n, words) -> number(n).ifPresent(design -> notes.put(design, words)));
        return new DesignNotes(notes);
    }

    /// The filter. What cannot be read of it is left out.
    public DesignFilter filter() {
        List<String> lines = file.lines(key("filter"));
        var ranges = new LinkedHashMap<Axis, Range>();
        String text = "";
        Optional<Best> best = Optional.empty();
        for (String line : lines) {
            String[] parts = line.split("\t");
            if (line.startsWith(TEXT)) {
                text = line.substring(TEXT.length());
            } else if (line.startsWith(BEST) && parts.length == 2) {
                best = Optional.of(new Best(parts[0].substring(BEST.length()), Boolean.parseBoolean(parts[1])));
            } else if (parts.length == 4) {
                try {
                    ranges.put(
                            new Axis(parts[0].equals("knob"), parts[1]),
                            new Range(Double.parseDouble(parts[2]), Double.parseDouble(parts[3])));
                } catch (NumberFormatException e) {
                    // A bound that is no number is none.
                }
            }
        }
        return new DesignFilter(lines.contains("pareto"), lines.contains("valid"), text, ranges, best);
    }

    /// Keeps the pins.
    void keepPins(List<Integer> pins) {
        file.putLines(key("pins"), pins.stream().map(String::valueOf).toList());
    }

    /// Keeps the selection.
    void keepSelected(int design) {
        file.put(key("selected"), Integer.toString(design));
    }

    /// Keeps a note; an empty one is forgotten.
    void keepNote(int design, String note) {
        keep("note." + design, note);
    }

    /// Keeps the filter.
    void keepFilter(DesignFilter filter) {
        var lines = new ArrayList<String>();
        if (filter.paretoOnly()) {
            lines.add("pareto");
        }
        if (filter.validOnly()) {
            lines.add("valid");
        }
        if (!filter.text().isBlank()) {
            lines.add(TEXT + filter.text());
        }
        filter.best().ifPresent(b -> lines.add(BEST + b.metric() + "\t" + b.largest()));
        filter.ranges()
                .forEach((axis, range) -> lines.add((axis.knob() ? "knob" : "metric") + "\t" + axis.name() + "\t"
                        + range.low() + "\t" + range.high()));
        file.putLines(key("filter"), lines);
    }

    private static Optional<Integer> number(String text) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
