package knobscape;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads golden values: small JSON files under `golden/` that other people's programs made (each beside the
/// script that made it).
public final class Golden {
    private Golden() {}

    /// The document `golden/name`.
    public static JsonNode read(String name) {
        try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A list of numbers; JSON null reads as NaN.
    public static double[] vector(JsonNode node) {
        double[] v = new double[node.size()];
        for (int i = 0; i < v.length; i++) {
            v[i] = node.get(i).isNull() ? Double.NaN : node.get(i).asDouble();
        }
        return v;
    }

    /// A list of rows.
    public static double[][] matrix(JsonNode node) {
        double[][] rows = new double[node.size()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = vector(node.get(i));
        }
        return rows;
    }
}
