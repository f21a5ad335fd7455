# %% [markdown]
# # Lesson 8 · Evals
#
# Your agent survives a runaway model, broken arguments and a stranger who wants money. None
# of that says whether its answers are right. You will write what does: a score for one run,
# and a rate for many.

# %%
from collections.abc import Callable, Iterable
from typing import Any

from labkit import (
    Agent,
    EvalReport,
    Lesson,
    Result,
    connect,
    numbers_in,
    tools_that_ran,
)
from labkit.shop import SYSTEM, TOOLS, Shop, cases

lab = Lesson("lesson_08_evals")

# %% [markdown]
# ## Nothing is wrong with this run
#
# A customer asks what order NW-1041 cost. The finished agent answers, with every guard of
# the last seven lessons in it.

# %%
shop = Shop()
agent = Agent(connect("price_invented"), TOOLS, shop.functions, system=SYSTEM)
result = agent.run("What did order NW-1041 cost?")
print(result.answer)
print(result.stopped_by, result.steps, result.tool_calls)

# %% [markdown]
# It ended as `answered`, in one step, within every budget. No check of the lessons before
# would turn red here. Now let us open the order ourselves.

# %%
print(shop.lookup_order("NW-1041")["price"])

# %% [markdown]
# Nobody had opened it: `tool_calls` is empty, and the price is made up. To notice, somebody
# has to know the truth beforehand. So we write questions down, each with what a good answer
# must contain.
#
# ## Six questions with a known answer
#
# Such a pair is a case, and here is the shop's set. The figures come from the shop's own
# data, so they are true whatever a model says.

# %%
for case in cases():
    print(case["id"], "|", case["question"])
    print("   ", case["numbers"], case["tools"], "in", case["max_steps"], "steps")

# %% [markdown]
# Figures that must be in the answer, tools that must have run, a ceiling on steps: none of
# them needs a reader. A wording is not asked for, since many are good. Each case also names
# the recording it is replayed from.

# %% [markdown]
# This is the one of `postage_in_euros`. Read the fourth reply aloud: it has two forms. If the
# calculator gave an error, because an agent came without it, the model does the sum in its
# head. Otherwise it goes on.

# %%
lab.show("postage_in_euros")

# %% [markdown]
# The first form is fluent, and a hundred euros too high. Look for the right figure in it as
# text, and it is there, inside the wrong one. So figures are compared as numbers, and
# `numbers_in` is given.

# %%
in_the_head = "Sending order NW-1041 to Germany costs 146.86 euros."
print("as text:", "46.86" in in_the_head)
print("as a number:", 46.86 in numbers_in(in_the_head))
print(numbers_in("You paid $1,234.50 for NW-1041, and then 640."))

# %% [markdown]
# ## Your turn: one run
#
# `score` gets a case and the `Result` of its run, and gives back every reason against it, a
# text each. An empty list means: passed.
#
# You will need `result.stopped_by`, `result.steps` and `result.answer`. Two helpers are given:
# `numbers_in(text)`, and `tools_that_ran(result)`, the names of the tools that did their work;
# a call that was refused or failed did not. Name what is missing.

# %%
# exercise: labkit.agent.evals:score

# %%
lab.check(score)

# %%
lab.hint("score")

# %% [markdown]
# ## From one run to a rate
#
# One case says little. After a change you want to know how many still pass, and a script
# wants to know it as an exit code, 0 or 1.
#
# And runs can raise: the network goes, a tool has a bug. That is one lost case; those after
# it still have to be judged.

# %% [markdown]
# ## Your turn: all of them
#
# `run(case)` is handed to you and returns a `Result`, or raises. Start with an `EvalReport()`.
# Its `add(case, reasons, stop)` counts one case, the reasons against it and its stop reason
# (for a run that raised, say `"raised"`), and keeps `report.passed` and `report.total`. Left
# for the end are `report.pass_rate`, from 0 to 1, and `report.exit_code`.

# %%
# exercise: labkit.agent.evals:evaluate

# %%
lab.check(score, evaluate)

# %%
lab.hint("evaluate")

# %% [markdown]
# ## Run the set
#
# The finished agent answers all six, each from its recording, and your two functions judge
# it. Passed or not, each question stands under the stop reason of its run.

# %%
lab.evaluate(score, evaluate, cases(), threshold=0.8)

# %% [markdown]
# In a shell, `labkit eval agent.py --threshold 0.8` does the same for the `MyAgent` of a file,
# and your exit code is its exit status. Programs that try each change of a code base (CI, for
# short) let a change in only if that status is 0. One such line holds the door for a new
# prompt, a new tool description or another model.

# %% [markdown]
# ## One sentence of the system prompt
#
# The prompt says: "Do every sum with the calculator." Here the same question is on file
# twice, once as it goes with that sentence and once as it goes without. One case becomes two.

# %%
with_it = next(case for case in cases() if case["id"] == "postage_in_euros")
without_it = with_it | {"id": "without_it", "recording": "postage_in_the_head"}
lab.evaluate(score, evaluate, [with_it, without_it], threshold=0.8)

# %% [markdown]
# The sentence costs a few tokens in every request. Whether it earns them is no matter of
# taste: run the set with it and without it, on the model you really use, and compare two
# rates.

# %% [markdown]
# ## It said so
#
# The worst wrong answer is a promise. In the second recording the customer reads that money
# was paid back, and the figure is even right. Which tool ran?

# %%
refund = next(case for case in cases() if case["id"] == "small_refund")
promised = refund | {"id": "promised", "recording": "refund_only_promised"}
agent = Agent(connect("refund_only_promised"), TOOLS, shop.functions, system=SYSTEM)
print(agent.run(refund["question"]).answer)
lab.evaluate(score, evaluate, [refund, promised], threshold=0.8)

# %% [markdown]
# What was done is judged by what ran, never by what an answer says about it.

# %% [markdown]
# ## Break it on purpose
#
# Somebody leaves `numbers_in` out and asks `if f"{number:g}" not in result.answer`. Which
# check turns red? Write your guess down first.

# %%
# begin student
guess = "…"
# end
# begin solved
guess = "each figure of the case is looked for in the answer, as a number"
# end

# %%
lab.wrong("figure_as_text_to_the_cent", code=False)

# %% [markdown]
# And here the file of cases was empty one day, after a path had changed. Nothing failed, so
# the door stood open.

# %%
lab.wrong("empty_list_passes", code=False)

# %% [markdown]
# ## An agent of your own
#
# Whenever all checks of a part passed, the lab has kept what you wrote. In a terminal, in
# this folder, `labkit assemble` joins it (in a cell, `lab.assemble()` does the same) to one
# file, `my_agent/agent.py`, which runs without the lab. Its last line says how many of its lines are yours. `labkit eval` and `labkit
# survive` take that file; with a key, so does any model: `python agent.py "…"`.

# %% [markdown]
# ## What can still go wrong
#
# A customer gives a second order number, in case the first is wrong. On one more recording
# the model tries the first and gives up.

# %%
second = next(case for case in cases() if case["id"] == "second_number")
gave_up = second | {"id": "gave_up", "recording": "gave_up_at_once"}
agent = Agent(connect("gave_up_at_once"), TOOLS, shop.functions, system=SYSTEM)
print(agent.run(second["question"]).answer)
lab.evaluate(score, evaluate, [*cases(), gave_up], threshold=0.8)

# %% [markdown]
# Six of seven, so the door stays open. But unfold the stop reasons: the run that gave up
# counts as `answered`, like the other six. To the loop any text without calls is an answer;
# that a model has *finished*, and with what, it cannot tell yet.
