package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import knobscape.hls.evaluate.estimator.Program.Invoke;
import knobscape.hls.evaluate.estimator.Program.Procedure;
import knobscape.hls.evaluate.estimator.Program.Store;

/// Structs that the top function takes by address. The tool keeps one as a single wide register, in which every
/// access at a variable index shifts the whole word, unless a function that stays a module takes a part of a
/// member by its address, which only a memory has; a module that takes two members at once needs the word again.
final class Aggregates {
    private Aggregates() {}

    /// By array: bits of the register that holds the struct it is a member of, 0 for memories.
    ///
    /// @param inline what the directives say of each function
    static int[] bits(Program program, byte[] inline) {
        int[] bits = new int[program.arrays().size()];
        for (List<Store> members : program.structs()) {
            int[] ids = members.stream().mapToInt(Store::id).toArray();
            if (isRegister(program, inline, ids)) {
                int width = members.stream()
                        .mapToInt(m ->
                                (int) Math.min(1 << 20, m.bits() * m.source().elements()))
                        .sum();
                Arrays.stream(ids).forEach(i -> bits[i] = width);
            }
        }
        return bits;
    }

    private static boolean isRegister(Program program, byte[] inline, int[] members) {
        var calls = new ArrayList<Invoke>();
        for (Procedure p : program.functions()) {
            Bodies.forEachValue(p.body, v -> {
                if (v instanceof Invoke i && !inlined(i.callee(), inline)) {
                    calls.add(i);
                }
            });
        }
        boolean parts = false;
        for (Invoke c : calls) {
            int count = 0;
            for (int k = 0; k < c.actuals().length; k++) {
                int actual = c.actuals()[k];
                if (Arrays.stream(members).anyMatch(m -> m == actual)) {
                    count++;
                    parts |= program.arrays().get(c.formals()[k]).source().elements() == 0;
                }
            }
            if (count > 1) {
                return true;
            }
        }
        return !parts;
    }

    private static boolean inlined(Procedure f, byte[] inline) {
        return inline[f.id] == 1 || (inline[f.id] < 0 && f.explicitInline);
    }
}
