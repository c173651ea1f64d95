/// Tuning templates: for a piece of work, the knobs of its schedules and the loop nests they stand for.
package knobscape.gpu.space.template;
