package knobscape.app.cli;

import knobscape.app.doctor.Diagnosis;
import knobscape.hls.evaluate.Part;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/// `knobscape doctor`: what was found on this machine, and how to fix what is missing.
@Command(
        name = "doctor",
        description =
                "Show what was found on this machine (Java, display, GPU, CUDA, OpenCL, FPGA tools, Slurm, disk) and how to fix what is missing.")
final class DoctorCommand extends Verb {
    @Option(names = "--parts", description = "List the FPGA parts that are known, with their resources, instead.")
    private boolean parts;

    DoctorCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        if (parts) {
            listParts();
            return 0;
        }
        var diagnosis = Diagnosis.ofThisMachine(context().here());
        if (isJson()) {
            var root = JsonMapper.builder().build().createObjectNode();
            var list = root.putArray("checks");
            diagnosis
                    .checks()
                    .forEach(c -> list.addObject()
                            .put("name", c.name())
                            .put("state", c.state().words())
                            .put("needed", c.needed())
                            .put("found", c.found())
                            .put("advice", c.advice()));
            print(root);
        } else {
            var table = new TextTable("", "", "found");
            diagnosis.checks().forEach(c -> table.add(c.name(), c.state().words(), c.found()));
            out().print(table.text());
            diagnosis.checks().stream()
                    .filter(c -> !c.advice().isEmpty())
                    .forEach(c -> out().println(c.name() + ": " + c.advice()));
            out().flush();
        }
        return diagnosis.isUsable() ? 0 : ErrorReporter.WORK_FAILED;
    }

    private void listParts() {
        if (isJson()) {
            var root = JsonMapper.builder().build().createObjectNode();
            var list = root.putArray("parts");
            Part.all()
                    .forEach(p -> list.addObject()
                            .put("name", p.name())
                            .put("board", p.board())
                            .put("lut", p.lut())
                            .put("ff", p.ff())
                            .put("dsp", p.dsp())
                            .put("bram", p.bram())
                            .put("uram", p.uram()));
            print(root);
            return;
        }
        var table = new TextTable("part", "board", ">LUT", ">FF", ">DSP", ">BRAM 18K", ">URAM");
        Part.all()
                .forEach(p -> table.add(
                        p.name(),
                        p.board(),
                        String.valueOf(p.lut()),
                        String.valueOf(p.ff()),
                        String.valueOf(p.dsp()),
                        String.valueOf(p.bram()),
                        String.valueOf(p.uram())));
        out().print(table.text());
        out().flush();
    }
}
