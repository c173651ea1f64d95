package knobscape.network;

import java.util.Collections;
import java.util.List;

/// The sliding window of a convolution or pooling; every list has one entry for each spatial axis (height,
/// width for images).
///
/// @param kernel extents of the window, at least 1
/// @param strides steps, at least 1
/// @param padBegin zeros (or, for maxima, nothing) before the first element
/// @param padEnd the same after the last
/// @param dilations distance of neighbouring elements of the window, at least 1
public record Window(
        List<Integer> kernel,
        List<Integer> strides,
        List<Integer> padBegin,
        List<Integer> padEnd,
        List<Integer> dilations) {
    /// Throws [ShapeException] where lists differ in length or an entry is out of range.
    public Window {
        kernel = List.copyOf(kernel);
        strides = List.copyOf(strides);
        padBegin = List.copyOf(padBegin);
        padEnd = List.copyOf(padEnd);
        dilations = List.copyOf(dilations);
        int n = kernel.size();
        if (n < 1 || strides.size() != n || padBegin.size() != n || padEnd.size() != n || dilations.size() != n) {
            throw new ShapeException("kernel, strides, pads and dilations do not name the same number of axes");
        }
        atLeast(1, kernel, "the kernel");
        atLeast(1, strides, "the stride");
        atLeast(1, dilations, "the dilation");
        atLeast(0, padBegin, "the padding");
        atLeast(0, padEnd, "the padding");
    }

    private static void atLeast(int least, List<Integer> values, String what) {
        for (int v : values) {
            if (v < least) {
                throw new ShapeException(what + " is " + v + ", at least " + least + " is wanted");
            }
        }
    }

    /// A two-dimensional window with the same stride on both axes and the same padding on both sides of an
    /// axis, no dilation.
    public static Window of(int kernelHeight, int kernelWidth, int stride, int padHeight, int padWidth) {
        return new Window(
                List.of(kernelHeight, kernelWidth),
                List.of(stride, stride),
                List.of(padHeight, padWidth),
                List.of(padHeight, padWidth),
                List.of(1, 1));
    }

    /// A square window.
    public static Window square(int kernel, int stride, int pad) {
        return of(kernel, kernel, stride, pad, pad);
    }

    /// Number of spatial axes.
    public int rank() {
        return kernel.size();
    }

    /// Number of elements under the window.
    public long kernelElements() {
        long n = 1;
        for (int k : kernel) {
            n *= k;
        }
        return n;
    }

    /// Extent that the window covers on an axis, gaps of the dilation included.
    public long reach(int axis) {
        return (long) dilations.get(axis) * (kernel.get(axis) - 1) + 1;
    }

    /// Number of window positions on a spatial axis.
    ///
    /// With `ceil` the last, partly covered position counts too, unless it would start in the padding behind
    /// the input (PyTorch's rule, which ONNX took over).
    ///
    /// @param axis spatial axis, 0 for height
    /// @param input extent of the input on that axis
    /// @param ceil whether a partial last position counts
    public long positions(int axis, long input, boolean ceil) {
        long padded = input + padBegin.get(axis) + padEnd.get(axis);
        long span = padded - reach(axis);
        if (span < 0) {
            throw new ShapeException("a window of " + reach(axis) + " does not fit an input of " + input
                    + " with padding " + padBegin.get(axis) + " and " + padEnd.get(axis));
        }
        int stride = strides.get(axis);
        long n = span / stride + 1;
        if (ceil && span % stride != 0 && n * stride < input + padBegin.get(axis)) {
            n++;
        }
        return n;
    }

    /// True if every spatial axis has the same kernel, stride, padding on both sides, and dilation.
    public boolean isSquare() {
        return same(kernel) && same(strides) && same(dilations) && same(padBegin) && padBegin.equals(padEnd);
    }

    /// True if the window moves one element at a time over all elements without gaps or padding and covers one
    /// element.
    public boolean isPointwise() {
        return kernelElements() == 1 && padBegin.equals(padEnd) && padBegin.equals(Collections.nCopies(rank(), 0));
    }

    private static boolean same(List<Integer> values) {
        return values.stream().distinct().count() == 1;
    }
}
