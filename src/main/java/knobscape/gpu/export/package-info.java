/// What leaves the program: kernels with a launch header and a host example, schedules, tuning logs in AutoTVM's form, tables.
package knobscape.gpu.export;
