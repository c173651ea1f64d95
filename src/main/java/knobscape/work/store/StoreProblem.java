package knobscape.work.store;

import java.nio.file.Path;
import java.sql.SQLException;
import knobscape.evaluate.UserError;

/// What a person is told where a store of runs fails.
public final class StoreProblem {
    /// SQLite's code for a file whose inside does not fit together.
    private static final int CORRUPT = 11;
    /// SQLite's code for a file that is none of its own.
    private static final int NOT_A_DATABASE = 26;
    /// Extended codes have the plain one in their last byte.
    private static final int PLAIN_CODE = 0xFF;

    private StoreProblem() {}

    /// A failure of SQLite.
    ///
    /// @param doing what was tried, up to the file's name: `Cannot open the runs in`
    public static UserError of(String doing, Path file, SQLException e) {
        int code = e.getErrorCode() & PLAIN_CODE;
        return code == CORRUPT || code == NOT_A_DATABASE
                ? damaged(file, e)
                : new UserError(doing + " " + file + ": " + e.getMessage() + ".", e);
    }

    /// A file that cannot be what was stored.
    public static UserError damaged(Path file, Exception cause) {
        return new UserError(
                file
                        + " is damaged; put a copy of it back, or begin anew in another folder (--out): results that were written beside it are as they were.",
                cause);
    }
}
