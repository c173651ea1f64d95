/// What a fusion strategy costs: an analytical model of a DNN accelerator with two memories (DNNFuser, arXiv 2201.11218, sections 3 and 5.1).
package knobscape.fusion.evaluate;
