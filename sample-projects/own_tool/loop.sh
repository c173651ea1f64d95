#!/bin/sh
# Drives an exploration yourself: asks for a design, evaluates it, tells the result, until nothing more is asked for.
# usage: loop.sh PROJECT|SOURCE STEPS. It may be stopped anywhere and started again with the run it printed: loop.sh --run RUN
set -eu
here=$(cd "$(dirname "$0")" && pwd)
knobscape=${KNOBSCAPE:-knobscape}
if [ "$1" = --run ]; then
  run=$2
else
  # loop.json says that there is one stage, "run", with delay and LUT.
  run=$("$knobscape" explore "$1" --toolchain "told:$here/loop.json" --init 3 --steps "$2" --early-stop 0 | sed -n 's/^Run: //p')
fi
[ -n "$run" ] || exit 1
echo "Run: $run"

evaluate() { # $1 number of the design: your tool goes here; designs/$1 holds its directives, script and sources
  unrolled=$(sed -n 's/.*set_directive_unroll.* -factor \([0-9]*\) .*/\1/p' "designs/$1/directives.tcl" | awk '{p = (p ? p : 1) * $1} END {print p ? p : 1}')
  pipelined=$(grep -c set_directive_pipeline "designs/$1/directives.tcl" || true)
  awk -v u="$unrolled" -v p="$pipelined" 'BEGIN {printf "delay=%.3f lut=%d", 100000 / u / (1 + 2 * p), 400 * u + 90 * p + 200}'
}

answer() {
  # shellcheck disable=SC2046
  "$knobscape" tell "$run" "$1" $(evaluate "$1")
}

# Designs that were handed out before a stop are told first.
"$knobscape" ask "$run" --pending --out designs | cut -f 1 | while read -r design; do answer "$design"; done
while design=$("$knobscape" ask "$run" --out designs | cut -f 1) && [ -n "$design" ]; do answer "$design"; done
