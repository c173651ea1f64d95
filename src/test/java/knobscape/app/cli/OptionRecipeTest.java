package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.app.ui.run.RunForm;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.project.Areas;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Named;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.json.JsonMapper;

/// The recipe for an option, followed by a double of an area that declares one more: one file declares it, one uses it.
class OptionRecipeTest {
    /// The declaration, all that is written for the option.
    private static final Parameter<Double> MARGIN = Parameter.real("margin", 0, ValueType.from(0, 50))
            .at("run.margin")
            .none("no margin")
            .unit("%")
            .words("Margin", "Part of the buffer that stays free")
            .option("--margin", "PERCENT");

    @TempDir
    private Path folder;

    /// Layer fusion with the option.
    private record Wider(FusionArea of) implements Area {
        @Override
        public About about() {
            return of.about();
        }

        @Override
        public Choices<? extends Named> methods() {
            return of.methods();
        }

        @Override
        public Choices<? extends Named> evaluators() {
            return of.evaluators();
        }

        @Override
        public Parameters parameters() {
            return of.parameters().and(Parameters.of(MARGIN));
        }

        @Override
        public Parameters runParameters() {
            return of.runParameters();
        }

        @Override
        public WorkSettings settings(Values values) {
            return of.settings(values);
        }

        @Override
        public BareProject bare(Path file) {
            return of.bare(file);
        }

        @Override
        public Workbench open(WorkSettings settings, WorkLocation place) {
            return of.open(settings, place);
        }
    }

    private record Here(Path folder) implements WorkLocation {
        @Override
        public boolean isScratch() {
            return true;
        }
    }

    private final Wider area = new Wider(new FusionArea());

    private Area.Work work() {
        return area.work(area.allParameters().usual().with(FusionSettings.NETWORK, "zoo:alexnet"));
    }

    @Test
    void theCommandLineHasItWithUnitDefaultAndBounds() {
        var options = new ParameterOptions(area.parameters());
        CommandSpec spec = CommandSpec.create();
        options.addTo(spec, "Work");
        assertThat(new CommandLine(spec).getUsageMessage(CommandLine.Help.Ansi.OFF))
                .contains("--margin=PERCENT")
                .containsPattern(
                        "Part of the buffer that stays free\\s+\\(0: no margin;\\s+default: the\\s+project's,\\s+else\\s+0\\)");
        Map<Parameter<?>, ParameterOptions.OptionUse> given =
                options.given(new CommandLine(spec).parseArgs("--margin", "12.5"));
        Area.Work asked = ParameterOptions.work(area, work(), new Here(folder), given, folder);
        assertThat(asked.settings().values().get(MARGIN)).isEqualTo(12.5);
        assertThatThrownBy(() -> ParameterOptions.work(
                        area,
                        work(),
                        new Here(folder),
                        options.given(new CommandLine(spec).parseArgs("--margin", "51")),
                        folder))
                .hasMessage("--margin must be a number from 0 to 50, not '51'.");
        assertThat(area.command(asked, work().settings(), new Here(folder))).containsSequence("--margin", "12.5");
    }

    @Test
    void projectsAndStoredRunsHoldIt() {
        Area.Work asked = area.work(work().values().with(MARGIN, 12.5));
        var json = JsonMapper.builder().build().createObjectNode();
        area.write(asked, json);
        assertThat(json.get("run").get("margin").doubleValue()).isEqualTo(12.5);
        assertThat(area.read(JsonFields.parse("knobscape.json", json.toString())))
                .isEqualTo(asked);
        assertThatThrownBy(() -> area.read(
                        JsonFields.parse("knobscape.json", json.toString().replace("12.5", "99"))))
                .isInstanceOf(UserError.class)
                .hasMessage("knobscape.json: run.margin must be a number from 0 to 50.");
        var stored = JsonMapper.builder().build().createObjectNode();
        area.parameters().writeStored(asked.settings().values(), stored);
        assertThat(area.readStored(JsonFields.parse("stored", stored.toString())))
                .isEqualTo(asked.settings());
    }

    @Test
    void theFormHasAFieldForIt() {
        var form = new RunForm(area, List.of(), Set.of());
        form.fill(work(), FusionWorkbench.open(new Here(folder), FusionSettings.of("zoo:alexnet")));
        assertThat(form.shown().get()).contains(MARGIN);
        assertThat(form.text(MARGIN).get()).isEqualTo("no margin");
        form.text(MARGIN).set("60");
        assertThat(form.check(work().settings())).isEmpty();
        assertThat(form.errors().get()).containsEntry(MARGIN, "Margin (%) must be a number from 0 to 50, not '60'.");
        form.text(MARGIN).set("7,5");
        assertThat(form.check(work().settings()).getFirst().settings().values().get(MARGIN))
                .isEqualTo(7.5);
    }

    /// No option is spelt outside of its declaration where verbs, forms and projects are made; so an option is one
    /// declaration and its use, two files.
    @Test
    void noOptionIsWrittenTwice() throws IOException {
        var all = new ArrayList<Path>();
        for (String room : List.of("app/ui", "project", "work")) {
            try (Stream<Path> files = Files.walk(Path.of("src/main/java/knobscape", room))) {
                files.filter(f -> f.toString().endsWith(".java")).forEach(all::add);
            }
        }
        for (String shared :
                List.of("RunVerb", "ParameterOptions", "RunReport", "FrontReport", "TuneReport", "FuseReport")) {
            all.add(Path.of("src/main/java/knobscape/app/cli", shared + ".java"));
        }
        for (Area each : Areas.standard().areas()) {
            for (Parameter<?> p : each.allParameters().list()) {
                if (p.option().isAbsent()) {
                    continue;
                }
                var literal =
                        Pattern.compile("names = \"" + Pattern.quote(p.option().name()) + "\"|option\\(\""
                                + Pattern.quote(p.option().name()) + "\"");
                List<Path> where = new ArrayList<>();
                for (Path file : all) {
                    if (literal.matcher(Files.readString(file)).find()) {
                        where.add(file.getFileName());
                    }
                }
                assertThat(where).as(p.option().name()).hasSizeLessThanOrEqualTo(1);
                assertThat(where.stream().map(Path::toString))
                        .as(p.option().name())
                        .isSubsetOf("RunSettings.java", "ToolSettings.java", "WorkSettings.java", "HistoryUse.java");
            }
        }
    }
}
