#!/usr/bin/env python3
"""Drives an exploration yourself, two designs at a time: loop.py PROJECT|SOURCE STEPS, or loop.py --run RUN to go on."""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KNOBSCAPE = os.environ.get("KNOBSCAPE", "knobscape")
HERE = Path(__file__).resolve().parent


def knobscape(*words, told=None):
    """Runs the program and gives the JSON document that it prints."""
    done = subprocess.run([KNOBSCAPE, *words, "--json"], input=told, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def evaluate(design):
    """Your tool goes here. "knobs" are the choices; a design that cannot be built says {"failed": "does-not-fit"}."""
    unrolled = 1
    for knob, value in design["knobs"].items():
        unrolled *= int(value) if knob.startswith("unroll@") else 1
    if unrolled > 4096:
        return {"design": design["design"], "failed": "does-not-fit", "reason": "too many copies of the loops"}
    return {"design": design["design"], "values": {"delay": 1e5 / unrolled, "lut": 400 * unrolled + 200}, "seconds": 1}


if sys.argv[1] == "--run":
    run = sys.argv[2]
else:
    run = knobscape("explore", sys.argv[1], "--toolchain", f"told:{HERE / 'loop.json'}", "--init", "3",
                    "--steps", sys.argv[2], "--early-stop", "0")["run"]
print("Run:", run, flush=True)
designs = knobscape("ask", run, "--pending")["designs"]  # handed out before a stop
while designs or (designs := knobscape("ask", run, "--count", "2")["designs"]):
    with ThreadPoolExecutor() as workers:
        results = list(workers.map(evaluate, designs))
    knobscape("tell", run, "--from", "-", told=json.dumps({"designs": results}))
    designs = []
