package knobscape.hls.evaluate.estimator;

import java.util.Arrays;
import java.util.List;

/// Hardware of a part of the design. Amounts are fractional while they are added up and extended; they are
/// rounded at the end.
final class Usage {
    /// Units of each shared operator.
    double[] units;
    /// Operations that run on them.
    double[] operations;
    /// Units that would do if an operation started on each in every cycle: what of them is at work, for the power.
    double[] busy;
    /// Accesses in the source to each array, by root.
    final double[] accesses;
    /// Bits of the words to which accesses over an AXI port are joined, by root.
    final double[] joinedBits;
    /// Units that were turned into area already, and their operations; for the report.
    double[] settledUnits;
    double[] settledOperations;
    double reportedLut;
    double reportedFf;
    double realLut;
    double realFf;
    /// Look-up tables used as shift registers; not part of the others.
    double shiftRegisters;
    double dsp;
    /// Those of [#dsp] that belong to units without work.
    double idleDsp;
    /// Their look-up tables.
    double idleLut;
    /// States of the controllers.
    double states;
    /// Slowest state as scheduled, ns.
    double slowestNs;
    /// Slowest register-to-register path inside one operator, ns.
    double pathNs;
    /// Inputs of the widest multiplexer.
    double widestMux;
    /// Operations written out, all copies counted.
    double written;

    Usage(int operators, int arrays) {
        units = new double[operators];
        operations = new double[operators];
        busy = new double[operators];
        accesses = new double[arrays];
        joinedBits = new double[arrays];
        settledUnits = new double[operators];
        settledOperations = new double[operators];
    }

    /// Adds hardware that works beside this; operators in shared sequence take the larger number of units.
    void add(Usage other, boolean share) {
        hold(other.units.length);
        for (int i = 0; i < other.units.length; i++) {
            units[i] = share ? Math.max(units[i], other.units[i]) : units[i] + other.units[i];
            operations[i] += other.operations[i];
            busy[i] = share ? Math.max(busy[i], other.busy[i]) : busy[i] + other.busy[i];
            settledUnits[i] += other.settledUnits[i];
            settledOperations[i] += other.settledOperations[i];
        }
        for (int i = 0; i < accesses.length; i++) {
            accesses[i] += other.accesses[i];
            joinedBits[i] = Math.max(joinedBits[i], other.joinedBits[i]);
        }
        reportedLut += other.reportedLut;
        reportedFf += other.reportedFf;
        realLut += other.realLut;
        realFf += other.realFf;
        shiftRegisters += other.shiftRegisters;
        dsp += other.dsp;
        idleDsp += other.idleDsp;
        idleLut += other.idleLut;
        states += other.states;
        slowestNs = Math.max(slowestNs, other.slowestNs);
        pathNs = Math.max(pathNs, other.pathNs);
        widestMux = Math.max(widestMux, other.widestMux);
        written += other.written;
    }

    /// The library learns of operators while blocks are scheduled, so that later blocks count more of them.
    private void hold(int operators) {
        if (operators > units.length) {
            units = Arrays.copyOf(units, operators);
            operations = Arrays.copyOf(operations, operators);
            busy = Arrays.copyOf(busy, operators);
            settledUnits = Arrays.copyOf(settledUnits, operators);
            settledOperations = Arrays.copyOf(settledOperations, operators);
        }
    }

    /// Adds the states in which the controller waits for bursts, and the width of their words.
    void waitStates(Bursts bursts, OperatorLibrary library) {
        states += bursts.cycles;
        reportedFf += bursts.cycles;
        realFf += bursts.cycles;
        reportedLut += bursts.cycles > 0 ? library.reportedMux(bursts.cycles) : 0;
        realLut += 1.2 * bursts.cycles;
        for (int a = 0; a < joinedBits.length; a++) {
            joinedBits[a] = Math.max(joinedBits[a], bursts.joinedBits[a]);
        }
    }

    /// Adds the counter and the exit test of a loop.
    void control(double trips) {
        int counter = (int) Math.ceil(Math.log(Math.max(2, trips + 1)) / Math.log(2));
        reportedFf += counter;
        realFf += counter;
        reportedLut += 2 * counter + 15;
        realLut += 1.3 * counter;
    }

    /// Turns shared operators into area: units and the multiplexers in front of them.
    void settle(List<FunctionalUnit> shared, OperatorLibrary library) {
        for (int i = 0; i < units.length; i++) {
            if (units[i] <= 0) {
                continue;
            }
            FunctionalUnit op = shared.get(i);
            double n = units[i];
            double inputs = operations[i] / n;
            reportedLut += n * (op.area().reportedLut() + 2 * library.reportedMux(Math.ceil(inputs)));
            reportedFf += n * op.area().reportedFf();
            realLut += n * (op.area().realLut() + 2 * muxLut(op.bits(), inputs));
            realFf += n * op.area().realFf();
            dsp += n * op.area().dsp();
            idleDsp += Math.max(0, n - busy[i]) * op.area().dsp();
            idleLut += Math.max(0, n - busy[i]) * op.area().realLut();
            widestMux = Math.max(widestMux, inputs);
        }
        for (int i = 0; i < units.length; i++) {
            settledUnits[i] += units[i];
            settledOperations[i] += operations[i];
        }
        Arrays.fill(units, 0);
        Arrays.fill(operations, 0);
        Arrays.fill(busy, 0);
    }

    /// Six-input LUTs of a multiplexer: one per bit for every three inputs beyond the first, part of which the
    /// synthesiser merges with neighbouring logic.
    static double muxLut(double bits, double inputs) {
        return inputs <= 1 ? 0 : 0.6 * bits * (inputs - 1) / 3;
    }
}
