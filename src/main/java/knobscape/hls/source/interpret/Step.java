package knobscape.hls.source.interpret;

/// Runs a statement and tells how it goes on.
@FunctionalInterface
interface Step {
    int NEXT = 0;
    int BREAK = 1;
    int CONTINUE = 2;
    int RETURN = 3;

    int run(Frame frame);
}
