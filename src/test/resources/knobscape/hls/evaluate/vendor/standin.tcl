# Stands in for vivado_hls, vitis_hls and vitis-run in tests: runs the generated script with the tools' commands
# defined, refuses what the tools refuse, and asks the test at PORT what to report and how to fail.
# argv: PORT TOOL VERSION the tool's own arguments
lassign $argv port tool version
set arguments [lrange $argv 3 end]
# Every start, for tests that ask what was started when.
set f [open [file join [file dirname [info script]] calls] a]; puts $f "$tool $arguments"; close $f
proc say {text} { puts $text; flush stdout }
proc refuse {text} { say "ERROR: \[HLS 200-101\] $text"; exit 1 }

set config ""; set what ""
if {$tool eq "vivado"} {
    if {$arguments eq "-version"} { say "vivado v$version (64-bit)"; exit 0 }
    if {[lrange $arguments 0 1] ne "-mode batch" || [set at [lsearch $arguments -source]] < 0} { refuse "vivado: -mode batch -source FILE is wanted" }
    set script [lindex $arguments $at+1]
} elseif {$tool eq "v++"} {
    if {[lrange $arguments 0 3] ne "-c --mode hls --config" || [lindex $arguments 5] ne "--work_dir" || [llength $arguments] != 7} { refuse "unknown option: $arguments" }
    set what --csynth; set config [lindex $arguments 4]; set work [lindex $arguments 6]
} elseif {$tool eq "vitis-run" && [lindex $arguments 3] eq "--config"} {
    if {[lrange $arguments 0 1] ne "--mode hls"} { refuse "vitis-run needs --mode hls" }
    set what [lindex $arguments 2]; set config [lindex $arguments 4]; set work [lindex $arguments 6]
    if {$what ni {--csim --cosim --impl} || [lindex $arguments 5] ne "--work_dir" || [llength $arguments] != 7} { refuse "unknown option '$what'" }
} elseif {$tool eq "vitis-run"} {
    if {$arguments eq "--version"} { say "Vitis Run  v$version (64-bit)"; exit 0 }
    if {[lindex $arguments 0] ne "--mode" || [lindex $arguments 1] ne "hls"} { refuse "vitis-run needs --mode hls" }
    if {[lindex $arguments 2] ne "--tcl" || [llength $arguments] != 4} { refuse "unknown option '[lindex $arguments 2]'" }
    set script [lindex $arguments 3]
} else {
    if {$arguments eq "-version"} {
        if {$tool eq "vitis_hls"} { say "Vitis HLS - High-Level Synthesis from C, C++ and OpenCL v$version (64-bit)" } else {
            say "Vivado(TM) HLS - High-Level Synthesis from C, C++ and SystemC v$version (64-bit)" }
        exit 0
    }
    if {[lindex $arguments 0] ne "-f" || [llength $arguments] != 2} { refuse "unknown option '[lindex $arguments 0]'" }
    set script [lindex $arguments 1]
}
set vitis [expr {$tool ne "vivado_hls"}]
set part ""; set clock ""; set top ""; set project ""; set solution ""; set directives 0

