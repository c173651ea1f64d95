package knobscape.study.evaluate;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.ReportedResults;
import knobscape.study.source.Study;
import knobscape.study.source.Study.Stage;
import knobscape.work.tool.Engine;
import knobscape.work.tool.ToolEvaluator;
import knobscape.work.tool.ToolSettings;

/// The evaluators of studies.
public final class StudyTools {
    private static final double TYPICAL_SECONDS = 10;
    private static final String ON = ", run on the device ";

    private StudyTools() {}

    /// The study's own program.
    ///
    /// @param here the study's folder
    /// @param objectives that are searched for
    /// @param limits how programs are run
    /// @param folder holds a folder per configuration
    public static Evaluator command(Study study, Path here, List<String> objectives, ToolSettings limits, Path folder) {
        return new ToolEvaluator(new StudyFlow(study, here, objectives), Engine.of(limits), limits, folder);
    }

    /// Results that a person tells.
    public static ReportedResults told(Study study) {
        return new ReportedResults(info(study, ""), values -> values);
    }

    /// The device that a study's kernel was opened on; empty before, and for a command.
    public static Optional<String> hardware(EvaluatorInfo info) {
        int on = info.description().lastIndexOf(ON);
        return on < 0
                ? Optional.empty()
                : Optional.of(info.description().substring(on + ON.length()).replaceFirst("\\.$", ""));
    }

    /// The offer of a study: its metrics at every stage where patterns or the program give them.
    ///
    /// @param hardware that a kernel runs on, empty where it is not known
    static EvaluatorInfo info(Study study, String hardware) {
        List<String> names = study.stages().isEmpty()
                ? List.of("run")
                : study.stages().stream().map(Stage::name).toList();
        List<Fidelity> stages = IntStream.range(0, names.size())
                .mapToObj(i -> new Fidelity(names.get(i), i))
                .toList();
        Set<String> metrics =
                new LinkedHashSet<>(study.metrics().stream().map(Metric::name).toList());
        Map<String, Set<String>> reported = new LinkedHashMap<>();
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            Set<String> matched = study.stages().isEmpty()
                    ? Set.of()
                    : study.stages().get(i).patterns().keySet();
            reported.put(names.get(i), matched.isEmpty() ? metrics : matched);
            seconds.put(names.get(i), TYPICAL_SECONDS * Math.pow(10, i));
        }
        return new EvaluatorInfo(
                EvaluatorKind.COMMAND.word(),
                study.stages().isEmpty()
                        ? "Measured outside."
                        : "Measured by " + study.stages().getLast().measurer()
                                + (hardware.isEmpty() ? "" : ON + hardware) + ".",
                Provenance.Source.MEASURED,
                stages,
                study.metrics(),
                reported,
                study.objectives(),
                seconds);
    }
}
