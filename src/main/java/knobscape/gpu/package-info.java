/// GPU schedules: spaces of tuning templates, the loop nests they describe, kernels, devices and exports.
package knobscape.gpu;
