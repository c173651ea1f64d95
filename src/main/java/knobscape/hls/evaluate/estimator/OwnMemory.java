package knobscape.hls.evaluate.estimator;

import java.util.List;

/// A decision of the tool about a memory that no directive names.
///
/// @param cuts its divisions
/// @param readers copies with a read port each, 0 for the usual ports
record OwnMemory(List<IrOrders.Cut> cuts, int readers) {
    static final OwnMemory NONE = new OwnMemory(List.of(), 0);

    OwnMemory {
        cuts = List.copyOf(cuts);
    }
}
