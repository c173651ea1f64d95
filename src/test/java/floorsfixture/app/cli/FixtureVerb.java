package floorsfixture.app.cli;

/// Breaks nothing: the command line may exit and print.
public record FixtureVerb(String name) {
    /// Prints and ends the program.
    public void run() {
        System.out.println(name);
        System.exit(0);
    }
}
