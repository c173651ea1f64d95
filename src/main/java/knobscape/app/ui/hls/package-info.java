/// The area of FPGA directives: puts the parts of the window together for HLS work.
package knobscape.app.ui.hls;
