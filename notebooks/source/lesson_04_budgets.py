# %% [markdown]
# # Lesson 4 · Budgets
#
# Your loop from lesson 3 stops when the model stops asking. Today a customer asks about
# order NW-9999. There is no such order, and the model does not stop asking. Somebody
# has to count, and somebody has to say when it is enough.

# %%
import json
from typing import Any

from openai.types.chat import ChatCompletion

from labkit import MODEL, Agent, Lesson, Limits, Result, connect
from labkit.agent import replies
from labkit.replay import find_recording
from labkit.shop import SYSTEM, TOOLS, Shop

lab = Lesson("lesson_04_budgets")

# %% [markdown]
# ## A model that is stuck
#
# First the finished agent with hardly any limit: a thousand calls, a thousand million
# tokens, and forty steps, as many as there are replies on file. The last of them repeats
# for as long as anybody asks.


# %%
def answered(recording, **limits):
    agent = Agent(connect(recording), TOOLS, Shop().functions, system=SYSTEM)
    agent.limits = Limits(**limits)
    return agent.run(find_recording(recording).question)


room = {"steps": 40, "tool_calls": 1000, "tokens": 10**9}
result = answered("runaway", **room)
print(result.steps, "steps,", len(result.tool_calls), "calls,", result.tokens, "tokens")

# %% [markdown]
# Forty steps, eighty calls, and no answer. What was it doing all that time? Read the
# first two rounds aloud: an order that is not there, Python code for a calculator that
# knows only sums, and once more from the top.

# %%
for call in result.tool_calls[:4]:
    print(call["name"], call["arguments"])
    print("   ", call["result"])

# %% [markdown]
# Each of these replies, taken by itself, looks like somebody who is trying. The model
# does not see that it has tried before: it reads the conversation and writes a likely
# next line, and after so many attempts, one more attempt is likely.

# %% [markdown]
# ## Three ways to spend too much
#
# Many steps are one way. A model can also pack forty calls into a single reply, or take
# few steps whose results are long. Here are all three, with room for everything.

# %%
for name in ("runaway", "forty_calls", "growing_context"):
    result = answered(name, **room)
    calls = len(result.tool_calls)
    print(f"{name:16}{result.steps:3} steps {calls:3} calls {result.tokens:7} tokens")

# %% [markdown]
# The second run took two steps, so a limit on steps never sees it. The third made four
# calls, and still cost 16,000 tokens. Read its replies, and in each the tokens in:
# whatever a tool returned is sent again, and paid again, from then on.

# %%
lab.show("growing_context")

# %% [markdown]
# ## What did that cost?
#
# Steps and calls we can count ourselves. For tokens we ask the reply: `usage` says what
# went in (`prompt_tokens`) and what came out (`completion_tokens`). That is, if the
# server fills it in. Five recordings, and their first reply's usage:

# %%
for name in ("runaway", "usage_missing", "usage_null", "usage_zero", "usage_half"):
    said = [{"role": "user", "content": "Where is NW-9999?"}]
    reply = connect(name).chat.completions.create(model=MODEL, messages=said)
    print(f"{name:14}", reply.usage and reply.usage.to_dict())

# %% [markdown]
# Real servers do all of this. A request with text in it has cost something, so a usage
# that is missing, null or zero is not *free*, it is *unknown*. Taken for 0, it makes a
# token budget that is never spent; four characters to a token is a better guess.

# %% [markdown]
# ## Your turn: look, then count
#
# `run` is given. Before each step it asks `over_budget`, and a reason ends the run:
#
# ```python
# while result.stopped_by is None:
#     result.stopped_by = self.over_budget(result) or self.step(result)
# ```
#
# A budget of 8 buys eight completions; the ninth is not asked for.

# %% [markdown]
# `over_budget` looks and changes nothing. What it can look at:
#
# - `result.steps` against `self.limits.steps`: `"step_budget"`
# - `result.tool_calls`, a list with an entry for each call, against
#   `self.limits.tool_calls`: `"tool_call_budget"`
# - `result.tokens` against `self.limits.tokens`: `"token_budget"`
#
# Is there room in all three, it gives back `None`.

# %% [markdown]
# `count_tokens` is called by `step` once for each reply. It adds to `result.tokens_in`
# and `result.tokens_out` and gives back the sum, which `step` adds to `result.tokens`.
# What is unknown is guessed, each half by itself: `replies.estimate_tokens(messages)` for
# what went in, `replies.estimate_tokens(response.choices)` for what came out.

# %%
# exercise: labkit.agent.loop:Agent.over_budget
# exercise: labkit.agent.loop:Agent.count_tokens

# %% [markdown]
# The check asks both methods about runs below and at each limit and, where a counter can
# jump, beyond it; the other budgets are out of reach meanwhile. Then it lets your agent
# loose on the recordings.

# %%
lab.check(MyAgent)

# %% [markdown]
# Stuck, or red? The first hint is a question. `lab.hint("count_tokens")` helps with the
# other method, and `lab.solution("over_budget")` shows the finished lines.

# %%
lab.hint()

# %% [markdown]
# ## The meter
#
# The stuck model twice: without budgets, up to the end of the file, and with your lines
# and the limits an agent has by itself: 8 steps, 20 calls, 20,000 tokens. In a live
# notebook three sliders for the budgets stand above the bills: find a setting in which another budget
# says no first. Two boxes hold the prices: put in those of a model you know.

# %%
lab.meter(MyAgent, "runaway")

# %% [markdown]
# ## Watch it stop
#
# The whole conversation with your lines in it. The last two calls run, and nobody asks
# what the model makes of them: before the ninth request, the loop looks. The budget that
# said no is in `stopped_by`, and in the answer.

# %%
lab.watch(MyAgent, "runaway")

# %% [markdown]
# ## In the middle of a message
#
# Forty calls in one reply, and a budget of three. `execute_calls` is given, and looks at
# the budget before every call. What does it say to the other thirty-seven?

# %%
result = answered("forty_calls", tool_calls=3)
for message in result.messages[3:8]:
    print(json.loads(message["content"]))
print(len(result.messages) - 3, "results,", result.stopped_by)

# %% [markdown]
# They are answered, and not run. Each id needs its message, or the transcript could
# never be sent again. A loop that runs the whole message and stops after it is right
# too; it only pays for more.

# %% [markdown]
# ## Break it on purpose
#
# Somebody adds up the usage and takes what is missing for 0. With most servers this
# works for years. Which check turns red first? Write your guess down, then run the cell
# after it.

# %%
# begin student
guess = "…"
# end
# begin solved
guess = "a reply without usage still costs something"
# end

# %%
lab.wrong("null_is_zero")

# %% [markdown]
# And here somebody wrote `==` where `>=` belongs. The step counter goes up by one, so it
# meets its limit. Which two of the counters can jump past theirs?

# %%
lab.wrong("equal_is_spent")

# %% [markdown]
# ## What can still go wrong
#
# A run can no longer spend more than you allow. But it can still be lost: in the next
# lesson the model runs two sets of arguments into each other, and a server says that all
# is well and sends no answer.
