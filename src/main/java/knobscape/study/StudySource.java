package knobscape.study;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.study.export.StudyDraft;
import knobscape.study.source.StudyReader;

/// The text a study is read from: its file, or the source of a kernel. Of a source the study file beside it counts, and
/// where there is none the one that would be drafted of it.
///
/// @param file of the study; of a draft where it would lie
/// @param isDraft whether nobody has written it
record StudySource(Path file, String text, boolean isDraft) {
    private static final Pattern SOURCE = Pattern.compile("(?i)\\.(cl|cu)$");
    private static final Pattern KERNEL = Pattern.compile("\\b(?:__kernel|kernel\\s+void|__global__)\\b");
    private static final long LARGEST = 16L << 20;

    /// True for the source of a kernel, by its name and text.
    static boolean isKernel(Path file) {
        if (!SOURCE.matcher(file.toString()).find() || !Files.isRegularFile(file)) {
            return false;
        }
        try {
            return KERNEL.matcher(InputFile.required(file, LARGEST)).find();
        } catch (UserError e) {
            return false;
        }
    }

    /// Reads it; throws [UserError] where that cannot be done, and where what would be drafted could not be run.
    static StudySource of(Path file) {
        if (!isKernel(file)) {
            return new StudySource(file, StudyReader.text(file), false);
        }
        Path own = file.resolveSibling(StudyReader.stem(file) + ".study.yaml");
        if (Files.exists(own)) {
            return new StudySource(own, StudyReader.text(own), false);
        }
        StudyDraft draft = StudyDraft.of(file, InputFile.required(file, LARGEST));
        draft.objection().ifPresent(why -> {
            throw new UserError(
                    file + ":" + why + ". To see and change what is drafted of it: knobscape study new " + file + ".");
        });
        return new StudySource(own, draft.text(), true);
    }
}
