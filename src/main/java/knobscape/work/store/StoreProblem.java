package knobscape.work.store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import knobscape.evaluate.UserError;

/// The message to a person where a store of runs fails.
public final class StoreProblem {
    /// SQLite's code for a file whose inside does not fit together.
    private static final int CORRUPT = 11;
    /// SQLite's code for a file that another process keeps locked.
    private static final int BUSY = 5;
    /// SQLite's code for a file that is none of its own.
    private static final int NOT_A_DATABASE = 26;
    /// Extended codes have the plain one in their last byte.
    private static final int PLAIN_CODE = 0xFF;

    private StoreProblem() {}

    /// SQLite's codes for a disk without room, a failure of the disk, and a file that cannot be opened.
    private static final int FULL = 13;
    private static final int DISK = 10;
    private static final int CANNOT_OPEN = 14;
    /// SQLite's codes for a statement that was given up, and for a value above the limit.
    private static final int INTERRUPTED = 9;
    private static final int TOO_BIG = 18;
    /// SQLite's code for a file that may only be read.
    private static final int READ_ONLY = 8;
    /// Longest path that SQLite opens for certain, in bytes.
    private static final int LONGEST_PATH = 500;

    /// A failure of SQLite.
    ///
    /// @param doing what was tried, up to the file's name: `Cannot open the runs in`
    public static UserError of(String doing, Path file, SQLException e) {
        int code = e.getErrorCode() & PLAIN_CODE;
        return switch (code) {
            case CORRUPT, NOT_A_DATABASE -> damaged(file, e);
            case FULL, DISK ->
                new UserError(
                        doing + " " + file + ": "
                                + (code == FULL ? "the disk is full" : "the disk refuses (is it full?)")
                                + "; make room. What was stored is kept"
                                + (doing.contains("run") ? ", and the run can be resumed." : "."),
                        e);
            default -> new UserError(doing + " " + file + ": " + why(file, code, e) + ".", e);
        };
    }

    /// True if a failure is of a file whose inside does not fit together.
    public static boolean isDamage(SQLException e) {
        int code = e.getErrorCode() & PLAIN_CODE;
        return code == CORRUPT || code == TOO_BIG || code == NOT_A_DATABASE;
    }

    /// True if a failure is of a file that another process keeps locked.
    static boolean isBusy(SQLException e) {
        return (e.getErrorCode() & PLAIN_CODE) == BUSY;
    }

    private static String why(Path file, int code, SQLException e) {
        if (code == INTERRUPTED) {
            return "a question takes far longer than runs of this program can; the file is not as it was made, move it away";
        }
        if (code == TOO_BIG) {
            return "a value is larger than any of this program; the file is not as it was made, move it away";
        }
        if (code == CANNOT_OPEN && bytes(file) > LONGEST_PATH) {
            return "its path has " + bytes(file) + " bytes, more than the store can open; name a shorter one (--out)";
        }
        if ((code == CANNOT_OPEN || code == READ_ONLY) && isReadOnly(file)) {
            return "its folder is read-only; name another place, or change its permissions";
        }
        if (code == BUSY) {
            return "another process keeps it locked; try again, or end that process";
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage()).replaceFirst("\\.$", "");
    }

    private static boolean isReadOnly(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder != null && Files.isDirectory(folder) && !Files.isWritable(folder);
    }

    private static int bytes(Path file) {
        return file.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8).length;
    }

    /// A file that cannot be what was stored.
    public static UserError damaged(Path file, Exception cause) {
        return new UserError(
                file
                        + " is damaged; put a copy of it back, or begin anew in another folder (--out): results that were written beside it are as they were.",
                cause);
    }
}
