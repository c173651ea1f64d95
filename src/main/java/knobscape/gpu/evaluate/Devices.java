package knobscape.gpu.evaluate;

import java.util.List;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.HardwareDevice;
import knobscape.gpu.evaluate.device.MeasureSettings;
import knobscape.gpu.evaluate.model.ModelDevice;

/// Devices by name.
public final class Devices {
    private Devices() {}

    /// The device of a name: `model:NAME`, `opencl`, `cuda`, or one of several, `cuda:1`. The caller closes it.
    /// Throws [UserError] for an unknown one, or one that is not there.
    public static GpuDevice open(String name) {
        if (ModelDevice.KIND.isOf(name)) {
            return ModelDevice.named(ModelDevice.KIND.argument(name).orElse(""));
        }
        if (HardwareDevice.KINDS.contains(EvaluatorKind.of(name))) {
            return HardwareDevice.open(name, MeasureSettings.DEFAULT);
        }
        throw new UserError("There is no device '" + name + "'"
                + NameSuggestions.didYouMean(name, List.of("model:NAME", "replay:FILE", "opencl", "cuda"))
                + "; known: model:NAME, replay:FILE, opencl, cuda.");
    }
}
