"""Submissions people really hand in, with the verdict each must get in lesson 3."""

import json
from dataclasses import dataclass

from tests.submissions.written import GOOD, SOLVED, STARTER, cell, notebook, step_with

KEY = "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0"
# Without `display` and the rest of Jupyter these would be faults of their own.
SHOWN = "import warnings, logging, sys\nwarnings.warn('old')\nlogging.error('x')\n"


@dataclass(frozen=True)
class Odd:
    """A file: its id in the collection, name, bytes, and what must come of it.

    `outcome` is that of the first check, "passed" meaning that all of them pass;
    "not_gradable" is the whole file's. `note` is part of what the report says.
    """

    id: str
    name: str
    content: bytes
    outcome: str
    note: str = ""

    def __str__(self) -> str:
        return f"{self.id} {self.name}"


def _odd(id: str, name: str, content: bytes | str, outcome: str, note: str = "") -> Odd:
    data = content if isinstance(content, bytes) else content.encode()
    return Odd(id, name, data, outcome, note)


def _broken_json() -> bytes:
    return SOLVED[: len(SOLVED) // 2]


def _conflict() -> bytes:
    mine, theirs = b"<<<<<<< HEAD\n", b"=======\n>>>>>>> theirs\n"
    return mine + STARTER + theirs


def _format_3() -> bytes:
    cells = [{"cell_type": "code", "input": GOOD, "outputs": [], "language": "python"}]
    sheet = [{"cells": cells}]
    fields = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}}
    return json.dumps(fields | {"worksheets": sheet}).encode()


def _kernel() -> bytes:
    spec = {"kernelspec": {"name": "julia-1.9", "display_name": "?", "language": "j"}}
    return notebook(GOOD, metadata=spec)


def _stripped() -> bytes:
    bare = [{"cell_type": "code", "source": GOOD.splitlines(keepends=True)}]
    return json.dumps({"cells": bare, "nbformat": 4, "nbformat_minor": 0}).encode()


def _copied() -> bytes:
    wrong = GOOD.replace("call.id", "'one'")
    return notebook(wrong, GOOD)


def _above_its_imports() -> bytes:
    lines = GOOD.splitlines(keepends=True)
    return notebook("".join(lines[1:]), lines[0])


HIDES = "list = [1]\nprint = None\njson = 'x'\nopenai = None\nlen = 3\n"
OTHERWISE = (
    "import os, sys",
    "if 'pytest' in sys.modules or 'LABKIT' in str(os.environ) or 'CI' in os.environ:",
    "    raise RuntimeError('graded')",
)
FORGED = (
    "open('results.json', 'w').write('{\"score\": 100}')",
    "print('12 passed\\nPASSED answers_at_once'); return 'answered'",
)
QUIET = "x = __import__('random').random(); __import__('uuid').uuid4()"

