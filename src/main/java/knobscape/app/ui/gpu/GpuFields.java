package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.app.ui.run.Field;
import knobscape.app.ui.run.WorkFields;
import knobscape.evaluate.UserError;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.WeightsUse;
import knobscape.gpu.evaluate.model.GpuSpec;
import knobscape.gpu.search.TuningMethod;
import knobscape.work.Area;
import knobscape.work.Evaluators;
import knobscape.work.Named;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;

/// What a run of GPU work may change: measurements, time, and how the network is seen; with them the peak
/// figures of the device, which the roofline needs.
final class GpuFields implements WorkFields {
    static final Field TRIALS = Field.typed("Per task", "Measurements per task");
    static final Field MINUTES = Field.typed("Time limit (min)", "Time limit of a run in minutes; 0 for none");
    static final Field BATCH = Field.typed("Batch", "Inputs per run of the network");
    static final Field DIMS = Field.typed("Extents", "Extents that the file leaves open: NAME=N, NAME=N");
    static final Field TEMPLATES = new Field(
            "Templates",
            "Which ways of computing a task are tuned",
            List.of("The first", "All (direct, Winograd)", "Sketches instead of templates"));
    static final Field FUSED = new Field(
            "Fused behind",
            "What is measured together with a kernel",
            List.of("Bias, ReLU and residual, as in the network", "Nothing"));
    static final Field FEATURES = new Field(
            "Model sees",
            "What cost models see of a schedule",
            List.of("The knobs", "Loop by loop", "Relations between loops"));
    static final Field LOG =
            Field.typed("Known log", "An AutoTVM log whose records are known before the search; empty for none");
    static final Field WEIGHTS = Field.typed(
            "Weights", "A model of gtuner-train that GTuner begins with; empty to learn from the run alone");
    static final Field PEAK = Field.typed("Peak GFLOPS", "Peak GFLOPS of the device, for the roofline; 0 if unknown");
    static final Field MEMORY =
            Field.typed("Memory GB/s", "Memory traffic of the device in GB/s, for the roofline; 0 if unknown");

    private static final List<String> FEATURE_WORDS = List.of("knob", "itervar", "curve");
    private static final int MAX_TRIALS = 1_000_000;
    private static final int MAX_BATCH = 4096;
    private static final List<Field> OF_NETWORKS = List.of(BATCH, TEMPLATES, FUSED, DIMS, FEATURES, LOG, WEIGHTS);
    private static final List<Field> SHARED = List.of(Field.SEED, Field.RUNS);

    private final Roofs roofs;
    private final IntSupplier kernels;

    /// @param roofs peak figures of the device
    /// @param kernels how many the open network has
    GpuFields(Roofs roofs, IntSupplier kernels) {
        this.roofs = roofs;
        this.kernels = kernels;
    }

    @Override
    public List<Field> fields() {
        return List.of(TRIALS, MINUTES, BATCH, DIMS, TEMPLATES, FUSED, FEATURES, LOG, WEIGHTS, PEAK, MEMORY);
    }

    @Override
    public String text(Area.Work work, Field field) {
        var what = (GpuSettings) work.settings();
        int steps = work.run().steps();
        if (field == TRIALS) {
            return "" + (steps == 0 ? GpuSettings.DEFAULT_TRIALS_PER_KERNEL : Math.max(1, steps / kernels.getAsInt()));
        } else if (field == MINUTES) {
            return number(what.minutes());
        } else if (field == BATCH) {
            return "" + what.batch();
        } else if (field == DIMS) {
            return what.dims().entrySet().stream()
                    .map(e -> e.getKey() + "=" + e.getValue())
                    .collect(Collectors.joining(", "));
        } else if (field == LOG) {
            return what.log().orElse("");
        } else if (field == WEIGHTS) {
            return what.weights().map(WeightsUse::file).orElse("");
        } else if (field == PEAK) {
            return number(roofs.peak().get());
        } else if (field == MEMORY) {
            return number(roofs.memory().get());
        }
        int choice = field == TEMPLATES
                ? what.templates().ordinal()
                : field == FUSED ? what.isBare() ? 1 : 0 : FEATURE_WORDS.indexOf(what.features());
        return field.choices().get(choice);
    }

    @Override
    public boolean isShown(WorkSettings settings, Field field) {
        return SHARED.contains(field)
                || (fields().contains(field)
                        && !(((GpuSettings) settings).isMeasured() && OF_NETWORKS.contains(field)));
    }

