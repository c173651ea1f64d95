package knobscape.fusion.search.sequence;

import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/// Loss and gradient of a sequence model on lessons of equal length, by LibTorch. All weights are one tensor
/// that is cut into views, so that the optimiser, what is kept of it in files, and resuming are matters of
/// plain arrays.
final class TorchGradient {
    private static final double EPSILON = 1e-5;
    private static final float NEVER = -1e9f;

    private final Architecture architecture;
    private final List<Architecture.Parameter> parameters;

    TorchGradient(Architecture architecture) {
        this.architecture = architecture;
        this.parameters = architecture.parameters();
    }

    /// Cross entropy between the teacher's probabilities and the model's, mean over steps; of the published model the
    /// squared error of its actions (section 4.3.1). And its gradient.
    ///
    /// @param gradient overwritten
    @SuppressWarnings("try")
    double loss(float[] weights, List<Lesson> lessons, float[] gradient) {
        try (PointerScope scope = new PointerScope()) {
            Tensor theta = tensor(weights, weights.length).set_requires_grad(true);
            int t = lessons.getFirst().length();
            Tensor outputs = outputs(theta, states(lessons), lessons.size(), t);
            int size = architecture.kind().outputs();
            float[] target = new float[lessons.size() * t * size];
            float[] mask = new float[target.length];
            int at = 0;
            for (Lesson l : lessons) {
                for (int i = 0; i < t; i++) {
                    for (int k = 0; k < size; k++, at++) {
                        target[at] = l.answers()[i][k];
                        mask[at] = l.offered()[i][k] ? 0 : NEVER;
                    }
                }
            }
            long rows = (long) lessons.size() * t;
            Tensor wanted = tensor(target, rows, size);
            Tensor loss = architecture.kind() == Architecture.Kind.PUBLISHED
                    ? torch.mse_loss(outputs, wanted)
                    : torch.log_softmax(outputs.add(tensor(mask, rows, size)), 1)
                            .mul(wanted)
                            .sum(new ScalarTypeOptional())
                            .mul(new Scalar(-1.0 / rows));
            loss.backward();
            theta.grad().contiguous().data_ptr_float().get(gradient);
            return loss.item_double();
        }
    }

    /// The outputs of the model at all steps of a lesson, (N+1) x [Architecture.Kind#outputs].
    @SuppressWarnings("try")
    float[] outputs(float[] weights, Lesson lesson) {
        try (PointerScope scope = new PointerScope()) {
            Tensor outputs = outputs(tensor(weights, weights.length), states(List.of(lesson)), 1, lesson.length());
            float[] values = new float[(int) outputs.numel()];
            outputs.contiguous().data_ptr_float().get(values);
            return values;
        }
    }

    private Tensor states(List<Lesson> lessons) {
        int t = lessons.getFirst().length();
        float[] x = new float[lessons.size() * t * architecture.kind().inputs()];
        int at = 0;
        for (Lesson l : lessons) {
            for (float[] state : l.states()) {
                System.arraycopy(state, 0, x, at, state.length);
                at += state.length;
            }
        }
        return tensor(x, (long) lessons.size() * t, architecture.kind().inputs());
    }

    private static Tensor tensor(float[] values, long... shape) {
        try (FloatPointer p = new FloatPointer(values)) {
            return torch.from_blob(p, shape, new TensorOptions(torch.ScalarType.Float))
                    .clone();
        }
    }

    private Tensor outputs(Tensor theta, Tensor x, int batch, int t) {
        long[] sizes =
                parameters.stream().mapToLong(Architecture.Parameter::size).toArray();
        var w = new Weights(theta.split_with_sizes(sizes, 0));
        Tensor h = switch (architecture.kind()) {
            case DNNFUSER -> transformer(w, linear(w, x), batch, t);
            case SEQ2SEQ -> lstm(w, x, batch, t);
            case PUBLISHED -> published(w, x, batch, t);
        };
        return linear(w, h);
    }

