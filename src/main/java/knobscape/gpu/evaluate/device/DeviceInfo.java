package knobscape.gpu.evaluate.device;

import knobscape.evaluate.Provenance;
import knobscape.gpu.space.nest.DeviceLimits;

/// The description of a device.
///
/// @param name as on the command line: `opencl`, `cuda`, `model:NAME`, `replay:FILE`
/// @param hardware its own name, for example `NVIDIA T4`
/// @param version of its driver or model
/// @param source what kind of times it gives
/// @param limits what a kernel may ask for
/// @param caution what a person must know about its times, as a sentence; empty where there is nothing
public record DeviceInfo(
        String name, String hardware, String version, Provenance.Source source, DeviceLimits limits, String caution) {}
