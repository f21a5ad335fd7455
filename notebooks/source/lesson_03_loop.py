# %% [markdown]
# # Lesson 3 · The loop
#
# A customer wants to know the postage for order NW-1041. Somebody has to open the
# order, find the rate for its country and multiply. One answered call is not enough:
# each of the three needs the result before it. You will write what goes on asking.

# %%
import json

import openai

from labkit import MODEL, Agent, Lesson, Result, connect, parse_tool_calls
from labkit.shop import SYSTEM, TOOLS, Shop

lab = Lesson("lesson_03_loop")

# %% [markdown]
# ## Nothing is remembered
#
# We tell the model something, and then ask about it in a second request. (A recording
# gives its replies in order, so each cell here begins it anew.)


# %%
def say(client, *messages):
    completion = client.chat.completions.create(model=MODEL, messages=list(messages))
    return completion.choices[0].message.content


told = {"role": "user", "content": "My order number is NW-1041."}
asked = {"role": "user", "content": "Which order did I mean?"}
client = connect("forgetful")
print(say(client, told))
print(say(client, asked))

# %% [markdown]
# The server kept nothing. Whatever the next reply should know has to travel in the next
# request: what was said, what was answered, and later every tool result too. So we send
# the whole conversation again, the answer we got included.

# %%
client = connect("forgetful")
answered = {"role": "assistant", "content": say(client, told)}
say(client, asked)
print(say(client, told, answered, asked))

# %% [markdown]
# That list of messages is the transcript. It grows at its end and is sent whole each time.
#
# ## One round by hand
#
# Before a program goes round, we go round once ourselves: ask, look, run, send back. The
# model's first reply to this question is a tool call.

# %%
client = connect("one_lookup")
question = "What did I order under NW-1041, and has it left yet?"
messages = [{"role": "user", "content": question}]
completion = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
message = completion.choices[0].message
call = message.tool_calls[0]
print(call.id, call.function.name, call.function.arguments)

# %% [markdown]
# It asks for `lookup_order`. We run that, and keep two things, in this order: the message
# that asked, just as it came, and the result, under the id of the call it belongs to.

# %%
shop = Shop()
order = shop.lookup_order(**json.loads(call.function.arguments))
messages.append(message)
messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(order)})
[m["role"] if isinstance(m, dict) else m.role for m in messages]

# %%
client = connect("one_lookup", turn=2)
completion = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
print(completion.choices[0].message.content)

# %% [markdown]
# No calls this time, so the text is the answer and we are done: two requests, one tool.

# %% [markdown]
# ## What the API says if we are careless
#
# It is tempting to keep only the result. After all, it is the news. Here is the second
# request again, with the model's own message left out.

# %%
client = connect("one_lookup", turn=2)
only_the_result = [messages[0], messages[2]]
try:
    client.chat.completions.create(model=MODEL, messages=only_the_result, tools=TOOLS)
except openai.BadRequestError as error:
    print(error.status_code, error.body["message"])

# %% [markdown]
# A result without the call it answers makes no sense to the server, and it says so with
# status 400, in nearly these words. You will meet them again.
#
# ## The conversation you are going to carry
#
# This one is on file for the postage question. Read it once, aloud if you like: each
# line is one reply, and each reply needed the result of the one above it.

# %%
lab.show("shipping_chain")

# %% [markdown]
# ## Your turn: one step
#
# `Agent.run` is given. It opens a `Result` with system prompt and question, and calls
# `step` until `step` gives back a reason to stop:
#
# ```python
# while result.stopped_by is None:
#     result.stopped_by = self.over_budget(result) or self.step(result)
# ```
#
# You write `step`: one completion, and what follows from it.

# %% [markdown]
# What you fill in: `result.steps` (one more for each completion), `result.tokens` (plus
# what `count_tokens` gives), and in the end `result.answer`, the text of the message
# without calls. What you give back: `"answered"`, `"provider_error"`, the reason from
# `veto`, or `None` to go on.

# %% [markdown]
# What you can lean on, all given:
#
# - `self.call_model(result.messages)`: a completion, or `None` if the provider is lost
# - `self.count_tokens(result, result.messages, completion)`: the tokens it cost
# - `self.veto(completion)`: a stop reason if the reply was refused, filtered, cut off or
#   empty, otherwise `None`
# - `parse_tool_calls(message)`: the calls, from lesson 1
# - `self.execute_calls(result, calls)`: one text per call, in order, kept in
#   `result.tool_calls`
# - `self.on_tool_result(result, call, content)`: the text to send for it

# %%
# exercise: labkit.agent.loop:Agent.step

# %% [markdown]
# The check runs your loop on a dozen recorded conversations, through the real client, and
# looks only at what it sent, ran and gave back.

# %%
lab.check(MyAgent)

# %% [markdown]
# Stuck, or red? The first hint is a question; each further call goes one step down the
# ladder. After the last one, `lab.solution()` shows the finished lines.

# %%
lab.hint()

# %% [markdown]
# ## Watch it go round
#
# Your loop on the postage question. Look at how the number of messages grows, and at where
# each call id turns up a second time.

# %%
lab.watch(MyAgent, "shipping_chain")

# %% [markdown]
# Several calls can come in one message. All of them are answered before the next request,
# in the order in which they were asked.

# %%
lab.watch(MyAgent, "two_conversions")

# %% [markdown]
# ## Break it on purpose
#
# Somebody runs each tool once too often: a line that prints the outcome runs it a second
# time. Which check turns red first? Write your guess down before you run the next cell.

# %%
# begin student
guess = "…"
# end
# begin solved
guess = "each call runs once and gets one result, in order, under its own id"
# end

# %%
lab.wrong("each_tool_runs_twice")

# %% [markdown]
# And here a `break` slipped in after the first result. With one call per message nobody
# would notice. With two, the second id stays open, and the next request is refused.

# %%
lab.wrong("break_after_the_first")

# %% [markdown]
# ## An order of work
#
# No schema can say *look first, then answer*. The system prompt can, and pays for it with
# its tokens in every request, because it is sent again in every request. Here it is.

# %%
print(SYSTEM)

# %% [markdown]
# ## The same loop, another agent
#
# Nothing in your loop knows about shops. Give it two tools that read files and a question
# about a code base, and it works there. The first guess at a path is wrong; watch what the
# model makes of the error.

# %%
lab.watch(MyAgent, "workspace_retries")

# %% [markdown]
# Whoever has a model at hand, a key or a server on this machine, can let it answer instead:
# `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL` say which. Without them, this cell
# says so and does nothing.

# %%
lab.live(
    MyAgent, "Where does this code decide about retries, and how many does it allow?"
)

# %% [markdown]
# ## What can still go wrong
#
# Your loop stops when the model stops asking. A model that is stuck does not stop asking.
# Somebody has to count, and that is lesson 4.