    /// The tokens of the paper; the action is read at the state's.
    private Tensor published(Weights w, Tensor x, int batch, int t) {
        Tensor[] tokens = new Tensor[PublishedFormulation.TOKENS];
        int at = 0;
        for (int k = 0; k < tokens.length; k++) {
            int size = PublishedFormulation.width(k);
            tokens[k] = linear(w, x.narrow(1, at, size));
            at += size;
        }
        Tensor time = w.take();
        for (int k = 0; k < tokens.length; k++) {
            long[] steps = new long[t];
            for (int i = 0; i < t; i++) {
                steps[i] = PublishedFormulation.time(k, i);
            }
            tokens[k] = tokens[k].view(batch, t, architecture.width()).add(time.index_select(0, indices(steps)));
        }
        Tensor h =
                torch.stack(new TensorVector(tokens), 2).view((long) batch * t * tokens.length, architecture.width());
        return transformer(w, h, batch, t * tokens.length)
                .view(batch, t, tokens.length, architecture.width())
                .select(2, tokens.length - 1)
                .contiguous()
                .view((long) batch * t, architecture.width());
    }

    private static Tensor indices(long[] values) {
        try (LongPointer p = new LongPointer(values)) {
            return torch.from_blob(p, new long[] {values.length}, new TensorOptions(torch.ScalarType.Long))
                    .clone();
        }
    }

    /// Hands out the weights in order.
    private final class Weights {
        private final TensorVector parts;
        private int next;

        Weights(TensorVector parts) {
            this.parts = parts;
        }

        Tensor take() {
            Architecture.Parameter p = parameters.get(next);
            Tensor part = parts.get(next++);
            return p.isMatrix() ? part.view(p.rows(), p.columns()) : part;
        }
    }

    private static Tensor linear(Weights w, Tensor x) {
        Tensor weight = w.take();
        return torch.addmm(w.take(), x, weight);
    }

    private Tensor norm(Weights w, Tensor x) {
        Tensor gain = w.take();
        return torch.layer_norm(
                x,
                new long[] {architecture.width()},
                new TensorOptional(gain),
                new TensorOptional(w.take()),
                EPSILON,
                false);
    }

    private Tensor transformer(Weights w, Tensor tokens, int batch, int t) {
        int width = architecture.width();
        int heads = architecture.heads();
        Tensor h = tokens;
        for (int b = 0; b < architecture.blocks(); b++) {
            Tensor qkv = linear(w, norm(w, h))
                    .view(batch, t, 3, heads, width / heads)
                    .permute(2, 0, 3, 1, 4);
            Tensor attended = torch.scaled_dot_product_attention(
                    qkv.select(0, 0),
                    qkv.select(0, 1),
                    qkv.select(0, 2),
                    new TensorOptional(),
                    0.0,
                    true,
                    new DoubleOptional(),
                    false);
            h = h.add(linear(w, attended.transpose(1, 2).contiguous().view((long) batch * t, width)));
            h = h.add(linear(w, linear(w, norm(w, h)).relu()));
        }
        return norm(w, h);
    }

    private Tensor lstm(Weights w, Tensor x, int batch, int t) {
        Tensor states = x.view(batch, t, StateEncoder.SIZE);
        Tensor encoded = recurrent(w, states.narrow(2, 0, StateEncoder.FIXED).flip(1), batch)
                .flip(1);
        Tensor decoded = recurrent(w, torch.cat(new TensorVector(states, encoded), 2), batch);
        return linear(w, decoded.contiguous().view((long) batch * t, architecture.width()))
                .relu();
    }

    private Tensor recurrent(Weights w, Tensor x, int batch) {
        Tensor input = w.take().t().contiguous();
        Tensor hidden = w.take().t().contiguous();
        Tensor bias = w.take();
        Tensor zero =
                torch.zeros(new long[] {1, batch, architecture.width()}, new TensorOptions(torch.ScalarType.Float));
        Tensor none = torch.zeros(new long[] {4L * architecture.width()}, new TensorOptions(torch.ScalarType.Float));
        return torch.lstm(
                        x.contiguous(),
                        new TensorVector(zero, zero),
                        new TensorVector(input, hidden, bias, none),
                        true,
                        1,
                        0.0,
                        true,
                        false,
                        true)
                .get0();
    }
}
