"""A process that is killed in the middle of a run leaves whole lines behind."""

import json
import signal
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, signal, sys
from labkit import Agent, connect
from labkit.shop import TOOLS, Shop

functions = Shop().functions
functions["calculator"] = lambda **args: os.kill(os.getpid(), signal.SIGKILL)
agent = Agent(connect("shipping_chain"), TOOLS, functions, trace=sys.argv[1])
agent.run("What would it cost to ship order NW-1041 to its destination?")
"""


def test_the_trace_of_a_killed_run_is_whole_as_far_as_it_goes(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    killed = subprocess.run([sys.executable, "-c", PROGRAM, str(trace)], check=False)
    assert killed.returncode == -signal.SIGKILL
    text = trace.read_text(encoding="utf-8")
    assert text.endswith("\n")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["tool"] for line in lines] == ["lookup_order", "shipping_rate"]


def test_a_refund_that_was_cut_short_stands_in_the_audit_log(tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    program = PROGRAM.replace("calculator", "refund").replace("trace=", "audit=")
    program = program.replace('connect("shipping_chain")', 'connect("small_refund")')
    subprocess.run([sys.executable, "-c", program, str(audit)], check=False)
    [line] = map(json.loads, audit.read_text(encoding="utf-8").splitlines())
    assert (line["tool"], line["decision"]) == ("refund", "allowed")
