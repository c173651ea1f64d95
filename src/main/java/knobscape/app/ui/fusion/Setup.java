package knobscape.app.ui.fusion;

import knobscape.fusion.source.Accelerator;
import knobscape.fusion.space.Strategy;

/// What a person has set: the accelerator with its buffer, the batch, and the strategy. Undo puts back a whole
/// one.
///
/// @param accelerator what the layers run on
/// @param batch samples, B
/// @param strategy the selected strategy
record Setup(Accelerator accelerator, int batch, Strategy strategy) {

    Setup with(Accelerator value) {
        return new Setup(value, batch, strategy);
    }

    Setup with(Strategy value) {
        return new Setup(accelerator, batch, value);
    }

    /// Another batch; entries above it become it.
    Setup withBatch(int value) {
        int[] s = strategy.toArray();
        for (int i = 0; i < s.length; i++) {
            s[i] = Math.min(s[i], value);
        }
        return new Setup(accelerator, value, Strategy.of(s));
    }
}