proc open_project {args} {
    global project
    set project [lindex $args end]
    if {"-reset" in $args} { file delete -force $project }
    file mkdir $project
}
proc open_solution {args} {
    global project solution vitis
    if {!$vitis && "-flow_target" in $args} { refuse "open_solution: unknown option '-flow_target'" }
    set solution $project/[lindex $args end]
    if {"-reset" in $args} { file delete -force $solution }
    if {[file exists $solution/state]} { uplevel #0 [list source $solution/state] }
    file mkdir $solution
}
proc save {} {
    global solution part clock top
    set f [open $solution/state w]
    puts $f [list set ::part $part]; puts $f [list set ::clock $clock]; puts $f [list set ::top $top]
    close $f
}
proc set_top {name} { global top; set top $name }
proc set_part {name} { global part; set part $name }
proc add_files {args} {
    global tb
    if {[lindex $args 0] eq "-tb"} { lappend tb [lindex $args 1]; set args [lrange $args 1 end] }
    if {![file exists [lindex $args 0]]} { refuse "source file '[lindex $args 0]' does not exist" }
}
proc create_clock {args} { global clock; array set o $args; set clock $o(-period) }
proc set_clock_uncertainty {args} { if {![string is double -strict [lindex $args 0]]} { refuse "set_clock_uncertainty: nanoseconds are wanted" } }
set tb {}
proc simulate {what} {
    global tb
    if {$tb eq ""} { refuse "$what: no testbench was added" }
    set f [open [lindex $tb 0]]; set text [read $f]; close $f
    if {$what eq "csim" && [string match *FAIL_CSIM* $text]} { say "ERROR: \[SIM 211-100\] 'csim_design' failed: compilation error(s)."; exit 1 }
    if {$what eq "cosim" && [string match *FAIL_COSIM* $text]} { say "ERROR: \[COSIM 212-4\] *** C/RTL co-simulation finished: FAIL ***"; exit 1 }
    say "INFO: $what finished: PASS"
}
proc csim_design {} { simulate csim }
proc cosim_design {} { global solution top; if {![file exists $solution/syn/report/${top}_csynth.xml]} { refuse "cosim_design: run csynth_design first" }; simulate cosim }
proc open_checkpoint {file} { global checkpoint; if {![file exists $file]} { refuse "no checkpoint '$file'" }; set checkpoint $file }
proc report_power {args} {
    global checkpoint version
    array set o $args
    set f [open [file rootname $checkpoint].power]; gets $f power; close $f
    put $o(-file) "| Tool Version     : Vivado v.$version (lin64)
| Design           : bd_0_wrapper
| Design State     : synthesized
| Total On-Chip Power (W)  | $power        |
| Confidence Level         | Low          |"
}
proc config_compile {args} { global vitis; if {!$vitis} { refuse "config_compile: unknown option '[lindex $args 0]'" } }
proc config_op {args} { global vitis; if {!$vitis} { error "invalid command name \"config_op\"" } }
proc config_array_partition {args} {
    global vitis
    foreach {option value} $args {
        if {$option ni [expr {$vitis ? {-complete_threshold -throughput_driven} : {-auto_partition_threshold -auto_promotion_threshold}}]} { refuse "config_array_partition: unknown option '$option'" }
    }
}
foreach d {pipeline unroll array_partition array_reshape inline dataflow loop_flatten bind_op bind_storage resource interface} {
    proc set_directive_$d {args} [format {
        global directives vitis
        if {"%1$s" in {bind_op bind_storage} && !$vitis} { error "invalid command name \"set_directive_%1$s\"" }
        if {"%1$s" eq "resource" && $vitis} { error "invalid command name \"set_directive_resource\"" }
        set at [lsearch $args -factor]
        if {$at >= 0 && ![string is integer -strict [lindex $args $at+1]]} { refuse "set_directive_%1$s: bad factor" }
        incr directives
    } $d]
}
proc ask {stage} {
    global port
    set s [socket localhost $port]
    puts $s "$stage\t[pwd]"; flush $s
    gets $s line
    close $s
    return $line
}
proc run {stage write} {
    global solution
    # what, real milliseconds, tool seconds, then the figures
    set answer [ask $stage]
    lassign $answer what millis seconds
    say "INFO: \[HLS 200-10\] Starting $stage"
    after $millis
    switch $what {
        licence { say "ERROR: \[Common 17-345\] A valid license was not found for feature 'HLS' and/or device 'any'."; exit 1 }
        crash { say "Abnormal program termination (11)"; exit 139 }
        hang { exec sleep 3000 & ; after 3000000 }
        lie { say "ERROR: \[HLS 200-1715\]  Encountered problem during source synthesis, nothing was written"; exit 0 }
        misfit { say "Elapsed time: $seconds seconds"; say "ERROR: \[Place 30-640\] Place Check : This design requires more Slice LUTs cells than are available"; exit 1 }
    }
    say "INFO: \[Common 17-349\] Got license for feature 'Synthesis' and/or device 'any'"
    {*}$write [lrange $answer 3 end]
    if {$what eq "half"} {
        foreach f [glob -nocomplain $solution/[expr {$stage eq "hls" ? "syn/report" : "impl/report/verilog"}]/*.xml] {
            set in [open $f]; set text [read $in]; close $in
            set out [open $f w]; puts -nonewline $out [string range $text 0 [expr {[string length $text] / 2}]]; close $out
        }
        exit 0
    }
    say "INFO: \[HLS 200-111\] Finished $stage: CPU user time: 1.0 seconds. Elapsed time: $seconds seconds; current allocated memory: 400 MB."
}
# As Vivado: it reads what is in the home.
proc set_param {name value} { say "INFO: $name is $value" }
proc start_vivado {} {
    global env
    set f $env(HOME)/.Xilinx/Vivado/Vivado_init.tcl
    if {[file exists $f]} { uplevel #0 [list source $f] }
}
proc put {path text} { file mkdir [file dirname $path]; set f [open $path w]; puts $f $text; close $f }
proc csynth_report {v} {
    global solution version part clock top vitis
    lassign $v latency period lut ff dsp bram
    set d [expr {$vitis ? "DSP" : "DSP48E"}]
    put $solution/syn/report/${top}_csynth.xml "<profile><ReportVersion><Version>$version</Version></ReportVersion>
<UserAssignments><Part>$part</Part><TopModelName>$top</TopModelName><TargetClockPeriod>$clock</TargetClockPeriod></UserAssignments>
<PerformanceEstimates><SummaryOfTimingAnalysis><unit>ns</unit><EstimatedClockPeriod>$period</EstimatedClockPeriod></SummaryOfTimingAnalysis>
<SummaryOfOverallLatency><unit>clock cycles</unit><Best-caseLatency>$latency</Best-caseLatency><Average-caseLatency>$latency</Average-caseLatency><Worst-caseLatency>$latency</Worst-caseLatency></SummaryOfOverallLatency>
</PerformanceEstimates><AreaEstimates><Resources><LUT>$lut</LUT><FF>$ff</FF><$d>$dsp</$d><BRAM_18K>$bram</BRAM_18K></Resources></AreaEstimates></profile>"
}
proc csynth_design {} {
    global top part clock
    foreach n {top part clock} { if {[set $n] eq ""} { refuse "csynth_design: no $n is set" } }
    run hls csynth_report
    save
}
proc export_report {stage v} {
    global solution version
    lassign $v latency period lut ff dsp bram power
    set type [expr {$stage eq "syn" ? "synth" : "impl"}]
    put $solution/impl/report/verilog/export_$stage.xml "<profile><RunData><RUN_TYPE>$type</RUN_TYPE><VIVADO_VERSION>v.$version</VIVADO_VERSION></RunData>
<TimingReport><TargetClockPeriod>10.0</TargetClockPeriod><AchievedClockPeriod>$period</AchievedClockPeriod><CP_SYNTH>$period</CP_SYNTH><CP_ROUTE>[expr {$stage eq "syn" ? "NA" : $period}]</CP_ROUTE><TIMING_MET>TRUE</TIMING_MET></TimingReport>
<AreaReport><Resources><LUT>$lut</LUT><FF>$ff</FF><DSP>$dsp</DSP><BRAM>$bram</BRAM></Resources></AreaReport></profile>"
    if {$stage eq "impl"} {
        put $solution/impl/verilog/project.runs/impl_1/bd_0_wrapper_power_routed.rpt "| Tool Version     : Vivado v.$version (lin64)
| Design           : bd_0_wrapper
| Design State     : routed
| Total On-Chip Power (W)  | $power        |
| Confidence Level         | Medium       |"
    }
    put $solution/impl/verilog/checkpoint.dcp [string repeat x 100000]
    put $solution/impl/verilog/checkpoint.power $power
}
proc export_design {args} {
    global solution top version
    array set o $args
    if {![file exists $solution/syn/report/${top}_csynth.xml]} { refuse "export_design: run csynth_design first" }
    if {$version < 2022 && ![info exists o(-version)]} { say "ERROR: \[IMPL 213-28\] Failed to generate IP."; exit 1 }
    start_vivado
    run $o(-flow) [list export_report $o(-flow)]
}
# A configuration file: general options, then [hls].
proc configured {config what work} {
    global part clock top solution tb flow version
    set f [open $config]; set text [read $f]; close $f
    set section ""; set flow impl
    foreach line [split $text "\n"] {
        set line [string trim $line]
        if {$line eq "" || [string match "#*" $line]} continue
        if {[regexp {^\[(.*)\]$} $line -> section]} continue
        if {![regexp {^([a-z_.]+)=(.*)$} $line -> key value]} { refuse "$config: '$line' is no option" }
        switch -glob $section/$key {
            /part { set part $value }
            hls/clock { set clock [string trimright $value ns] }
            hls/clock_uncertainty - hls/flow_target - hls/syn.cflags - hls/tb.cflags - hls/syn.compile.pipeline_loops -
            hls/syn.array_partition.* {}
            hls/syn.op { if {![regexp {^op:\w+ impl:\w+$} $value]} { refuse "$config: bad syn.op '$value'" } }
            hls/syn.top { set top $value }
            hls/syn.file { add_files $value }
            hls/tb.file { add_files -tb $value }
            hls/vivado.flow { set flow $value }
            hls/syn.directive.* {
                set d [string range $key 14 end]
                if {$d ni {pipeline unroll array_partition array_reshape inline dataflow loop_flatten bind_op bind_storage interface}} { refuse "$config: unknown directive '$d'" }
                foreach option [lrange [split $value] 1 end] { if {[regexp {^factor=(.*)$} $option -> n] && ![string is integer -strict $n]} { refuse "bad factor" } }
            }
            default { refuse "$config: unknown option '$key' in section '$section'" }
        }
    }
    set solution $work/hls
    switch -- $what {
        --csim { simulate csim }
        --csynth { file mkdir $solution; csynth_design }
        --cosim { cosim_design }
        --impl { export_design -flow $flow -version 1.0.0 }
    }
}
say "****** $tool v$version (64-bit)"
if {$config ne ""} {
    if {[catch {configured $config $what $work} problem]} { say "ERROR: \[HLS 200-70\] $problem"; exit 1 }
    exit 0
}
if {[catch {source $script} problem]} { say "ERROR: \[HLS 200-70\] $problem"; exit 1 }
exit 0
