"""`labkit dev new`: every place of a lesson, laid out."""

import re
from collections.abc import Iterator
from pathlib import Path

from labkit.errors import LabError
from labkit.lab import lab_folder

CHECKER = '''"""Lesson {number}, {title}: what is judged."""

from labkit.checking import Evidence, Failure, check, run

{stem} = run("{stem}", part="step")

HINTS = {{"step": ["What does the learner have to see first?"]}}

LEARNED = "You wrote what the next lesson builds on."


@check({stem})
def says_what_must_hold(seen: Evidence) -> Failure | None:
    """what must hold, as the learner reads it"""
    if not seen.requests:
        return Failure("no request", "one", "ask")
    return None
'''
SOURCE = """# %% [markdown]
# # Lesson {number} · {title}
#
# What works so far, and what fails.

# %%
from labkit import Agent, Lesson, Result, parse_tool_calls

lab = Lesson("{lesson}")

# %%
lab.show("{stem}")

# %%
# exercise: labkit.agent.loop:Agent.step

# %%
lab.check(MyAgent)

# %%
lab.hint()

# %%
lab.watch(MyAgent, "{stem}")

# %% [markdown]
# ## What can still go wrong
#
# Which is the next lesson.
"""
RECORDING = (
    '{{"format": 1, "title": "{title}", "origin": "invented", "question": "Hello?"}}\n'
    '{{"body": {{"id": "chatcmpl-1", "object": "chat.completion", "created": 0, '
    '"model": "replayed", "choices": [{{"index": 0, "finish_reason": "stop", '
    '"message": {{"role": "assistant", "content": "Hello."}}}}]}}}}\n'
)
WRONG = '''"""fails: says_what_must_hold"""

from labkit import Agent, Result


class MyAgent(Agent):
    def run(self, question):
        return Result(question)
'''


RIGHT = """from labkit import Agent, Result


class MyAgent(Agent):
    def run(self, question):
        self.call_model([dict(role="user", content=question)])
        return Result(question)
"""


def scaffold(lesson: str, title: str) -> Iterator[Path]:
    """Write the files of a new lesson; LabError if the name is no good or is taken."""
    match = re.fullmatch(r"lesson_(\d\d)_([a-z][a-z0-9_]*)", lesson)
    if not match:
        raise LabError(f"{lesson!r} is no name for a lesson; try lesson_04_budgets.")
    fields = {"lesson": lesson, "title": title, "number": int(match[1])}
    fields["stem"] = f"{match[2]}_begins"
    lab = lab_folder()
    files = {
        lab / "checkers" / f"{lesson}.py": CHECKER,
        lab / "checkers" / "wrong" / lesson / "asks_nothing.py": WRONG,
        lab / "checkers" / "right" / lesson / "asks_once.py": RIGHT,
        lab / "recordings" / lesson / f"{match[2]}_begins.jsonl": RECORDING,
        lab / "notebooks" / "source" / f"{lesson}.py": SOURCE,
    }
    if taken := [path for path in files if path.exists()]:
        raise LabError(f"{taken[0]} is there already; nothing was written.")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(**fields), encoding="utf-8")
        yield path
