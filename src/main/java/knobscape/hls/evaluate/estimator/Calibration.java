package knobscape.hls.evaluate.estimator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.Part;
import knobscape.space.Sha256;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The factors on the estimator's figures that make them those of one's own tool, fitted to measured
/// designs by [CalibrationFit].
///
/// @param from where the measured designs came from, in words
/// @param laws one per stage and figure that was measured
public record Calibration(String from, List<Law> laws) {
    /// Nothing fitted.
    public static final Calibration NONE = new Calibration("", List.of());

    /// Name of the file in a project.
    public static final String FILE_NAME = "calibration.json";

    private static final long LARGEST = 1 << 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    public Calibration {
        laws = List.copyOf(laws);
    }

    /// The figures that are calibrated; `dynamic` is power without the part's static share.
    public static final List<String> FIGURES = List.of("latency", "clock", "lut", "ff", "dsp", "bram", "dynamic");

    /// `measured = factor * centre * (estimate / centre) ^ exponent`.
    ///
    /// @param stage rank of the stage, 0 .. 2
    /// @param figure one of [#FIGURES]
    /// @param designs how many it was fitted to
    /// @param low lower end of the factor's 90 % interval
    /// @param high its upper end
    /// @param errors before and after
    public record Law(
            int stage,
            String figure,
            int designs,
            double factor,
            double low,
            double high,
            double exponent,
            double centre,
            Errors errors) {
        double of(double estimate) {
            return estimate > 0 ? factor * centre * Math.pow(estimate / centre, exponent) : estimate;
        }
    }

    /// How far estimates are off.
    ///
    /// @param before median of |ln(estimate / measured)| over the designs
    /// @param after the same with the law, each design estimated by the others
    public record Errors(double before, double after) {}

    /// True if nothing was fitted.
    public boolean isNone() {
        return laws.isEmpty();
    }

    private double of(int stage, String figure, double estimate) {
        return laws.stream()
                .filter(l -> l.stage() == stage && l.figure().equals(figure))
                .findFirst()
                .map(l -> l.of(estimate))
                .orElse(estimate);
    }

    /// The figures of a stage as this tool would give them; why it does not fit is not asked anew.
    StageFigures apply(int stage, StageFigures f, Part part) {
        if (isNone()) {
            return f;
        }
        double dynamic = Math.max(0, f.powerWatts() - part.staticWatts());
        return new StageFigures(
                f.powerWatts() - dynamic + of(stage, "dynamic", dynamic),
                Math.max(1, Math.rint(of(stage, "latency", f.latencyCycles()))),
                of(stage, "clock", f.clockNs()),
                new StageFigures.Resources(
                        Math.rint(of(stage, "lut", f.lut())),
                        Math.rint(of(stage, "ff", f.ff())),
                        Math.rint(of(stage, "dsp", f.dsp())),
                        Math.rint(of(stage, "bram", f.bram())),
                        f.uram()),
                f.seconds(),
                f.misfit());
    }

    /// Short name of what was fitted, for the provenance of figures.
    public String hash() {
        return isNone()
                ? ""
                : Sha256.of(json().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .substring(0, 8);
    }

    /// As kept in a project.
    public String json() {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n";
    }

    /// Reads what [#json()] gave; [#NONE] where there is no such file. Throws [UserError] where it is damaged.
    public static Calibration in(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        if (!Files.exists(file)) {
            return NONE;
        }
        try {
            Calibration read = JSON.readValue(InputFile.text(file, LARGEST), Calibration.class);
            if (read.laws().stream().allMatch(Calibration::isSound)) {
                return read;
            }
        } catch (java.io.IOException | JacksonException | NullPointerException e) {
            throw new UserError(
                    file + " is no calibration (" + UserError.reason(e)
                            + "); make it anew with knobscape calibrate, or delete it.",
                    e);
        }
        throw new UserError(file
                + " holds factors that are no positive numbers; make it anew with knobscape calibrate, or delete it.");
    }

    private static boolean isSound(Law l) {
        return FIGURES.contains(l.figure())
                && l.stage() >= 0
                && l.stage() <= 2
                && l.factor() > 0
                && l.centre() > 0
                && Double.isFinite(l.factor() * l.centre() * l.exponent());
    }
}
