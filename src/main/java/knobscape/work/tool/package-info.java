/// Programs of other people that evaluate designs: how they are started, watched, asked again, and ended, on this
/// machine or a Slurm cluster; what a stage came to is kept in a folder per design. Nothing about what they
/// evaluate. Start with [knobscape.work.tool.ToolEvaluator].
package knobscape.work.tool;
