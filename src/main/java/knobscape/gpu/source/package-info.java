/// What a network has to tune: its tasks by their templates, with what it fuses behind them.
package knobscape.gpu.source;
