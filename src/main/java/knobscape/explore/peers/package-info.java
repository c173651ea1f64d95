/// Methods an engineer would try instead, in their plainest form: what the searches of thesis chapter 3 are
/// held against in benches. All of them see the highest fidelity alone.
package knobscape.explore.peers;
