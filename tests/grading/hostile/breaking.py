"""Files that are broken rather than hostile."""

from tests.grading.hostile.case import GOOD, Case, first, notebook, run

CASES = [
    Case("syntax", "error", "class MyAgent(\n    return 1\n", seen="line 1"),
    Case("nothing_in_it", "not_gradable", "x = 1\n"),
    Case("empty", "not_gradable", ""),
    Case("null_byte", "not_gradable", "x = 1\0\n"),
    Case("too_much_code", "not_gradable", "#" * (2 << 20)),
    Case("cut_off", "not_gradable", notebook(GOOD)[:300], notebook=True),
    Case("another_shape", "not_gradable", '{"cells": [{"source": 5}]}', notebook=True),
    Case("deep_source", "error", "MyAgent = " + "(" * 5000 + ")" * 5000),
    Case(
        "another_signature",
        "error",
        run("").replace(
            "    def run(self, question):", "    def run(self): return Result('x')"
        ),
    ),
    Case(
        "prints_the_answer",
        "failed",
        run("""
        messages = [{"role": "user", "content": question}]
        print(self.complete(messages).choices[0].message.content)
    """),
    ),
    Case(
        "calls_while_loading",
        "error",
        first('MyAgent = client.chat.completions.create(model="m", messages=[])'),
        seen="NameError",
    ),
    Case("no_such_package", "error", first("import torch_not_here"), seen="torch"),
    Case(
        "async",
        "failed",
        run("").replace("    def run", "    async def run")
        + """
        return Result(question)
""",
    ),
    Case("input", "error", run('return input("? ")'), seen="EOFError"),
    Case("its_only_cell_raises", "error", notebook("1 / 0\n" + GOOD), notebook=True),
]
