"""The agent a learner owns: saved parts joined to a program that needs no labkit."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from labkit import Agent, LabError
from labkit.assembly.folder import assemble
from labkit.assembly.saved import keep_passed, nearest, read_saved, save
from labkit.assembly.written import Written, written
from labkit.checking.loading import load
from labkit.checking.report import CheckResult, Report

WITHOUT_LABKIT = """
import sys
sys.modules["labkit"] = None
sys.path.insert(0, ".")
"""


def run(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_LABKIT + textwrap.dedent(code)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cell(code: str) -> dict[str, Any]:
    """What a notebook with one cell leaves."""
    source = textwrap.dedent(code)
    cells = [{"name": "cell 1", "source": source, "first_line": 1}]
    return load({"notebook": True, "cells": cells}, []).names


def test_it_is_one_readable_file_that_says_how_much_is_the_learners(
    whole: Path,
) -> None:
    lines = (whole / "agent.py").read_text().splitlines()
    assert len(lines) <= 250
    assert max(map(len, lines)) <= 88
    assert lines[-1].startswith("# You wrote ")
    assert lines[-1].endswith(" lines; the loop is 14 of them.")


def test_no_file_of_it_names_labkit_as_something_to_import(whole: Path) -> None:
    for path in whole.rglob("*.py"):
        assert "from labkit" not in path.read_text(), path
        assert "import labkit" not in path.read_text(), path


def test_every_lesson_of_the_loop_is_in_it_once(whole: Path) -> None:
    text = (whole / "agent.py").read_text()
    for name in ("parse_tool_calls", "dispatch", "policy", "step", "call_model"):
        assert text.count(f"def {name}(") == 1, name
    assert "not written yet" not in text


def test_it_runs_where_labkit_is_not_installed(whole: Path) -> None:
    said = run(
        """
        import agent, evals, httpx2, openai
        from shop import Shop

        def handle(request):
            body = {"choices": [{"index": 0, "finish_reason": "stop", "message":
                {"role": "assistant", "content": "It is 640."}}]}
            return httpx2.Response(200, json=body)

        http = httpx2.Client(transport=httpx2.MockTransport(handle))
        client = openai.OpenAI(api_key="none", http_client=http)
        mine = agent.MyAgent(client, agent.TOOLS, Shop().functions)
        case = {"id": "a", "question": "?", "numbers": [640], "max_steps": 1}
        print(evals.evaluate(lambda case: mine.run("?"), [case], 1.0).passed)
        print(mine.run_tool("lookup_order", {"order_id": "NW-1041"})[:22])
        """,
        whole,
    )
    assert said == '1\n{"order_id": "NW-1041"\n'


def test_what_is_not_written_is_the_finished_one_and_says_so(
    solved: dict[str, Written], work: Path
) -> None:
    save(solved["step"], work)
    told = assemble(work, work / "out")
    text = (work / "out" / "agent.py").read_text()
    assert "# policy is not written yet: the finished one acts" in text
    assert any("not yours yet: parse_tool_calls" in sentence for sentence in told)
    run("import agent; assert agent.MyAgent.step is not agent.Agent.run", work / "out")


def test_own_helpers_and_imports_come_along(work: Path) -> None:
    names = cell(
        """
        import math as m
        from textwrap import shorten
        from labkit import Agent

        ROOM = 61

        def cut(text, limit):
            return text[: limit - ROOM - m.floor(0.5)]

        def unused():
            return 1

        def truncate(text, limit):
            return text if len(text) <= limit else cut(shorten(text, 10 ** 6), limit)
        """
    )
    save(written(names, "truncate"), work)
    assemble(work, work / "out")
    text = (work / "out" / "agent.py").read_text()
    assert "import math as m" in text
    assert "from textwrap import shorten" in text
    assert "def cut(text, limit):" in text
    assert "unused" not in text
    assert run(
        "import agent; print(len(agent.truncate('ab ' * 99, 200)))", work / "out"
    )


def test_own_methods_come_along(work: Path) -> None:
    names = cell(
        """
        from labkit import Agent

        class MyAgent(Agent):
            def over_budget(self, result):
                return self.spent(result.steps, "step_budget")

            def spent(self, used, reason):
                return reason if used >= self.limits.steps else None
        """
    )
    save(written(names, "over_budget"), work)
    assemble(work, work / "out")
    assert "def spent(self, used, reason):" in (work / "out" / "agent.py").read_text()


def test_nothing_is_written_over(whole: Path, work: Path) -> None:
    mine = whole / "agent.py"
    mine.write_text("# mine\n")
    told = assemble(work, whole)
    assert (whole / "agent.before-1.py").read_text() == "# mine\n"
    assert "it is kept as agent.before-1.py" in told[0]
    assert "class MyAgent" in mine.read_text()


def test_without_a_passed_part_there_is_nothing_to_assemble(work: Path) -> None:
    with pytest.raises(LabError, match="holds no part yet"):
        assemble(work, work / "out")
    assert not (work / "out").exists()


def result(part: str, outcome: str) -> CheckResult:
    return CheckResult(f"of_{part}", part, "", outcome, 1)


def test_only_parts_whose_checks_all_passed_are_kept(work: Path) -> None:
    names = cell("def policy(name, args):\n    return name")
    report = Report("lesson_06_guardrail", "me", 0)
    report.checks = [result("policy", "passed"), result("run_tool", "failed")]
    assert keep_passed(report, names, work) == []
    assert list(read_saved(work)) == ["policy"]


def test_code_that_cannot_be_found_is_told_and_costs_nothing(work: Path) -> None:
    class MyAgent(Agent):
        pass

    names = {"MyAgent": MyAgent}
    exec("def policy(name, args): return None", names)
    report = Report("lesson_06_guardrail", "me", 0, checks=[result("policy", "passed")])
    [told] = keep_passed(report, names, work)
    assert told.startswith("policy could not be kept for labkit assemble")


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"schema": 9}', '{"schema": 1}'])
def test_a_damaged_part_counts_as_none(
    solved: dict[str, Written], work: Path, damage: str
) -> None:
    save(solved["policy"], work).write_text(damage)
    assert read_saved(work) == {}


def test_the_nearest_folder_is_found_from_below(work: Path) -> None:
    below = work / "deep" / "er"
    below.mkdir(parents=True)
    assert nearest(below) == work / ".labkit"
    assert json.loads(json.dumps(str(nearest(work)))) == str(work / ".labkit")
