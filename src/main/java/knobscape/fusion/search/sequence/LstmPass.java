package knobscape.fusion.search.sequence;

import java.util.Arrays;
import knobscape.fusion.search.sequence.SequenceModel.Linear;
import knobscape.fusion.search.sequence.SequenceModel.Matrix;

/// A pass of the Seq2Seq model: the encoder reads what is known of all layers, last to first, when the pass
/// begins; at every step the decoder reads the state and what the encoder made of the layers from there on.
final class LstmPass implements SequenceModel.Pass {
    private final float[][] encoded;
    private final Cell decoder;
    private final Linear hidden;
    private final Linear head;
    private int t;

    private static final class Cell {
        private final Matrix input;
        private final Matrix recurrent;
        private final Matrix bias;
        private float[] h;
        private final float[] c;

        Cell(SequenceModel.Reader r) {
            input = r.take();
            recurrent = r.take();
            bias = r.take();
            h = new float[r.architecture().width()];
            c = new float[h.length];
        }

        float[] step(float[] x) {
            float[] gates = new Linear(input, bias).of(x);
            recurrent.addProduct(h, gates);
            int w = h.length;
            float[] out = new float[w];
            for (int i = 0; i < w; i++) {
                c[i] = (float) (sigmoid(gates[w + i]) * c[i] + sigmoid(gates[i]) * Math.tanh(gates[2 * w + i]));
                out[i] = (float) (sigmoid(gates[3 * w + i]) * Math.tanh(c[i]));
            }
            h = out;
            return out;
        }

        private static double sigmoid(double x) {
            return 1 / (1 + Math.exp(-x));
        }
    }

    LstmPass(SequenceModel.Reader r, float[][] fixed) {
        var encoder = new Cell(r);
        decoder = new Cell(r);
        hidden = r.linear();
        head = r.linear();
        encoded = new float[fixed.length][];
        for (int i = fixed.length - 1; i >= 0; i--) {
            encoded[i] = encoder.step(fixed[i]);
        }
    }

    @Override
    public float[] next(float[] state) {
        float[] x = Arrays.copyOf(state, state.length + encoded[t].length);
        System.arraycopy(encoded[t], 0, x, state.length, encoded[t].length);
        t++;
        return head.of(hidden.rectified(decoder.step(x)));
    }
}
