#!/bin/sh
# A tool of one's own for Knobscape, in shell:
#   knobscape explore ../gemm --toolchain command:tool.sh --out out
# It is started as "tool.sh STAGE FOLDER" for each design and stage. FOLDER holds directives.tcl, design.json, run_hls.tcl
# and src/. It answers with FOLDER/result.json, or leaves a vendor's report there. Put the call of your tool where the
# latency is made up below.
stage=$1
folder=$2

if [ "$stage" = describe ]; then
    # Asked once at the start: which stages there are, and what each of them reports.
    cat > "$folder/describe.json" <<'EOF'
{"version": "1", "stages": ["hls", "impl"], "objectives": ["delay", "lut"],
 "reported": {"hls": ["delay", "lut", "latency", "clock"], "impl": ["delay", "lut", "latency", "clock"]}}
EOF
    exit 0
fi

directives=$(grep -c '^set_directive' "$folder/directives.tcl")
unrolled=$(grep -c '^set_directive_unroll' "$folder/directives.tcl")
latency=$((100000 / (1 + unrolled)))
lut=$((500 + 300 * directives))
clock=5
[ "$stage" = impl ] && clock=6

cat > "$folder/result.json" <<EOF
{"status": "ok", "values": {"latency": $latency, "clock": $clock, "lut": $lut}, "seconds": 1}
EOF
