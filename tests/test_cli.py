"""The command line as its users meet it: output, exit status, no traceback."""

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.assembly.saved import save
from labkit.assembly.written import Written
from labkit.lab import lab_folder

LESSON = "lesson_03_loop"
RIGHT = lab_folder() / "checkers" / "right" / LESSON / "small_methods.py"
WRONG = lab_folder() / "checkers" / "wrong" / LESSON / "no_id.py"
SHIPPING = "What would it cost to ship order NW-1041 to its destination?"
LARGE = "I would like my money back for the power unit, please."
RETRIES = "Where does this code decide about retries, and how many does it allow?"


def labkit(*words: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "labkit.cli", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


def test_a_right_answer_passes_with_status_0() -> None:
    done = labkit("check", LESSON, RIGHT)
    assert done.returncode == 0
    assert "9 of 9 checks passed, 12 of 12 points" in done.stdout


def test_a_wrong_answer_fails_with_status_1_and_says_where() -> None:
    done = labkit("check", LESSON, WRONG)
    assert done.returncode == 1
    assert "request 2, message 4: tool_call_id is missing" in done.stdout


def test_json_has_the_fields_of_the_contract() -> None:
    report = json.loads(labkit("check", LESSON, WRONG, "--seed", 3, "--json").stdout)
    assert list(report) == [
        "schema",
        "lab_version",
        "lesson",
        "submission",
        "seed",
        "status",
        "score",
        "max_score",
        "seconds",
        "notes",
        "checks",
    ]
    assert (report["submission"], report["seed"]) == ("no_id", 3)
    assert list(report["checks"][0]) == [
        "id",
        "part",
        "claim",
        "outcome",
        "points",
        "max_points",
        "seen",
        "expected",
        "try",
        "after",
        "seconds",
    ]


@pytest.mark.parametrize(
    ("lesson", "content", "words"),
    [
        ("lesson_99_x", "", "no lesson 'lesson_99_x'"),
        (LESSON, None, "there is no such file"),
        (LESSON, "", "the file is empty"),
        (LESSON, "{", "cut off before its end"),
    ],
)
def test_bad_input_gets_one_sentence_and_status_2(
    tmp_path: Path, lesson: str, content: str | None, words: str
) -> None:
    path = tmp_path / "answer.ipynb"
    if content is not None:
        path.write_text(content)
    done = labkit("check", lesson, path)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_without_the_asked_names_says_which(tmp_path: Path) -> None:
    path = tmp_path / "answer.py"
    path.write_text("class Agent2: pass\n")
    done = labkit("check", LESSON, path)
    assert done.returncode == 2
    assert "answer does not define MyAgent (it has Agent2)" in done.stdout


def test_run_prints_answer_steps_and_tools() -> None:
    done = labkit("run", SHIPPING)
    assert done.returncode == 0
    assert done.stdout.startswith("Shipping order NW-1041 to ")
    assert "steps       4" in done.stdout
    assert "lookup_order, shipping_rate, calculator" in done.stdout
    assert "stopped by  answered" in done.stdout


def test_run_finds_the_workspace_agent_and_its_answer_cites_files_it_opened() -> None:
    done = labkit("run", RETRIES)
    assert done.returncode == 0
    assert "parceltrack/settings.py" in done.stdout
    assert "list_dir" in done.stdout


def test_run_says_which_questions_there_are() -> None:
    done = labkit("run", "How tall is the moon?")
    assert done.returncode == 2
    assert SHIPPING in done.stderr


def test_run_says_which_agent_has_the_tools() -> None:
    done = labkit("run", RETRIES, "--agent", "support")
    assert done.returncode == 2
    assert "use --agent workspace" in done.stderr


def test_run_appends_trace_lines_and_keeps_what_was_there(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text('{"old": true}\n')
    assert labkit("run", SHIPPING, "--trace", trace).returncode == 0
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    assert lines[0] == {"old": True}
    assert [line["tool"] for line in lines[1:]] == [
        "lookup_order",
        "shipping_rate",
        "calculator",
    ]


def test_a_trace_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    done = labkit("run", SHIPPING, "--trace", tmp_path / "no" / "folder.jsonl")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_doctor_tries_everything_and_finds_it_working() -> None:
    done = labkit("doctor")
    assert done.returncode == 0
    assert "✗" not in done.stdout
    assert "answered in 4 steps" in done.stdout


FINISHED = "from labkit import Agent\n\nclass MyAgent(Agent):\n    pass\n"
NO_SUMS = """
from labkit import Agent

class MyAgent(Agent):
    def __init__(self, client, tools, functions, **options):
        sums = [t for t in tools if t["function"]["name"] == "calculator"]
        kept = [tool for tool in tools if tool not in sums]
        super().__init__(client, kept, functions, **options)
"""


def agent_file(folder: Path, text: str) -> Path:
    path = folder / "agent.py"
    path.write_text(text)
    return path


def test_eval_lets_the_finished_agent_through(tmp_path: Path) -> None:
    done = labkit("eval", agent_file(tmp_path, FINISHED), "--threshold", 1)
    assert done.returncode == 0
    assert "6 of 6 cases passed, rate 1.00, threshold 1.00: exit code 0" in done.stdout


def test_eval_stops_an_agent_without_its_calculator(tmp_path: Path) -> None:
    junit, agent = tmp_path / "junit.xml", agent_file(tmp_path, NO_SUMS)
    done = labkit("eval", agent, "--junit", junit)
    assert done.returncode == 1
    assert "✗ postage_in_euros" in done.stdout
    assert 'failures="2"' in junit.read_text()
    assert labkit("eval", agent, "--threshold", 0.5).returncode == 0


def test_eval_tells_what_changed_since_an_earlier_report(tmp_path: Path) -> None:
    earlier = tmp_path / "earlier.json"
    earlier.write_text(labkit("eval", agent_file(tmp_path, FINISHED), "--json").stdout)
    agent = agent_file(tmp_path, NO_SUMS)
    done = labkit("eval", agent, "--json", "--compare", earlier)
    assert "✗ postage_in_euros passed before" in json.loads(done.stdout)["changes"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cases", "nowhere.json"], "nowhere.json"),
        (["--compare", "nowhere.json"], "nowhere.json"),
        (["--threshold", "80"], "80"),
    ],
)
def test_eval_refuses_what_it_cannot_use(
    tmp_path: Path, options: list[str], words: str
) -> None:
    done = labkit("eval", agent_file(tmp_path, FINISHED), *options)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.parametrize(("key", "paid"), [("y", "640"), ("n", "0"), ("", "0")])
def test_run_asks_a_person_at_the_terminal(tmp_path: Path, key: str, paid: str) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, f"{key}\n".encode())
    audit = tmp_path / "audit.jsonl"
    command = ["run", LARGE, "--recording", "large_refund", "--audit", str(audit)]
    done = subprocess.run(
        [sys.executable, "-m", "labkit.cli", *command],
        stdin=theirs,
        capture_output=True,
        text=True,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    assert "The model asks for refund(" in done.stderr
    decisions = decided(audit)
    assert decisions == ["denied", "allowed" if paid == "640" else "denied"]


def test_run_asks_nobody_where_nobody_is(tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    done = labkit("run", LARGE, "--recording", "large_refund", "--audit", audit)
    assert "Approve" not in done.stderr
    assert decided(audit) == ["denied"]


def decided(audit: Path) -> list[str]:
    return [json.loads(line)["decision"] for line in audit.read_text().splitlines()]


def test_assemble_says_where_nothing_has_passed_yet(tmp_path: Path) -> None:
    done = labkit("assemble", "--dir", tmp_path, "--out", tmp_path / "mine")
    assert done.returncode == 2
    assert "holds no part yet" in done.stderr
    assert not (tmp_path / "mine").exists()


def test_assemble_writes_an_agent_and_says_how_much_is_missing(tmp_path: Path) -> None:
    save(
        Written(
            "truncate", {"truncate": "def truncate(text, limit):\n    return text"}
        ),
        tmp_path,
    )
    done = labkit("assemble", "--dir", tmp_path, "--out", tmp_path / "mine")
    assert done.returncode == 0
    assert "You wrote 1 line; the loop is not yet yours." in done.stdout
    assert "not yours yet: parse_tool_calls" in done.stdout
    assert (tmp_path / "mine" / "agent.py").exists()


def test_a_check_in_a_learners_folder_is_seen_in_progress(tmp_path: Path) -> None:
    (tmp_path / ".labkit").mkdir()
    shutil.copy(RIGHT, tmp_path / "answer.py")
    assert labkit("check", LESSON, tmp_path / "answer.py").returncode == 0
    done = labkit("progress", "--dir", tmp_path)
    assert done.returncode == 0
    assert f"{LESSON}\t9\t9\t9\t1\t1" in done.stdout.splitlines()
    told = json.loads(labkit("progress", "--dir", tmp_path, "--json").stdout)
    assert told["schema"] == 1
    assert told["lessons"][2]["parts"] == {"step": True}
    assert told["next"] == {"lesson": "lesson_01_raw_tool_call", "part": "LOOKUP_ORDER"}


def test_a_check_elsewhere_notes_nothing() -> None:
    assert labkit("check", LESSON, RIGHT).returncode == 0
    assert not (RIGHT.parent / ".labkit").exists()


def test_a_progress_that_cannot_be_kept_is_one_note(tmp_path: Path) -> None:
    (tmp_path / ".labkit").mkdir()
    (tmp_path / ".labkit" / "progress").write_text("in the way")
    shutil.copy(RIGHT, tmp_path / "answer.py")
    done = labkit("check", LESSON, tmp_path / "answer.py")
    assert done.returncode == 0
    assert done.stdout.count("note: your progress could not be kept") == 1


def test_progress_on_a_terminal_is_a_sentence_for_a_beginner(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "labkit.cli", "progress", "--dir", str(tmp_path)]
    done = subprocess.run(command, stdout=theirs, check=False)
    os.close(theirs)
    assert done.returncode == 0
    assert os.read(ours, 10_000).decode().splitlines() == [
        "No check has passed yet; begin with lesson_01_raw_tool_call."
    ]
    os.close(ours)


def test_reset_says_both_names(tmp_path: Path) -> None:
    notebook = tmp_path / f"{LESSON}.ipynb"
    notebook.write_text("my own work")
    done = labkit("reset", "3", "--dir", tmp_path)
    assert done.returncode == 0
    assert f"{LESSON} (kept 1).ipynb" in done.stdout
    assert f"{notebook} is fresh" in done.stdout


@pytest.mark.parametrize("command", [["progress"], ["reset", LESSON]])
def test_a_folder_there_is_not_is_one_sentence(
    tmp_path: Path, command: list[str]
) -> None:
    done = labkit(*command, "--dir", tmp_path / "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "--dir" in done.stderr