    @Override
    public String problem(Field field, Function<Field, String> texts) {
        String text = texts.apply(field);
        try {
            if (field == TRIALS) {
                return whole(text, MAX_TRIALS);
            } else if (field == BATCH) {
                return whole(text, MAX_BATCH);
            } else if (field == DIMS) {
                dims(text);
            } else if (field == WEIGHTS) {
                weights(text, Optional.empty());
            } else if (field == MINUTES || field == PEAK || field == MEMORY) {
                double v = Double.parseDouble(text);
                return v >= 0 && Double.isFinite(v) ? "" : "a number from 0";
            }
            return "";
        } catch (NumberFormatException e) {
            return "a number";
        } catch (IllegalArgumentException | UserError e) {
            return UserError.reason(e);
        }
    }

    /// The model in a file; as it was when the file is the same.
    private static Optional<WeightsUse> weights(String text, Optional<WeightsUse> was) {
        return text.isBlank()
                ? Optional.empty()
                : was.filter(w -> w.file().equals(text))
                        .or(() -> Optional.of(WeightsUse.of(
                                Path.of(text.strip()).toAbsolutePath().normalize())));
    }

    private static String whole(String text, int most) {
        int n = Integer.parseInt(text);
        return n >= 1 && n <= most ? "" : "a whole number from 1 to " + most;
    }

    private static Map<String, Long> dims(String text) {
        Map<String, Long> extents = new TreeMap<>();
        for (String each : text.isBlank() ? new String[0] : text.split("\\s*,\\s*")) {
            if (!each.strip().matches("\\S+=\\d{1,9}")) {
                throw new IllegalArgumentException("written NAME=N, not '" + each + "'");
            }
            int at = each.lastIndexOf('=');
            extents.put(
                    each.substring(0, at).strip(),
                    Long.valueOf(each.substring(at + 1).strip()));
        }
        return extents;
    }

    @Override
    public Area.Work apply(Area.Work work, Function<Field, String> texts) {
        var was = (GpuSettings) work.settings();
        double minutes = Double.parseDouble(texts.apply(MINUTES));
        long steps = Long.parseLong(texts.apply(TRIALS)) * kernels.getAsInt();
        RunSettings run = work.run();
        return new Area.Work(
                was.isMeasured()
                        ? was.with(GpuSettings.MINUTES, minutes)
                        : was.with(GpuSettings.MINUTES, minutes)
                                .with(GpuSettings.BATCH, Integer.parseInt(texts.apply(BATCH)))
                                .with(WorkSettings.DIMS, dims(texts.apply(DIMS)))
                                .with(
                                        GpuSettings.TEMPLATES,
                                        TuningMethod.needsSketches(run.method())
                                                ? GpuSettings.Templates.SKETCHES
                                                : GpuSettings.Templates.values()[choice(TEMPLATES, texts)])
                                .with(GpuSettings.FUSED, choice(FUSED, texts) != 1)
                                .with(GpuSettings.FEATURES, FEATURE_WORDS.get(choice(FEATURES, texts)))
                                .log(Optional.of(texts.apply(LOG)).filter(l -> !l.isEmpty()))
                                .withWeights(weights(texts.apply(WEIGHTS), was.weights())),
                run.with(RunSettings.STEPS, (int) Math.min(RunSettings.MOST_STEPS, steps)));
    }

    private static int choice(Field field, Function<Field, String> texts) {
        return Math.max(0, field.choices().indexOf(texts.apply(field)));
    }

    /// The models by name and the devices of this machine; measured kernels answer for themselves.
    @Override
    public List<? extends Named> evaluators(Workbench bench) {
        var what = ((GpuWorkbench) bench).settings();
        return what.isMeasured()
                ? List.of(new Evaluators.Plain(what.source(), "Measured kernels", "Kernels measured earlier."))
                : Stream.concat(
                                GpuSpec.all().stream()
                                        .map(g -> new Evaluators.Plain(
                                                "model:" + g.name(), g.label() + " (model)", "A model of this GPU.")),
                                bench.evaluators().stream()
                                        .filter(e -> !List.of("model", "replay").contains(e.name())))
                        .toList();
    }

    @Override
    public List<String> summary(Function<Field, String> texts) {
        return Stream.of(
                        texts.apply(TRIALS) + " per task",
                        texts.apply(MINUTES).equals("0") ? "" : texts.apply(MINUTES) + " min",
                        texts.apply(BATCH).equals("1") ? "" : "batch " + texts.apply(BATCH))
                .filter(part -> !part.isEmpty())
                .toList();
    }

    static String number(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e15 ? Long.toString((long) v) : Double.toString(v);
    }
}
