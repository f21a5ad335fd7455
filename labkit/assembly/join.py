"""`agent.py`: the finished Agent, and over it the MyAgent that a learner wrote."""

import textwrap
from collections.abc import Iterable, Iterator

from labkit.agent import Agent, loop
from labkit.assembly.plain_code import body_size, plain_code
from labkit.assembly.written import Written, from_finished
from labkit.checking.written import INSTEAD
from labkit.quantity import quantity

# What the loop is made of, in the order in which a run comes to it.
PARTS = (
    "parse_tool_calls",
    "build_registry",
    "dispatch",
    "policy",
    "truncate",
    "step",
    "over_budget",
    "count_tokens",
    "call_model",
    "execute_call",
    "run_tool",
    "on_tool_result",
)
HEAD = '''"""My tool loop, by hand. OPENAI_API_KEY=… python agent.py "Where is NW-1041?"

It needs openai and simpleeval; OPENAI_BASE_URL and OPENAI_MODEL are heeded too.
"""

'''
MAIN = """
if __name__ == "__main__":
    key = os.environ.get("OPENAI_API_KEY", "none")  # a local server needs no key
    client = openai.OpenAI(api_key=key, max_retries=0)
    agent = MyAgent(client, TOOLS, Shop().functions, model=MODEL, system=SYSTEM)
    result = agent.run(" ".join(sys.argv[1:]))
    print(result.answer, result.error)
    sys.exit(result.stopped_by != "answered")
"""
ALWAYS = ["import os", "import sys", "import openai"]
MODEL = 'MODEL = os.environ.get("OPENAI_MODEL") or "gpt-4.1-mini"'


def agent_py(parts: dict[str, Written], tools: str) -> str:
    """The text of `agent.py`; `tools` is the module that holds TOOLS.

    A part that is not there is the finished one, and a comment says so.
    """
    mine = [parts[name] for name in PARTS if name in parts]
    methods = {name: code for part in mine for name, code in part.methods.items()}
    functions = {name: code for part in mine for name, code in part.functions.items()}
    lent = [name for name in PARTS if name not in parts]
    given = [name for name in _agent_methods() if name not in methods]
    finished = from_finished(vars(Agent), given, vars(loop))
    everything = [finished, *mine]
    needed = {name for part in everything for name in part.given} - functions.keys()
    definitions = {n: c for part in everything for n, c in part.definitions.items()}
    for name in {"MODEL", "SYSTEM", *PARTS} & definitions.keys():
        del definitions[name]
    imports = [*ALWAYS, *(line for part in everything for line in part.imports)]
    pieces = [
        "\n".join([_imports(imports, needed, tools), *_lines_of(definitions, True)]),
        *_lines_of(definitions, False),
        *map(plain_code, functions.values()),
        _class("class Agent:", "A model, its tools, and the loop.", finished.methods),
        _class("class MyAgent(Agent):", "The parts I wrote.", methods, _notes(lent)),
    ]
    count = sum(body_size(code) for code in [*functions.values(), *methods.values()])
    looped = [methods[name] for name in INSTEAD["step"] if name in methods]
    end = _ending(count, sum(map(body_size, looped)))
    return HEAD + "\n\n\n".join(filter(None, pieces)) + "\n\n" + MAIN + end


def _agent_methods() -> list[str]:
    """The names of Agent's methods, in their order."""
    return [name for name, value in vars(Agent).items() if callable(value)]


def _imports(lines: Iterable[str], given: set[str], tools: str) -> str:
    """The import lines: the standard library, openai, what is given; and the model."""
    plain = {line for line in lines if line != "import openai"}
    names = textwrap.wrap(", ".join(sorted(given - {"Agent"}, key=_as_sorted)), 70)
    return "\n".join(
        [
            *sorted(plain, key=lambda line: (line.startswith("from"), line)),
            "",
            "import openai",
            "",
            *(f"from given import {some.rstrip(',')}" for some in names),
            "from shop import SYSTEM, Shop",
            f"from {tools} import TOOLS",
            "",
            MODEL,
        ]
    )


def _as_sorted(name: str) -> tuple[bool, str]:
    """Classes before functions, as import lines are sorted."""
    return name[0].islower(), name


def _lines_of(definitions: dict[str, str], short: bool) -> Iterator[str]:
    """The definitions of one line, or the others."""
    return (code for code in definitions.values() if ("\n" not in code) is short)


def _class(head: str, told: str, methods: dict[str, str], notes: str = "") -> str:
    bodies = [plain_code(code, indent=4) for code in methods.values()]
    return "\n\n".join([f'{head}\n    """{told}"""', *filter(None, [notes]), *bodies])


def _notes(lent: list[str]) -> str:
    return "\n".join(
        f"    # {name} is not written yet: the finished one acts" for name in lent
    )


def _ending(written: int, looped: int) -> str:
    """The last line: how much of it is the learner's."""
    loop_lines = (
        f"the loop is {looped} of them" if looped else "the loop is not yet yours"
    )
    return f"# You wrote {quantity(written, 'line')}; {loop_lines}.\n"
