package knobscape.app.cli;

import knobscape.app.doctor.Diagnosis;
import picocli.CommandLine.Command;
import tools.jackson.databind.json.JsonMapper;

/// `knobscape doctor`: what was found on this machine, and how to fix what is missing.
@Command(
        name = "doctor",
        description =
                "Show what was found on this machine (Java, display, GPU, CUDA, OpenCL, FPGA tools, Slurm, disk) and how to fix what is missing.")
final class DoctorCommand extends Verb {
    DoctorCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
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
        return diagnosis.isUsable() ? 0 : Problems.WORK_FAILED;
    }
}
