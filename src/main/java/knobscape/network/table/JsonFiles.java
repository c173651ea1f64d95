package knobscape.network.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JSON documents from files, bounded.
final class JsonFiles {
    private static final long LARGEST = 64L << 20;

    private JsonFiles() {
    }

    static JsonNode read(Path file) {
        try {
            if (Files.isDirectory(file)) {
                throw new UserError("'" + file + "' is a folder; name a JSON file of a network.");
            }
            if (Files.size(file) > LARGEST) {
                throw new UserError("'" + file + "' is larger than 64 MB, which no network description is; it is not read.");
            }
            String text = Files.readString(file);
            if (text.isBlank()) {
                throw new UserError(file + " is empty; a JSON description of a network is wanted.");
            }
            return JsonMapper.shared().readTree(text);
        } catch (NoSuchFileException e) {
            throw new UserError("There is no file '" + file + "'.", e);
        } catch (IOException e) {
            throw new UserError("Cannot read '" + file + "': it is no UTF-8 text or not readable.", e);
        } catch (JacksonException e) {
            throw JsonFields.invalid(file.toString(), e);
        }
    }

    static void checkFormat(JsonNode root, String format, int version, String file) {
        if (!root.path("format").asString("").equals(format)) {
            throw new UserError(file + " has no \"format\": \"" + format + "\".");
        }
        JsonNode v = root.path("formatVersion");
        if (!v.isInt() || v.asInt() < 1) {
            throw new UserError(file + ": \"formatVersion\" must be a number from 1.");
        }
        if (v.asInt() > version) {
            throw new UserError(file + " is of format version " + v.asInt() + ", written by a newer program; this one reads up to " + version + ".");
        }
    }
}
