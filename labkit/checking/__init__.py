"""Checking: run the learner's code, gather evidence, judge it, report."""

from labkit.checking import ending, protocol
from labkit.checking.check import Failure, check, first
from labkit.checking.evidence import AskedCall, Evidence, Message, Request, ToolRun
from labkit.checking.scenario import call, fixture, hook, only, result_of, run, value

__all__ = [
    "AskedCall",
    "Evidence",
    "Failure",
    "Message",
    "Request",
    "ToolRun",
    "call",
    "check",
    "ending",
    "first",
    "fixture",
    "hook",
    "only",
    "protocol",
    "result_of",
    "run",
    "value",
]
