/// The area of GPU schedules: a network as a graph, its tuning tasks, and the search for fast kernels.
package knobscape.app.ui.gpu;
