package knobscape.hls.evaluate.estimator;

import knobscape.hls.evaluate.Part;
import knobscape.space.LongIntMap;

/// From the structure of a design to figures after synthesis and after placement. Laws and constants were
/// fitted over published designs of several kernels together (Virtex-7, Vitis 2022.1); none belongs to one
/// kernel.
final class Physics {
    private final EstimatorSettings settings;
    private final Part part;

    Physics(EstimatorSettings settings) {
        this.settings = settings;
        this.part = settings.part();
    }

    /// Structure of a design, as [Design] adds it up.
    ///
    /// @param cycles latency
    /// @param usage hardware with operators settled
    /// @param bram block RAMs
    /// @param uram UltraRAMs
    record Structure(double cycles, Usage usage, double bram, double uram) {}

    StageFigures hls(Structure s) {
        Usage u = s.usage();
        double lut = Math.max(1, Math.ceil(u.reportedLut));
        double ff = Math.ceil(u.reportedFf);
        double clock = Math.max(u.slowestNs, 1.5 * part.logicDelay());
        // The report has no power: flip-flops foretell the LUTs of the placed design better than the report's
        // LUTs do.
        double guess = Math.min(4.22 * Math.pow(ff + 1, 0.80), 4 * lut + 100);
        double seconds = 25 + 0.23 * ff / 1000 + 0.004 * u.written;
        return new StageFigures(
                power(guess, u.dsp - u.idleDsp, s.bram()),
                s.cycles(),
                clock,
                new StageFigures.Resources(lut, ff, u.dsp, s.bram(), s.uram()),
                seconds,
                misfit(0, 0, u.dsp, s.bram(), s.uram()));
    }

    StageFigures syn(Structure s) {
        Usage u = s.usage();
        double lut = Math.max(1, Math.ceil(0.97 * u.realLut + u.shiftRegisters));
        double ff = Math.ceil(u.realFf);
        double mux = 0.22 * part.logicDelay() * Math.log(Math.max(1, u.widestMux)) / Math.log(4);
        double clock = Math.max(u.pathNs, 1.4 * part.logicDelay()) + mux;
        // the tool stops over a design that cannot fit
        double seconds = 290 + 17 * Math.min(lut, part.lut()) / 1000;
        return new StageFigures(
                power(1.03 * Math.max(0, lut - 0.97 * u.idleLut), u.dsp - u.idleDsp, s.bram()),
                s.cycles(),
                clock,
                new StageFigures.Resources(lut, ff, u.dsp, s.bram(), s.uram()),
                seconds,
                misfit(lut, ff, u.dsp, s.bram(), s.uram()));
    }

    StageFigures impl(Structure s, StageFigures syn) {
        Usage u = s.usage();
        double fill = Math.max(syn.lut() / part.lut(), Math.max(syn.dsp() / part.dsp(), syn.bram() / part.bram()));
        double packing = Math.clamp(0.985 - 0.02 * (Math.log10(syn.lut() + 10) - 2.5), 0.9, 1.0)
                + 0.06 * Math.max(0, fill - 0.6);
        double lut = Math.max(1, Math.ceil(syn.lut() * packing * (1 + 0.008 * noise(s, 1))));
        double ff = syn.ff();
        double route = 0.028 * Math.sqrt(syn.lut()) * part.logicDelay();
        double congestion = 3.5 * fill * fill * fill + 0.12 * Math.log(1 + Math.max(0, u.widestMux - 4));
        // Two laws fitted over all kernels, one from the slowest path, one from the size alone.
        double byPath = 0.883 * part.logicDelay() + 0.766 * syn.clockNs() + route + congestion;
        double bySize = 1.58 * Math.pow(ff + 1, 0.169) * part.logicDelay();
        double raw = 0.5 * (byPath + bySize) * (1 + 0.025 * noise(s, 2));
        double clock = settle(raw);
        double seconds = 250 + 16.5 * lut / 1000 * (1 + 2 * fill * fill);
        double dynamic = power(Math.max(0, lut - 0.97 * packing * u.idleLut), syn.dsp() - u.idleDsp, syn.bram())
                - part.staticWatts();
        String misfit = misfit(lut, ff, syn.dsp(), syn.bram(), s.uram());
        return new StageFigures(
                part.staticWatts() + dynamic * (1 + 0.03 * noise(s, 3)),
                s.cycles(),
                clock,
                new StageFigures.Resources(lut, ff, syn.dsp(), syn.bram(), s.uram()),
                seconds,
                misfit);
    }

    /// The router stops trying once the target is met, so periods crowd just below it; what is far too slow
    /// misses it.
    private double settle(double raw) {
        double target = settings.clockNs();
        double knee = 0.85 * target;
        if (raw <= knee) {
            return raw;
        }
        double room = 0.15 * target;
        return knee + room * (1 - Math.exp(-(raw - knee) / (1.5 * room))) + 0.4 * Math.max(0, raw - 1.5 * target);
    }

    /// W; `dsp` those at work. Pooled fit over six kernels on Virtex-7 at 100 MHz; other parts by their energy per
    /// resource, other clocks in proportion.
    double power(double lut, double dsp, double bram) {
        double dynamic = 8.98e-5 * Math.pow(Math.max(0, lut), 0.75) + 0.00142 * dsp + 0.00141 * bram;
        return part.staticWatts() + dynamic * part.dynamicPower() * 10 / settings.clockNs();
    }

    private String misfit(double lut, double ff, double dsp, double bram, double uram) {
        String[] names = {"LUT", "FF", "DSP", "BRAM", "URAM"};
        double[] need = {lut, ff, dsp, bram, uram};
        double[] have = {part.lut(), part.ff(), part.dsp(), part.bram(), part.uram()};
        for (int i = 0; i < need.length; i++) {
            if (need[i] > have[i]) {
                return String.format(
                        java.util.Locale.ROOT,
                        "does not fit %s: needs %,.0f %s of %,.0f",
                        part.name(),
                        need[i],
                        names[i],
                        have[i]);
            }
        }
        return "";
    }

    /// Between -1 and 1, the same for the same structure and seed.
    private double noise(Structure s, int channel) {
        long h = LongIntMap.mix(settings.seed() * 0x9E3779B97F4A7C15L + channel);
        h = LongIntMap.mix(h ^ Double.doubleToLongBits(s.cycles()));
        h = LongIntMap.mix(h ^ Double.doubleToLongBits(Math.rint(s.usage().realLut * 16)));
        h = LongIntMap.mix(h ^ Double.doubleToLongBits(Math.rint(s.usage().realFf * 16)));
        h = LongIntMap.mix(h ^ Double.doubleToLongBits(s.usage().dsp * 4096 + s.bram()));
        double a = (h >>> 11) * 0x1p-53;
        double b = (LongIntMap.mix(h) >>> 11) * 0x1p-53;
        return a + b - 1;
    }
}
