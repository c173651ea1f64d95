/// A kernel of one's own, compiled, checked and timed in a process of its own that may be killed at any time.
package knobscape.study.kernel;
