/// Networks written as loops over named dimensions: workloads of ZigZag, Stream, Timeloop and AccelForge.
package knobscape.network.einsum;
