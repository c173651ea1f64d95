package knobscape.work;

/// Something a person chooses by name: a method, an evaluator, an export form.
public interface Named {
    /// Name as on the command line (`cgp`).
    String name();

    /// Label for a person (`CGP`).
    String label();

    /// One sentence.
    String description();

    /// True if a person may name a program or folder with it (`vitis:FOLDER`); not by default.
    default boolean takesPlace() {
        return false;
    }

    /// True for a method as a paper describes it, which its label names with the year (`DGP (Sun 2021)`).
    default boolean isOfPaper() {
        return label().matches(".*\\(.* \\d{4}\\)");
    }

    /// False for a method that answers after one evaluation, or a few, whatever a run may spend.
    default boolean spendsSteps() {
        return true;
    }
}
