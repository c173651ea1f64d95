package knobscape.network.task;

import knobscape.network.ElementType;

/// A piece of multiply-accumulate work, given by its extents alone. Two places of a network with equal
/// workloads can share a kernel.
public sealed interface Workload {
    /// Element type of the data.
    ElementType type();

    /// Multiply-accumulates.
    long macs();

    /// Floating-point operations, two for each multiply-accumulate; a Winograd kernel is measured by this count
    /// too.
    default long flops() {
        return Math.multiplyExact(2, macs());
    }

    /// A stable text of the extents, fit for file names, for example `conv2d_1x64x56x56_k64_3x3_s1_p1`.
    String id();

    /// Convolution over two spatial axes; a one-dimensional one has a height of 1.
    ///
    /// @param batch N
    /// @param channels C, input channels
    /// @param height H, input height without padding
    /// @param width W, input width without padding
    /// @param filters K, output channels
    /// @param kernelHeight R
    /// @param kernelWidth S
    record Conv2d(
            ElementType type,
            long batch,
            long channels,
            long height,
            long width,
            long filters,
            int kernelHeight,
            int kernelWidth,
            int strideHeight,
            int strideWidth,
            int padTop,
            int padLeft,
            int padBottom,
            int padRight,
            int dilationHeight,
            int dilationWidth,
            int groups)
            implements Workload {

        /// OH, output height.
        public long outHeight() {
            return (height + padTop + padBottom - dilationHeight * (kernelHeight - 1L) - 1) / strideHeight + 1;
        }

        /// OW, output width.
        public long outWidth() {
            return (width + padLeft + padRight - dilationWidth * (kernelWidth - 1L) - 1) / strideWidth + 1;
        }

        /// Whether every channel is a group of its own.
        public boolean isDepthwise() {
            return groups == channels && groups > 1;
        }

        /// Whether a Winograd kernel can compute it: one group, stride and dilation of 1, a square kernel of 3
        /// to 7.
        public boolean isWinogradEligible() {
            return groups == 1
                    && strideHeight == 1
                    && strideWidth == 1
                    && dilationHeight == 1
                    && dilationWidth == 1
                    && kernelHeight == kernelWidth
                    && kernelHeight > 2
                    && kernelHeight < 8;
        }

        @Override
        public long macs() {
            return Math.multiplyExact(
                    Math.multiplyExact(batch * outHeight() * outWidth(), filters),
                    channels / groups * kernelHeight * kernelWidth);
        }

        @Override
        public String id() {
            return (isDepthwise() ? "depthwise_conv2d_" : groups > 1 ? "grouped_conv2d_" : "conv2d_") + batch + "x"
                    + channels + "x" + height + "x" + width + "_k" + filters + "_"
                    + kernelHeight + "x" + kernelWidth + "_s" + pair(strideHeight, strideWidth) + "_p" + pads()
                    + (dilationHeight * dilationWidth > 1 ? "_d" + pair(dilationHeight, dilationWidth) : "")
                    + (groups > 1 && !isDepthwise() ? "_g" + groups : "") + suffix(type);
        }

        private String pads() {
            return padTop == padBottom && padLeft == padRight
                    ? pair(padTop, padLeft)
                    : padTop + "-" + padLeft + "-" + padBottom + "-" + padRight;
        }

        private static String pair(int a, int b) {
            return a == b ? String.valueOf(a) : a + "-" + b;
        }
    }

    /// Matrix of activations `M x K` by a matrix of weights `K x N`.
    record Dense(ElementType type, long m, long n, long k) implements Workload {
        @Override
        public long macs() {
            return Math.multiplyExact(Math.multiplyExact(m, n), k);
        }

        @Override
        public String id() {
            return "dense_" + m + "x" + n + "x" + k + suffix(type);
        }
    }

    /// A batch of products of matrices `M x K` and `K x N`.
    ///
    /// @param k extent summed over
    record BatchMatmul(ElementType type, long batch, long m, long n, long k) implements Workload {
        @Override
        public long macs() {
            return Math.multiplyExact(Math.multiplyExact(batch * m, n), k);
        }

        @Override
        public String id() {
            return "batch_matmul_" + batch + "x" + m + "x" + n + "x" + k + suffix(type);
        }
    }

    private static String suffix(ElementType type) {
        return type == ElementType.FLOAT32 ? "" : "_" + type.label();
    }
}
