package knobscape.app.ui.export;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.message.Message;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.report.DesignCsv;
import knobscape.evaluate.report.DesignJson;
import knobscape.evaluate.report.DesignTable;

/// Writes the designs that pass the filter, those without an evaluation left out.
///
/// @param files writes them
/// @param results the designs of the window
public record DesignsExport(FileExport files, Results results) {
    private static final Kind JSON = new Kind("JSON", List.of("json"));

    /// With what a person wrote about the designs.
    public void save(boolean isCsv, String name, String subject, Map<String, String> origin) {
        save(isCsv, name, subject, origin, results.notes().byDesign());
    }

    /// @param isCsv as CSV, else as JSON
    /// @param name of the file, without its ending
    /// @param subject what was explored
    /// @param origin how the designs came about, in the order shown
    /// @param notes what is written beside a design, by its number
    public void save(
            boolean isCsv, String name, String subject, Map<String, String> origin, Map<Integer, String> notes) {
        Results.VisibleDesigns shown = results.shown().get();
        DesignSet set = shown.set();
        if (set.info().isEmpty()) {
            files.messages().show(Message.warning("There is no run to export yet."));
            return;
        }
        Kind kind = isCsv ? FileExport.CSV : JSON;
        String ending = kind.extensions().getFirst();
        files.save(
                "Save the designs shown as " + ending.toUpperCase(Locale.ROOT),
                name + "." + ending,
                kind,
                "The designs",
                () -> {
                    var table = new DesignTable(
                            subject,
                            origin,
                            set.info().get().metrics(),
                            set.objectives().stream().map(Metric::name).toList(),
                            set.info().get().fidelities().stream()
                                    .map(Fidelity::name)
                                    .toList(),
                            IntStream.range(0, set.size())
                                    .filter(i -> shown.matches(i)
                                            && !set.get(i).evaluations().isEmpty())
                                    .mapToObj(i -> DesignTable.Row.of(
                                            i + 1, set.get(i).evaluations(), set.standing(i) == DesignStanding.FRONT))
                                    .toList(),
                            notes);
                    return isCsv ? DesignCsv.write(table) : new DesignJson().write(table);
                });
    }
}
