package knobscape.hls.evaluate.estimator;

import knobscape.hls.space.Directive;

/// A floating-point core. Names end in the family of parts: 7 for series 7, U for UltraScale and later. Figures come
/// from public reports and characterisation files, as those of [OperatorLibrary] do; those of VITIS_U and
/// of dividers are of Vitis HLS 2022.1 and later, the others of Vivado HLS.
///
/// @param pipelines `{states, stage delay in ns}` from short to long
/// @param pathNs longest path of the implemented core
/// @param reportedFf flip-flops in the report, at the first pipeline
/// @param ffPerState flip-flops added per further state
record FloatCore(
        double[][] pipelines,
        double pathNs,
        int dsp,
        double reportedFf,
        double reportedLut,
        double realLut,
        double ffPerState) {
    private static final FloatCore FADD_7 = new FloatCore(
            new double[][] {{4, 6.5}, {5, 5.7}, {6, 5.0}, {8, 4.1}, {10, 3.2}, {12, 2.6}}, 5.0, 2, 205, 390, 225, 17);
    private static final FloatCore FADD_FABRIC_7 = new FloatCore(
            new double[][] {{4, 7.0}, {5, 5.9}, {7, 4.6}, {9, 3.6}, {12, 2.6}}, 5.6, 0, 230, 420, 350, 17);
    private static final FloatCore FMUL_7 =
            new FloatCore(new double[][] {{3, 6.5}, {4, 5.5}, {5, 4.5}, {6, 3.6}, {8, 2.7}}, 5.9, 3, 143, 200, 95, 13);
    private static final FloatCore FMUL_FABRIC_7 =
            new FloatCore(new double[][] {{3, 7.0}, {4, 6.0}, {5, 5.0}, {6, 4.1}, {8, 3.0}}, 5.0, 0, 190, 780, 690, 20);
    private static final FloatCore FDIV_7 = new FloatCore(
            new double[][] {{9, 8.1}, {11, 7.0}, {16, 5.6}, {20, 4.1}, {29, 2.6}}, 5.2, 0, 761, 994, 830, 25);
    private static final FloatCore DADD_7 = new FloatCore(
            new double[][] {{5, 6.44}, {6, 5.9}, {8, 4.8}, {10, 3.8}, {13, 2.8}}, 5.0, 3, 445, 781, 600, 35);
    private static final FloatCore DADD_FABRIC_7 = new FloatCore(
            new double[][] {{4, 6.44}, {5, 5.9}, {7, 4.9}, {9, 3.9}, {13, 2.8}}, 5.86, 0, 430, 800, 610, 35);
    private static final FloatCore DMUL_7 = new FloatCore(
            new double[][] {{5, 6.5}, {6, 5.9}, {7, 4.9}, {9, 3.7}, {12, 2.7}}, 7.22, 11, 299, 203, 110, 30);
    private static final FloatCore DMUL_DSP_7 = new FloatCore(
            new double[][] {{5, 6.5}, {6, 5.9}, {7, 4.9}, {9, 3.7}, {12, 2.7}}, 6.50, 10, 299, 220, 120, 30);
    private static final FloatCore DMUL_FABRIC_7 = new FloatCore(
            new double[][] {{4, 6.6}, {5, 6.0}, {7, 4.8}, {9, 3.7}, {12, 2.8}}, 5.10, 0, 480, 3010, 2620, 60);
    private static final FloatCore DDIV_7 =
            new FloatCore(new double[][] {{22, 7.2}, {31, 5.5}, {41, 4.0}, {58, 2.7}}, 5.6, 0, 3200, 3600, 3300, 60);

    private static final FloatCore FADD_U =
            new FloatCore(new double[][] {{4, 6.43}, {7, 4.08}, {8, 3.45}, {11, 2.6}}, 4.3, 2, 227, 214, 150, 17);
    private static final FloatCore FADD_FABRIC_U =
            new FloatCore(new double[][] {{4, 6.6}, {7, 4.2}, {8, 3.5}, {11, 2.7}}, 4.6, 0, 240, 400, 320, 17);
    private static final FloatCore FMUL_U = new FloatCore(
            new double[][] {{2, 8.41}, {3, 7.01}, {4, 3.79}, {5, 3.17}, {7, 2.2}}, 4.6, 3, 128, 135, 80, 8);
    private static final FloatCore FMUL_FABRIC_U =
            new FloatCore(new double[][] {{3, 7.01}, {4, 4.6}, {5, 3.6}, {7, 2.6}}, 4.2, 0, 170, 740, 650, 20);
    // Vitis HLS 2022.1 to 2025.1 on UltraScale+: names and areas of the cores in reports for xcu50, xcu55c and xck26 at
    // 3.33 to 10 ns (UCLA-VAST/Prometheus and eight other repositories).
    private static final FloatCore FADD_VITIS_U =
            new FloatCore(new double[][] {{4, 6.43}, {5, 3.65}, {7, 2.92}, {11, 2.43}}, 4.3, 2, 150, 214, 150, 56);
    private static final FloatCore FADD_FABRIC_VITIS_U =
            new FloatCore(new double[][] {{4, 2.92}, {7, 2.43}}, 4.6, 0, 168, 338, 300, 17);
    private static final FloatCore FMUL_VITIS_U =
            new FloatCore(new double[][] {{3, 7.01}, {4, 2.92}, {7, 2.43}}, 4.6, 3, 128, 78, 60, 15);
    private static final FloatCore DADD_VITIS_U =
            new FloatCore(new double[][] {{4, 7.0}, {5, 3.65}, {8, 2.43}}, 4.6, 3, 445, 700, 560, 35);
    private static final FloatCore DMUL_VITIS_U =
            new FloatCore(new double[][] {{4, 7.2}, {5, 3.65}, {6, 2.92}, {8, 2.43}}, 5.6, 8, 290, 200, 105, 30);
    private static final FloatCore FDIV_U = new FloatCore(
            new double[][] {{8, 8.27}, {9, 7.05}, {12, 4.36}, {16, 3.03}, {29, 2.0}}, 4.2, 0, 363, 802, 700, 50);
    private static final FloatCore DADD_U = new FloatCore(
            new double[][] {{4, 7.0}, {5, 6.43}, {7, 4.3}, {8, 3.6}, {12, 2.6}}, 4.6, 3, 445, 700, 560, 35);
    private static final FloatCore DADD_FABRIC_U = new FloatCore(
            new double[][] {{4, 7.0}, {5, 6.5}, {7, 4.3}, {8, 3.6}, {12, 2.6}}, 4.8, 0, 430, 720, 580, 35);
    private static final FloatCore DMUL_U = new FloatCore(
            new double[][] {{4, 7.2}, {5, 5.8}, {6, 4.3}, {8, 3.4}, {11, 2.4}}, 5.6, 8, 290, 200, 105, 30);
    private static final FloatCore DMUL_FABRIC_U = new FloatCore(
            new double[][] {{4, 7.0}, {5, 5.6}, {7, 4.2}, {9, 3.3}, {12, 2.5}}, 4.8, 0, 480, 2900, 2500, 60);
    private static final FloatCore DDIV_U =
            new FloatCore(new double[][] {{16, 7.2}, {22, 3.6}, {31, 2.9}, {58, 2.2}}, 4.6, 0, 3200, 3400, 3100, 60);

    static final FloatCore SQRT =
            new FloatCore(new double[][] {{8, 7.2}, {12, 5.5}, {16, 4.2}, {28, 2.7}}, 4.8, 0, 410, 470, 420, 20);
    static final FloatCore EXP =
            new FloatCore(new double[][] {{6, 7.0}, {9, 5.2}, {12, 3.9}, {18, 2.6}}, 5.6, 7, 320, 900, 700, 30);
    static final FloatCore LOG =
            new FloatCore(new double[][] {{8, 7.0}, {12, 5.0}, {18, 3.4}, {24, 2.6}}, 5.6, 11, 500, 1100, 850, 35);
    static final FloatCore TRIG =
            new FloatCore(new double[][] {{12, 7.0}, {17, 5.0}, {24, 3.4}, {36, 2.6}}, 5.8, 18, 900, 2400, 1900, 40);
    static final FloatCore POW =
            new FloatCore(new double[][] {{18, 7.0}, {28, 5.0}, {40, 3.4}, {60, 2.6}}, 6.0, 30, 1500, 4200, 3300, 50);
    static final FloatCore COMPARE = new FloatCore(new double[][] {{1, 4.4}, {2, 2.7}}, 2.6, 0, 66, 66, 55, 10);
    static final FloatCore FROM_INT =
            new FloatCore(new double[][] {{1, 7.0}, {2, 5.0}, {3, 3.8}, {5, 2.6}}, 4.2, 0, 60, 250, 196, 20);
    static final FloatCore TO_INT =
            new FloatCore(new double[][] {{1, 4.9}, {2, 3.0}, {3, 2.2}}, 3.6, 0, 40, 300, 278, 20);
    static final FloatCore RESIZE = new FloatCore(new double[][] {{1, 2.9}, {2, 1.9}}, 2.0, 0, 30, 90, 70, 20);

    /// The adder of a precision; `fabric` without DSP blocks.
    static FloatCore adder(boolean wide, boolean fabric, boolean ultra, boolean vitis) {
        if (vitis && ultra && !(wide && fabric)) {
            return wide ? DADD_VITIS_U : fabric ? FADD_FABRIC_VITIS_U : FADD_VITIS_U;
        }
        return wide
                ? (fabric ? (ultra ? DADD_FABRIC_U : DADD_FABRIC_7) : (ultra ? DADD_U : DADD_7))
                : (fabric ? (ultra ? FADD_FABRIC_U : FADD_FABRIC_7) : (ultra ? FADD_U : FADD_7));
    }

    /// The multiplier of a precision, bound as a directive says.
    static FloatCore multiplier(boolean wide, Directive.Core bound, boolean ultra, boolean vitis) {
        boolean fabric = bound == Directive.Core.FABRIC;
        if (vitis && ultra && !fabric) {
            return wide ? DMUL_VITIS_U : FMUL_VITIS_U;
        }
        return wide
                ? (fabric
                        ? (ultra ? DMUL_FABRIC_U : DMUL_FABRIC_7)
                        : ultra ? DMUL_U : bound == Directive.Core.DSP ? DMUL_DSP_7 : DMUL_7)
                : (fabric ? (ultra ? FMUL_FABRIC_U : FMUL_FABRIC_7) : (ultra ? FMUL_U : FMUL_7));
    }

    /// The divider of a precision.
    static FloatCore divider(boolean wide, boolean ultra) {
        return wide ? (ultra ? DDIV_U : DDIV_7) : (ultra ? FDIV_U : FDIV_7);
    }
}
