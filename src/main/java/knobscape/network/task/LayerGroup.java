package knobscape.network.task;

import knobscape.network.ElementType;

/// Layers whose schedules resemble one another, so that what was measured of one helps to tune another: those of one
/// type, kernel size and padding (deep Gaussian transfer learning, ICCV 2021, section 4.2). A stride changes what
/// padding does, so it counts where there is any; with it VGG-16 has 1 group of convolutions, AlexNet 3, ResNet-18 and
/// MobileNet-v1 4, as the paper says.
///
/// @param name stable, fit for files: `conv2d_3x3_p1-1-1-1_s1-1`
public record LayerGroup(String name) {

    /// The group of a piece of work.
    public static LayerGroup of(Workload workload) {
        return new LayerGroup(switch (workload) {
                    case Workload.Conv2d c -> {
                        String pads = c.padTop() + "-" + c.padLeft() + "-" + c.padBottom() + "-" + c.padRight();
                        boolean padded = !pads.equals("0-0-0-0");
                        yield (c.isDepthwise() ? "depthwise_conv2d_" : c.groups() > 1 ? "grouped_conv2d_" : "conv2d_")
                                + c.kernelHeight() + "x" + c.kernelWidth() + "_p" + pads
                                + (padded ? "_s" + c.strideHeight() + "-" + c.strideWidth() : "");
                    }
                    case Workload.Dense _ -> "dense";
                    case Workload.BatchMatmul _ -> "batch_matmul";
                    case Workload.Graph g -> g.network().name();
                }
                + (workload.type() == ElementType.FLOAT32
                        ? ""
                        : "_" + workload.type().label()));
    }
}