# P11: `sys.exit` and `quit` raise, in a process that lives and can say at which line,
# so they are an `error`; `crashed` is for a process that is gone, as after `os._exit`.
ODD = [
    _odd("P0", "right.ipynb", SOLVED, "passed"),
    _odd("P1", "starter.ipynb", STARTER, "not_started"),
    _odd("P2", "no cells.ipynb", notebook(), "not_gradable", "no code"),
    _odd("P2", "prose.ipynb", notebook(cell("# Hi", "markdown")), "not_gradable", "no"),
    _odd("P3", "empty.ipynb", b"", "not_gradable", "empty"),
    _odd("P3", "cut.ipynb", _broken_json(), "not_gradable", "cut off"),
    _odd("P3", "conflict.ipynb", _conflict(), "not_gradable", "conflict marks"),
    _odd(
        "P4",
        "syntax.ipynb",
        notebook("x = 1", GOOD.replace("result):", "result)")),
        "error",
        "cell 2, line 5: SyntaxError",
    ),
    _odd(
        "P5",
        "scratch.ipynb",
        notebook("for", GOOD),
        "passed",
        "cell 1, line 1: SyntaxError",
    ),
    _odd("P6", "loop in a cell.ipynb", notebook("while True: pass", GOOD), "timeout"),
    _odd("P6", "loop.py", step_with("while True: pass"), "timeout"),
    _odd(
        "P7",
        "catches.py",
        step_with(
            "while True:",
            "    try:",
            "        self.call_model(result.messages)",
            "    except BaseException:",
            "        continue",
        ),
        "failed",
        "the lab ended it",
    ),
    _odd(
        "P7",
        "catches at rest.py",
        step_with(
            "while True:",
            "    try: __import__('time').sleep(9)",
            "    except: pass",
        ),
        "timeout",
    ),
    _odd(
        "P8",
        "grows.py",
        step_with("x = []", "while True: x.append('y' * 10**7)"),
        "memory",
    ),
    _odd("P9", "prints.py", step_with("while True: print('x' * 999)"), "output"),
    _odd("P11", "exit in a cell.ipynb", notebook("quit()", GOOD), "passed", "Exit"),
    _odd(
        "P11",
        "exit in the answer's cell.ipynb",
        notebook("import sys\nsys.exit()\n" + GOOD),
        "error",
        "cell 1, line 2: SystemExit",
    ),
    _odd(
        "P11",
        "exit.py",
        step_with("import sys; sys.exit()"),
        "error",
        "line 6: SystemExit",
    ),
    _odd("P11", "quit.py", step_with("quit()"), "error", "line 6: SystemExit"),
    _odd("P11", "gone.py", step_with("import os; os._exit(0)"), "crashed"),
    _odd(
        "P11",
        "gone in a cell.ipynb",
        notebook("import os; os._exit(0)", GOOD),
        "crashed",
        "while loading",
    ),
    _odd(
        "P12",
        "asks in a cell.ipynb",
        notebook("name = input('?')", GOOD),
        "passed",
        "cell 1, line 1: EOFError: EOF when reading a line (input() has nobody",
    ),
    _odd("P12", "asks.py", step_with("input('?')"), "error", "input() has nobody to"),
    _odd(
        "P13",
        "magics.ipynb",
        notebook(
            "!pip install x\n%matplotlib inline",
            "?print",
            "%%bash\nrm -rf x",
            "%%time\n" + GOOD,
        ),
        "passed",
        "cell 3: %%bash",
    ),
    _odd("P14", "shows.ipynb", notebook("display(1)\n" + GOOD), "passed"),
    _odd(
        "P14",
        "draws.ipynb",
        notebook("import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()", GOOD),
        "passed",
    ),
    _odd(
        "P14",
        "widgets.ipynb",
        notebook("import ipywidgets\ndisplay(ipywidgets.IntSlider())", GOOD),
        "passed",
    ),
    _odd(
        "P15",
        "awaits.ipynb",
        notebook(
            "import asyncio\nawait asyncio.sleep(0)",
            "async def f():\n    return 1\nasyncio.run(f())\n" + GOOD,
        ),
        "passed",
    ),
    _odd(
        "P16",
        "deleted.ipynb",
        notebook("x = 1"),
        "not_gradable",
        "does not define MyAgent",
    ),
    _odd("P16", "copied.ipynb", _copied(), "passed", "defined 2 times"),
    _odd(
        "P16",
        "prose now.ipynb",
        notebook(cell(GOOD, "markdown"), "x = 1"),
        "not_gradable",
        "does not define MyAgent",
    ),
    _odd(
        "P16",
        "above its imports.ipynb",
        _above_its_imports(),
        "error",
        "NameError: name 'Agent' is not defined",
    ),
    _odd("P17", "stripped.ipynb", _stripped(), "passed"),
    _odd("P17", "kernel.ipynb", _kernel(), "passed"),
    _odd("P17", "format 3.ipynb", _format_3(), "passed"),
    _odd("P18", "lab3 (1) copy-2.ipynb", SOLVED, "passed"),
    _odd("P18", "Übung 3 (ß).IPYNB", SOLVED, "passed"),
    _odd("P19", "export.py", "# In[1]:\nget_ipython().system('ls')\n" + GOOD, "passed"),
    _odd(
        "P19",
        "percent.py",
        f"# %% [markdown]\n# Hello\n\n# %%\n{GOOD}\n# %%\n",
        "passed",
    ),
    _odd(
        "P20",
        "emoji.py",
        b"\xef\xbb\xbf# \xf0\x9f\x98\x80 \xe2\x80\x9ccurly\xe2\x80\x9d \xa0 caf\xe9\r\n"
        + GOOD.encode().replace(b"\n", b"\r\n"),
        "passed",
    ),
    _odd(
        "P20",
        "surrogate.ipynb",
        notebook("x = '\ud800'", GOOD),
        "passed",
        "cell 1: UnicodeEncodeError",
    ),
    _odd(
        "P20",
        "no-break space.ipynb",
        notebook("x =\u00a01", GOOD),
        "passed",
        "cell 1, line 1: SyntaxError",
    ),
    _odd("P20", "prints odd.py", step_with("print('\\ud800 \\U0001f600')"), "passed"),
    _odd("P21", "hides.ipynb", notebook(HIDES, GOOD), "passed"),
    _odd("P24", "forges.py", step_with(*FORGED), "failed"),
    _odd("P26", "behaves.py", step_with(*OTHERWISE), "passed"),
    _odd("P27", "warns.py", SHOWN + GOOD, "passed"),
    _odd(
        "P28",
        "deleted cell.ipynb",
        notebook(step_with("print(PREFIX)")),
        "error",
        "cell 1, line 6: NameError: name 'PREFIX' is not defined",
    ),
    _odd("P29", "draws lots.py", step_with(QUIET), "passed"),
    _odd("P29", "sleeps.py", "import time\ntime.sleep(1)\n" + GOOD, "passed"),
    _odd(
        "P30",
        "key.ipynb",
        notebook(
            f"from openai import OpenAI\nclient = OpenAI(api_key='{KEY}')",
            f"print('{KEY}')\n" + step_with(f"raise ValueError('{KEY}')"),
        ),
        "error",
        "ValueError",
    ),
    _odd(
        "P34",
        "imports.py",
        "import pandas_of_ours\n" + GOOD,
        "error",
        "No module named 'pandas_of_ours'",
    ),
]
