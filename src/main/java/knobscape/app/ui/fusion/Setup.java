package knobscape.app.ui.fusion;

import java.nio.file.Path;
import knobscape.evaluate.report.FileOutput;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.StripWorkbench;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.space.Strategy;
import knobscape.project.Project;
import knobscape.space.Sha256;

/// The person's settings: the accelerator with its buffer, the batch, and the strategy. Undo puts back a whole
/// one.
///
/// @param accelerator what the layers run on
/// @param batch samples, B
/// @param objective what the exact answer makes least
/// @param strategy the selected strategy
record Setup(Accelerator accelerator, int batch, Objective objective, Strategy strategy) {

    Setup with(Accelerator value) {
        return new Setup(value, batch, objective, strategy);
    }

    Setup with(Strategy value) {
        return new Setup(accelerator, batch, objective, value);
    }

    Setup with(Objective value) {
        return new Setup(accelerator, batch, value, strategy);
    }

    /// That of a run in strips.
    Setup of(StripWorkbench run) {
        return withBatch((int) run.work().batch())
                .with(run.work().accelerator())
                .with(run.settings().objective());
    }

    /// Settings of work with all of it. An accelerator that is neither the project's nor built in gets a file among
    /// the runs, under a name that no other content has. Away from the screen.
    FusionSettings settings(FusionSettings of, Project project) {
        Accelerator bare = accelerator.withBuffer(1);
        String name = of.accelerator();
        if (!AcceleratorFile.named(name, project.folder()).withBuffer(1).equals(bare)) {
            name = Accelerator.presets().stream()
                    .filter(a -> a.withBuffer(1).equals(bare))
                    .findFirst()
                    .map(Accelerator::name)
                    .orElseGet(() -> {
                        Path file = project.runsFolder()
                                .resolve("accelerators")
                                .resolve("accelerator-" + Sha256.name(bare.toString()) + ".json");
                        FileOutput.write(file, AcceleratorFile.json(accelerator).toPrettyString() + "\n");
                        return file.toString();
                    });
        }
        return of.with(FusionSettings.ACCELERATOR, name)
                .with(FusionSettings.BUFFER, accelerator.bufferBytes())
                .with(FusionSettings.BATCH, batch)
                .with(FusionSettings.OBJECTIVE, objective);
    }

    /// Another batch; entries above it become it.
    Setup withBatch(int value) {
        int[] s = strategy.toArray();
        for (int i = 0; i < s.length; i++) {
            s[i] = Math.min(s[i], value);
        }
        return new Setup(accelerator, value, objective, Strategy.of(s));
    }
}
