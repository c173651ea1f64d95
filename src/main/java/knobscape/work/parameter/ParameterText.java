package knobscape.work.parameter;

/// The texts of a setting for a person.
///
/// @param label beside its field, empty where it has none
/// @param help one sentence without a full stop
/// @param unit of its number, empty for none
/// @param none what is shown for 0 or for nothing said (`no limit`), empty where a 0 is a 0
/// @param group it stands in, empty for the first
/// @param further whether a form folds it away at first
public record ParameterText(String label, String help, String unit, String none, String group, boolean further) {
    /// A setting that no person sees.
    static final ParameterText NONE = new ParameterText("", "", "", "", "", false);
}
