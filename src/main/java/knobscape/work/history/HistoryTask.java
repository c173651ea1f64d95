package knobscape.work.history;

import java.util.Optional;
import knobscape.space.KnobSet;

/// The task that rows of the history are measurements of.
///
/// @param area name of the area
/// @param by what measured
/// @param group tasks whose measurements help one another: a group of layers, a kernel
/// @param subject stable name of the task
/// @param words the task for a person, short
/// @param work the task as a document that its area reads, empty where the name says it all
/// @param template how it is computed, with the template's version: `direct@1`
/// @param tail what was fused behind; `bare` for nothing
/// @param knobs of the configurations; empty where the template has them
public record HistoryTask(
        String area,
        Measurer by,
        String group,
        String subject,
        String words,
        String work,
        String template,
        String tail,
        Optional<KnobSet> knobs) {
    /// A device or program that measures.
    ///
    /// @param device its own name: `GTX 1080 Ti`, `model:t4`, `vitis_hls`
    /// @param driver its driver or version, empty where it is not known
    /// @param isModel whether a model answered instead of a device; such rows never stand beside measured ones
    public record Measurer(String device, String driver, boolean isModel) {}

    /// The name of what measured.
    public String device() {
        return by.device;
    }

    /// Its driver or version, empty where it is not known.
    public String driver() {
        return by.driver;
    }

    /// True if a model answered.
    public boolean isModel() {
        return by.isModel;
    }

    /// The same as another driver measured it, at one of several fidelities.
    HistoryTask by(String version, String fidelity) {
        return new HistoryTask(
                area,
                new HistoryTask.Measurer(device(), version, isModel()),
                group,
                subject,
                words,
                work,
                template + fidelity,
                tail,
                knobs);
    }
}
