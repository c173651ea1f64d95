package knobscape.gpu.evaluate.device;

import knobscape.evaluate.CancellationSignal;
import knobscape.gpu.space.template.Schedule;

/// Something that tells how fast a schedule runs. May be asked from several threads; a device that can do one
/// thing at a time queues.
public interface GpuDevice extends AutoCloseable {
    /// The description of the device.
    DeviceInfo info();

    /// Evaluates a schedule. Everything that goes wrong with the schedule is a [Measurement]; what is wrong
    /// with the device itself (not there any more) throws [knobscape.evaluate.UserError]. Throws
    /// `CancellationException` where `cancel` asked to stop.
    Measurement measure(Schedule schedule, CancellationSignal cancel);

    @Override
    default void close() {}
}
