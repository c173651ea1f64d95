/// The tuning template: a space of knobs for one piece of work, and for each of its members a
/// [knobscape.gpu.space.template.Schedule] of loop nests with an epilogue. Begin with
/// [knobscape.gpu.space.template.Template].
///
/// The templates themselves are in `gpu.space.operator`, the loop nests they are made of in `gpu.space.nest`.
package knobscape.gpu.space.template;
