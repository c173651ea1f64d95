package knobscape.gpu.export;

import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.space.template.Template;
import knobscape.space.Configuration;

/// One measured configuration.
///
/// @param template the template with its work
/// @param configuration a member of its space
/// @param measurement what came of it
/// @param seconds when, in seconds since 1970; 0 where it is not known
public record TuningRecord(Template template, Configuration configuration, Measurement measurement, double seconds) {
}
