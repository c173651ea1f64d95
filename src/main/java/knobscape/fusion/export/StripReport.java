package knobscape.fusion.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import knobscape.evaluate.report.DesignCsv;
import knobscape.fusion.evaluate.strip.GroupCosts;
import knobscape.fusion.evaluate.strip.GroupPlan;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.source.StripMachine;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// An answer of strip fusion in words, as a document, a table and a timeline.
///
/// @param model network, accelerator, batch
/// @param accelerator that of the model
/// @param answer of the model
/// @param front the exact front it belongs to, in order of time; empty where nobody asked
/// @param thinned what the front leaves out, a sentence; empty where it is whole
/// @param sensitivities what a little more of everything brings, a sentence; empty where nobody asked
/// @param claim what is known of it
public record StripReport(
        StripModel model,
        Accelerator accelerator,
        StripAnswer answer,
        List<StripAnswer> front,
        String thinned,
        String sensitivities,
        Claim claim) {
    /// The value of `format`.
    public static final String FORMAT = "knobscape-strips";
    /// The caption of the table of a front.
    private static final String FRONT =
            "front of time and off-chip traffic, and the fastest and the leanest answer of smaller buffers";

    private static final int VERSION = 1;
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final double MICRO = 1e6;
    /// Gains below this are none.
    private static final double NOTHING = 1.05;
    /// Speeds that differ by less are the same.
    private static final double SAME = 0.005;

    /// The claim about an answer.
    public enum Claim {
        /// Nothing is better in what is made least: the exact search gave it.
        PROVEN,
        /// Somebody asked what it costs; others may be better.
        SHOWN
    }

    /// Copies the front.
    public StripReport {
        front = List.copyOf(front);
    }

    /// A proven one without front and sensitivities.
    public StripReport(StripModel model, Accelerator accelerator, StripAnswer answer) {
        this(model, accelerator, answer, List.of(), "", "", Claim.PROVEN);
    }

    /// The resource that a group waits for.
    public enum Wait {
        /// Multiply-accumulates.
        COMPUTE("compute"),
        /// The off-chip memory.
        OFF_CHIP("off-chip memory"),
        /// The buffer's bandwidth.
        ON_CHIP("on-chip memory"),
        /// Starting layers on strips.
        LAUNCHES("launches");

        private final String words;

        Wait(String words) {
            this.words = words;
        }

        /// As a person reads it.
        public String words() {
            return words;
        }
    }

    /// A group with what its cost is made of.
    public record Group(GroupPlan plan, GroupCosts.Parts parts, Wait waits) {}

    /// The groups in order.
    public List<Group> groups() {
        var costs = new GroupCosts(model);
        var groups = new ArrayList<Group>();
        for (GroupPlan p : answer.groups()) {
            GroupCosts.Parts parts = costs.parts(p);
            groups.add(new Group(p, parts, wait(p, parts)));
        }
        return groups;
    }

    private Wait wait(GroupPlan p, GroupCosts.Parts parts) {
        Wait longest = Wait.COMPUTE;
        for (Wait w : Wait.values()) {
            longest = seconds(p, parts, w) > seconds(p, parts, longest) ? w : longest;
        }
        return longest;
    }

    private double seconds(GroupPlan p, GroupCosts.Parts parts, Wait of) {
        StripMachine m = model.machine();
        return switch (of) {
            case COMPUTE -> parts.computeSeconds();
            case OFF_CHIP -> p.cost().offChip() / m.offBandwidth();
            case ON_CHIP -> (p.cost().offChip() + p.cost().onChip()) / m.onBandwidth();
            case LAUNCHES -> parts.launches() * m.launchSeconds();
        };
    }

    /// Seconds that a resource works in a group.
    public double seconds(Group g, Wait of) {
        return seconds(g.plan(), g.parts(), of);
    }

    /// Names of the layers of a group.
    public String layers(GroupPlan p) {
        String first = model.graph().node(p.first()).name();
        return p.first() == p.last()
                ? first
                : first + " .. " + model.graph().node(p.last()).name();
    }

    /// Rows of the layer that sets a group's pace.
    public int rows(GroupPlan p) {
        for (int i = p.last(); i >= p.first(); i--) {
            if (model.graph().node(i).rows() > 1) {
                return model.graph().node(i).rows();
            }
        }
        return 1;
    }

    /// How a group is cut: its strips, its stripes of columns, and whether rows are made again.
    public String strips(GroupPlan p) {
        return p.pieces().strip() + " of " + rows(p)
                + (p.pieces().columns() > 1 ? " x " + p.pieces().columns() + " stripes" : "")
                + (p.pieces().recomputes() ? ", made again" : "");
    }

    /// Network, batch, accelerator and buffer on one line.
    public String subject() {
        return model.graph().name() + ", " + model.graph().layers() + " layers, "
                + samples() + ", accelerator " + accelerator.name() + ", buffer "
                + ByteSize.shown(accelerator.bufferBytes());
    }

    private String samples() {
        long s = model.samples();
        return model.graph().samples() > 1 ? s + " heads" : "batch " + s;
    }

    /// The answer in one sentence, as the headline.
    public String headline() {
        if (claim == Claim.SHOWN && answer.total().equals(answer.unfused().total())) {
            return String.format(
                    Locale.ROOT,
                    "Every layer alone takes %s us; off-chip traffic %s, %s.",
                    micro(answer.total().seconds()),
                    ByteSize.shown(answer.total().offChip()),
                    overBound());
        }
        return smallest()
                + String.format(
                        Locale.ROOT,
                        "%s every layer alone%s (%s us instead of %s us); off-chip traffic %s instead of %s, %s.",
                        faster(answer.speedup()),
                        baseline(),
                        micro(answer.total().seconds()),
                        micro(answer.unfused().total().seconds()),
                        ByteSize.shown(answer.total().offChip()),
                        ByteSize.shown(answer.unfused().total().offChip()),
                        overBound());
    }

    private String overBound() {
        return String.format(
                Locale.ROOT,
                "%.2f times the least possible (%s)",
                answer.trafficOverBound(),
                ByteSize.shown(answer.bound().offChip()));
    }

    /// A ratio of speeds, to be followed by what is compared with.
    private static String faster(double speedup) {
        return Math.abs(speedup - 1) < SAME
                ? "As fast as"
                : speedup > 1
                        ? String.format(Locale.ROOT, "%.2fx faster than", speedup)
                        : String.format(Locale.ROOT, "%.2fx slower than", 1 / speedup);
    }

    private String smallest() {
        return answer.objective() == Objective.ROOM
                ? "Runs with a buffer of " + ByteSize.shown(answer.room()) + " and none smaller. "
                : "";
    }

    /// The buffer of every layer alone, where it is another.
    private String baseline() {
        long own = answer.unfused().buffer();
        return own > model.machine().buffer()
                ? ", for which a layer needs " + ByteSize.shown(own)
                : answer.objective() == Objective.ROOM ? " with " + ByteSize.shown(own) : "";
    }

    /// The proof, and what an architect should know, one sentence each.
    public List<String> words() {
        var words = new ArrayList<String>();
        if (claim == Claim.PROVEN) {
            words.add(proven());
            gain().ifPresent(words::add);
        } else {
            words.add("Nothing is proven of this answer; the method exact gives the best there is.");
        }
        words.add(String.format(
                Locale.ROOT,
                "Nothing on this accelerator is faster than %s us (multiply-accumulates %s us, every byte once %s us)."
                        + " The most that is on chip at once is %s of %s.",
                micro(answer.bound().seconds()),
                micro(answer.bound().computeSeconds()),
                micro(answer.bound().offChip() / model.machine().offBandwidth()),
                ByteSize.shown(answer.room()),
                ByteSize.shown(model.machine().buffer())));
        if (!thinned.isEmpty()) {
            words.add(thinned);
        }
        if (!sensitivities.isEmpty()) {
            words.add("A little more: " + sensitivities);
        }
        return words;
    }

    private String proven() {
        return "Proven: among all groupings in this order of execution, with strips of rows kept or made again, "
                + (model.machine().counting().columns() > 1
                        ? "up to " + model.machine().counting().columns() + " stripes of columns, "
                        : "")
                + "samples at once, pinned and streamed weights, and tiles of partial sums for products alone, on one"
                + " buffer, none "
                + switch (answer.objective()) {
                    case TIME -> "is faster.";
                    case TRAFFIC -> "moves fewer bytes off chip.";
                    case ENERGY -> "takes less energy.";
                    case ROOM -> "runs with a smaller buffer, and of those that run with this one none is faster.";
                };
    }

    /// The caption of the table of the front.
    public String frontTitle() {
        return (thinned.isEmpty() ? "Exact " : "Thinned ") + FRONT;
    }

    /// Why fusion gains little, where it does.
    private Optional<String> gain() {
        if (model.graph().layers() == 1) {
            return Optional.of("There is nothing to fuse: the network has one layer.");
        }
        double traffic =
                (double) answer.unfused().total().offChip() / answer.total().offChip();
        if (answer.objective() == Objective.ROOM || answer.speedup() >= NOTHING) {
            return Optional.empty();
        }
        if (traffic >= NOTHING) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "Fusion saves traffic (%.1fx less), not time: the multiply-accumulates take %.0f %% of it.",
                    traffic,
                    100 * answer.bound().computeSeconds() / answer.total().seconds()));
        }
        String gains = "Fusion gains " + (answer.speedup() < 1 + SAME ? "nothing" : "little");
        return Optional.of(
                answer.trafficOverBound() < NOTHING
                        ? gains + " here: nearly all traffic is " + most()
                                + ", which cross the chip's border once in any case."
                        : gains + " at this buffer: together, layers leave less room for "
                                + (weightBytes() == 0 ? "K and V" : "weights") + ", and loading"
                                + " those again costs more than the results between the layers.");
    }

    private long weightBytes() {
        long sum = 0;
        for (int i = model.first(); i < model.end(); i++) {
            sum += model.weightBytes(i);
        }
        return sum;
    }

    /// The part that nearly all of the traffic is.
    private String most() {
        long weights = weightBytes();
        long cache = model.cacheBytes();
        double nearly = 0.9 * answer.total().offChip();
        return weights > nearly
                ? "weights"
                : cache > nearly
                        ? "K and V"
                        : weights + cache > nearly
                                ? "weights, K and V"
                                : weights > nearly / 2 ? "weights, inputs and results" : "inputs and results";
    }

    private static String micro(double seconds) {
        return figure(seconds * MICRO);
    }

    /// Four digits, all of those before the point, without an exponent.
    private static String figure(double value) {
        return value >= 1000 || value == 0
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.4g", value)
                        .replaceAll("(\\.\\d*?)0+$", "$1")
                        .replaceAll("\\.$", "");
    }

    /// How often the weights of a group cross the chip's border.
    public static String weights(Group g) {
        GroupCosts.Parts p = g.parts();
        if (p.again() == 0) {
            return p.weights() == 0 ? "-" : "loaded once";
        }
        if (g.plan().pieces().sums()) {
            return "partial sums kept"
                    + (g.plan().pieces().tiles() > 1
                            ? ", input read " + g.plan().pieces().tiles() + " times"
                            : "");
        }
        if (g.plan().pieces().tiles() > 1) {
            return "input read " + g.plan().pieces().tiles() + " times";
        }
        return p.weights() == 0
                ? "K and V loaded again"
                : String.format(Locale.ROOT, "loaded %.1f times", (double) (p.weights() + p.again()) / p.weights());
    }

    /// The document of the answer.
    public ObjectNode json() {
        ObjectNode root = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("formatVersion", VERSION)
                .put("network", model.graph().name())
                .put("samples", model.samples())
                .put("objective", answer.objective().name().toLowerCase(Locale.ROOT));
        root.put("valid", true)
                .put("proven", claim == Claim.PROVEN)
                .put("verdict", headline())
                .put("latencySeconds", answer.total().seconds())
                .put("baselineSeconds", answer.unfused().total().seconds())
                .put("lowerBoundSeconds", answer.bound().seconds())
                .put("speedup", answer.speedup())
                .put("offChipBytes", answer.total().offChip())
                .put("baselineBufferBytes", answer.unfused().buffer())
                .put("baselineOffChipBytes", answer.unfused().total().offChip())
                .put("lowerBoundOffChipBytes", answer.bound().offChip())
                .put("trafficOverBound", answer.trafficOverBound())
                .put("onChipBytes", answer.total().onChip())
                .put("joules", answer.total().joules())
                .put("baselineJoules", answer.unfused().total().joules())
                .put("peakBytes", answer.room())
                .put("bufferBytes", model.machine().buffer());
        var words = root.putArray("words");
        words().forEach(words::add);
        if (!sensitivities.isEmpty()) {
            root.put("sensitivities", sensitivities);
        }
        if (!front.isEmpty()) {
            var points = root.putArray("front");
            front.forEach(a -> put(points.addObject(), a));
        }
        root.set("accelerator", AcceleratorFile.json(accelerator));
        var groups = root.putArray("groups");
        for (Group g : groups()) {
            GroupPlan p = g.plan();
            ObjectNode group = groups.addObject()
                    .put("first", p.first() - model.first() + 1)
                    .put("last", p.last() - model.first() + 1)
                    .put("samples", p.pieces().samples())
                    .put("rows", p.pieces().strip())
                    .put("paceRows", rows(p))
                    .put("columnStripes", p.pieces().columns())
                    .put("recomputes", p.pieces().recomputes())
                    .put("passes", p.pieces().tiles())
                    .put("partialSums", p.pieces().sums())
                    .put("seconds", p.cost().seconds())
                    .put("roomBytes", p.room())
                    .put("offChipBytes", p.cost().offChip())
                    .put("inputBytes", g.parts().input())
                    .put("outputBytes", g.parts().output())
                    .put("weightBytes", g.parts().weights())
                    .put("loadedAgainBytes", g.parts().again())
                    .put("onChipBytes", p.cost().onChip())
                    .put("launches", g.parts().launches())
                    .put("joules", p.cost().joules())
                    .put("waitsFor", g.waits().words());
            var layers = group.putArray("layers");
            for (int i = p.first(); i <= p.last(); i++) {
                layers.add(model.graph().node(i).name());
            }
        }
        return root;
    }

    /// Writes the figures of an answer.
    public static void put(ObjectNode point, StripAnswer a) {
        point.put("latencySeconds", a.total().seconds())
                .put("offChipBytes", a.total().offChip())
                .put("joules", a.total().joules())
                .put("peakBytes", a.room())
                .put("groups", a.groups().size());
    }

    /// The document as text.
    public String text() {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json()) + "\n";
    }

    /// A row a layer (RFC 4180).
    public String csv() {
        var b = new StringBuilder(
                "layer,name,group,samples,rows_per_strip,column_stripes,recomputes,passes,rows,row_bytes,weight_bytes,macs,partial_sums\r\n");
        int group = 0;
        for (GroupPlan p : answer.groups()) {
            group++;
            for (int i = p.first(); i <= p.last(); i++) {
                var n = model.graph().node(i);
                b.append(i - model.first() + 1)
                        .append(',')
                        .append(DesignCsv.cell(n.name()))
                        .append(',')
                        .append(group)
                        .append(',')
                        .append(p.pieces().samples())
                        .append(',')
                        .append(p.pieces().strip())
                        .append(',')
                        .append(p.pieces().columns())
                        .append(',')
                        .append(p.pieces().recomputes())
                        .append(',')
                        .append(p.pieces().tiles())
                        .append(',')
                        .append(n.rows())
                        .append(',')
                        .append(model.bytes(i) / n.rows())
                        .append(',')
                        .append(model.weightBytes(i))
                        .append(',')
                        .append(n.work().macs())
                        .append(',')
                        .append(p.pieces().sums())
                        .append("\r\n");
            }
        }
        return b.toString();
    }

    /// The timeline for Perfetto or chrome://tracing (trace event format, times in microseconds): groups, and how long
    /// each resource works in each.
    public String trace() {
        ObjectNode root = JSON.createObjectNode().put("displayTimeUnit", "ns");
        var events = root.putArray("traceEvents");
        Wait[] resources = Wait.values();
        for (int t = 0; t <= resources.length; t++) {
            events.addObject()
                    .put("ph", "M")
                    .put("name", "thread_name")
                    .put("pid", 1)
                    .put("tid", t)
                    .putObject("args")
                    .put("name", t == 0 ? "groups" : resources[t - 1].words());
        }
        double at = 0;
        for (Group g : groups()) {
            double whole = g.plan().cost().seconds() * MICRO;
            for (int t = 0; t <= resources.length; t++) {
                ObjectNode e = events.addObject()
                        .put("ph", "X")
                        .put("name", layers(g.plan()))
                        .put("pid", 1)
                        .put("tid", t)
                        .put("ts", at)
                        .put("dur", t == 0 ? whole : seconds(g, resources[t - 1]) * MICRO);
                e.putObject("args")
                        .put("offChipBytes", g.plan().cost().offChip())
                        .put("roomBytes", g.plan().room())
                        .put("launches", g.parts().launches())
                        .put("waitsFor", g.waits().words());
            }
            at += whole;
        }
        return JSON.writeValueAsString(root) + "\n";
    }

    /// The answer as a page of Markdown.
    public String markdown() {
        var b = new StringBuilder("# Layer fusion of " + model.graph().name() + "\n\n" + subject() + ".\n\n")
                .append(headline())
                .append("\n\n");
        words().forEach(w -> b.append("- ").append(w).append('\n'));
        b.append("\n"
                        + "| group | layers | samples | rows | time (us) | off-chip (MB) | room (kB) | weights |"
                        + " waits for |\n")
                .append("|---|---|---|---|---|---|---|---|---|\n");
        int n = 0;
        for (Group g : groups()) {
            n++;
            b.append(String.format(
                    Locale.ROOT,
                    "| %d | %s | %d | %s | %s | %s | %s | %s | %s |%n",
                    n,
                    layers(g.plan()).replace("|", "\\|"),
                    g.plan().pieces().samples(),
                    strips(g.plan()),
                    micro(g.plan().cost().seconds()),
                    figure(g.plan().cost().offChip() / 1e6),
                    figure(g.plan().room() / 1e3),
                    weights(g),
                    g.waits().words()));
        }
        if (!front.isEmpty()) {
            b.append("\n## " + frontTitle() + "\n\n")
                    .append("| time (us) | off-chip (MB) | energy (uJ) | room (kB) | groups |\n"
                            + "|---:|---:|---:|---:|---:|\n");
            front.forEach(a -> b.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %d |%n",
                    micro(a.total().seconds()),
                    figure(a.total().offChip() / 1e6),
                    figure(a.total().joules() * MICRO),
                    figure(a.room() / 1e3),
                    a.groups().size())));
        }
        return b.toString();
    }

    /// A curve as a document.
    public static ObjectNode json(StripSweep.Curve curve) {
        ObjectNode root = JSON.createObjectNode()
                .put("network", curve.network())
                .put("over", curve.axis().name().toLowerCase(Locale.ROOT));
        var points = root.putArray("points");
        for (StripSweep.Point p : curve.points()) {
            ObjectNode point = points.addObject()
                    .put("value", p.value())
                    .put("fits", p.answer().isPresent());
            p.answer().ifPresent(a -> {
                put(point, a);
                point.put("speedup", a.speedup()).put("trafficOverBound", a.trafficOverBound());
            });
        }
        if (curve.knee() >= 0) {
            root.put("knee", curve.points().get(curve.knee()).value());
        } else {
            root.putNull("knee");
        }
        return root;
    }
}
