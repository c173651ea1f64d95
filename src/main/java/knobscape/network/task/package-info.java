/// Tuning tasks: the distinct pieces of work in a network, with their counts.
package knobscape.network.task;
