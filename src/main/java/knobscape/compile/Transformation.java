package knobscape.compile;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The changes to a copy of a module, in the order of the components.
///
/// @param top the only function that stays visible from outside, all others and all defined variables become private;
/// empty leaves all as they are
/// @param attributes attributes of functions: function, then attribute (`noalias@1` for one of the first parameter),
/// then whether it is put on or taken off
/// @param loops properties of loops: name (`llvm.loop.unroll.count`) to a number or nothing, by
/// [knobscape.compile.ir.IrLoopMark#COPY] in a derived module and by [knobscape.compile.ir.IrLoopMark#ID] in a loaded
/// one
/// @param withoutMarkers whether calls of functions whose name starts with [#MARKER] are taken out
/// @param withoutValues whether it is forgotten which values variables have; where they lie in memory stays known
/// @param pipelines passes in LLVM's notation, run one after the other
public record Transformation(
        Optional<String> top,
        Map<String, Map<String, Boolean>> attributes,
        Map<Long, Map<String, OptionalLong>> loops,
        boolean withoutMarkers,
        boolean withoutValues,
        List<String> pipelines) {
    /// How names of functions start whose calls mark places of the source.
    public static final String MARKER = "__kn_";

    /// Functions named like markers that are none: what the headers make of reads, writes and polls of queues.
    public static final Set<String> QUEUES = Set.of("__kn_rd", "__kn_wr", "__kn_poll");

    /// True if calls of a function mark a place of the source and compute nothing.
    public static boolean isMarker(String function) {
        return function.startsWith(MARKER) && !QUEUES.contains(function);
    }

    public Transformation {
        attributes = Map.copyOf(attributes);
        loops = Map.copyOf(loops);
        pipelines = List.copyOf(pipelines);
    }

    /// With the values of variables.
    public Transformation(
            Optional<String> top,
            Map<String, Map<String, Boolean>> attributes,
            Map<Long, Map<String, OptionalLong>> loops,
            boolean withoutMarkers,
            List<String> pipelines) {
        this(top, attributes, loops, withoutMarkers, false, pipelines);
    }

    /// Passes alone.
    public static Transformation passes(String... pipelines) {
        return new Transformation(Optional.empty(), Map.of(), Map.of(), false, List.of(pipelines));
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(top.orElse(""));
        out.writeInt(attributes.size());
        for (var function : attributes.entrySet()) {
            out.writeUTF(function.getKey());
            out.writeInt(function.getValue().size());
            for (var attribute : function.getValue().entrySet()) {
                out.writeUTF(attribute.getKey());
                out.writeBoolean(attribute.getValue());
            }
        }
        out.writeInt(loops.size());
        for (var loop : loops.entrySet()) {
            out.writeLong(loop.getKey());
            out.writeInt(loop.getValue().size());
            for (var property : loop.getValue().entrySet()) {
                out.writeUTF(property.getKey());
                out.writeBoolean(property.getValue().isPresent());
                out.writeLong(property.getValue().orElse(0));
            }
        }
        out.writeBoolean(withoutMarkers);
        out.writeBoolean(withoutValues);
        write(pipelines, out);
    }

    static Transformation read(DataInputStream in) throws IOException {
        String top = in.readUTF();
        var attributes = new HashMap<String, Map<String, Boolean>>();
        for (int left = in.readInt(); left > 0; left--) {
            var of = attributes.computeIfAbsent(in.readUTF(), _ -> new HashMap<>());
            for (int k = in.readInt(); k > 0; k--) {
                of.put(in.readUTF(), in.readBoolean());
            }
        }
        var loops = new HashMap<Long, Map<String, OptionalLong>>();
        for (int left = in.readInt(); left > 0; left--) {
            var of = loops.computeIfAbsent(in.readLong(), _ -> new HashMap<>());
            for (int k = in.readInt(); k > 0; k--) {
                String name = in.readUTF();
                boolean number = in.readBoolean();
                long value = in.readLong();
                of.put(name, number ? OptionalLong.of(value) : OptionalLong.empty());
            }
        }
        boolean withoutMarkers = in.readBoolean();
        boolean withoutValues = in.readBoolean();
        return new Transformation(
                Optional.of(top).filter(t -> !t.isEmpty()),
                attributes,
                loops,
                withoutMarkers,
                withoutValues,
                words(in));
    }

    private static void write(List<String> words, DataOutputStream out) throws IOException {
        out.writeInt(words.size());
        for (String w : words) {
            out.writeUTF(w);
        }
    }

    private static List<String> words(DataInputStream in) throws IOException {
        var all = new ArrayList<String>();
        for (int left = in.readInt(); left > 0; left--) {
            all.add(in.readUTF());
        }
        return all;
    }
}
