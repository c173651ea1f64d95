/// Layer fusion: how many samples of each layer's output are kept on chip, and where the batch is synchronised through off-chip memory instead.
package knobscape.fusion;
