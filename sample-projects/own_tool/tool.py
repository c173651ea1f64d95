#!/usr/bin/env python3
"""A tool of one's own for Knobscape, in Python:
    knobscape explore ../gemm --toolchain command:tool.py --out out
Started as "tool.py STAGE FOLDER" for each design and stage; see tool.sh for the contract."""
import json
import pathlib
import sys

stage, folder = sys.argv[1], pathlib.Path(sys.argv[2])

if stage == "describe":
    (folder / "describe.json").write_text(json.dumps({"version": "1", "stages": ["impl"], "objectives": ["delay", "lut"]}))
    sys.exit(0)

design = json.loads((folder / "design.json").read_text())
unroll = 1
for knob, value in design["knobs"].items():
    if knob.startswith("unroll@"):
        unroll *= max(1, int(value))
lut = 500 + 90 * unroll
if lut > 40_000:
    result = {"status": "invalid", "kind": "does not fit", "reason": f"{lut} LUT of 40000", "values": {"lut": lut}}
else:
    result = {"status": "ok", "values": {"latency": 100_000 / unroll, "clock": 5.0, "lut": lut}, "seconds": 2}
(folder / "result.json").write_text(json.dumps(result))
