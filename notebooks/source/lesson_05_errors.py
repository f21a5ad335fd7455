# %% [markdown]
# # Lesson 5 · Errors
#
# Your loop goes round and knows when to stop. So far it was lucky: every call could be
# read, every request was answered. Today neither is true, and each time we ask: who can
# mend this?

# %%
import json
from typing import Any

import openai
from openai.types.chat import ChatCompletion

from labkit import MODEL, Agent, Call, Lesson, connect, finite
from labkit.agent import replies
from labkit.agent.sending import sendable
from labkit.shop import TOOLS, Shop

lab = Lesson("lesson_05_errors")

# %% [markdown]
# ## A call that nobody can read
#
# This agent trusts what the model writes: it reads the arguments and runs the tool. A
# customer asks it for the postage of an order. Run the cell and look at its last line.


# %%
class Trusting(Agent):
    def execute_call(self, call):
        return self.run_tool(call.name, json.loads(call.arguments))


lab.watch(Trusting, "glued_arguments")

# %% [markdown]
# The run is over: the program ended in an exception, and the customer reads nothing. Look at
# the reply: one id, one tool, and three objects run together, for `lookup_order`,
# `shipping_rate` and `calculator`. The model wanted three calls and wrote one. Real models
# have done this.

# %% [markdown]
# Could we take the first object and drop the rest? With a look-up, perhaps. With a refund
# we would pay although we had read only half of the wish. So we do not guess. But an
# exception helps nobody either. Next attempt: catch it.


# %%
class Shrugging(Trusting):
    def execute_call(self, call):
        try:
            return super().execute_call(call)
        except Exception:
            return json.dumps({"error": "failed"})


lab.watch(Shrugging, "glued_arguments")

# %% [markdown]
# The run survives, and nothing comes of it: the same call twice more, then an apology.
# Four completions were paid for. *Failed* is no news. The model could mend its call, if it
# were told what was wrong.

# %% [markdown]
# ## The broken call stays in the transcript
#
# Look at message 3 above, below the result in message 4: it is not what the model wrote. `complete`, which is given,
# passes all that is sent through `self.sendable`. Here is what it promises, and what it
# does to the three objects.

# %%
agent = Agent(connect("glued_arguments"), TOOLS, Shop().functions)
asked = {"role": "user", "content": "How much is the postage for NW-1041?"}
message = agent.complete([asked]).choices[0].message
mended = agent.sendable([message])[0]
print(sendable.__doc__)
print(message.tool_calls[0].function.arguments)
print(mended["tool_calls"][0]["function"]["arguments"])

# %% [markdown]
# The text is wrapped into one proper object; id and name stay. Some servers take a broken
# call in the history. Others refuse it, and each later request with it. This one is
# strict: it gets the history as it came, and then wrapped.

# %%
client = connect("glued_arguments", level="strict")
result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "{}"}
history = [asked, message, result]
for messages in (history, agent.sendable(history)):
    try:
        client.chat.completions.create(model=MODEL, messages=messages)
        print("taken")
    except openai.BadRequestError as error:
        print(error.status_code, error.body["message"])

# %% [markdown]
# ## A request that nobody answers
#
# In the second conversation the model has done nothing wrong. It never saw the question: a
# gateway in front of it answered, with status 200, which means all is well.

# %%
lab.show("gateway_says_no", turn=1)

# %% [markdown]
# No `choices`, only an `error`. The client raises nothing, since the status was 200, and
# gives us a completion whose `choices` are `None`. An agent that trusts each 200 finds out
# a line later.


# %%
class Hopeful(Agent):
    def call_model(self, messages):
        return self.complete(messages)


lab.watch(Hopeful, "gateway_says_no")

# %% [markdown]
# A second reply is on file, and nobody asked for it. So here is today's rule. **A fault in
# a call is the model's to mend, so it gets to read it. A fault of the request is ours, so
# we ask again.**

# %% [markdown]
# But not for ever: `self.attempts` times at most (3, if nobody says otherwise), and then
# the run ends as `provider_error`. And not after a 400 or 401, which say that the request
# itself is wrong. Sent again, it is just as wrong.

# %% [markdown]
# ## Your turn
#
# `execute_call(call)` gives back text, whatever the call. You can lean on:
#
# - `call.name` and `call.arguments`, the raw text
# - `self.run_tool(name, args)`: runs a tool by the rules of the shop; its result is JSON
#   text, for an unknown tool too. It raises whatever the tool raises
# - `finite`, for `json.loads(…, parse_constant=finite)`: Python's reader lets `NaN` pass,
#   which JSON does not have; with `finite` it raises
#
# An error is JSON text, `{"error": "…"}`, and names what was wrong.

# %% [markdown]
# `call_model(messages)` gives back a completion with a message in it, or `None`. You can
# lean on:
#
# - `self.complete(messages)`: one request, one try. It raises `openai.OpenAIError` if that
#   fails, after `self.timeout` (60) seconds at the latest; the client alone would wait for
#   ten minutes
# - `replies.is_wrong_request(error)`: whether asking again is useless, as after a 400; a 429
#   ("too many requests") is about the moment, so it may be asked again
# - `replies.words(completion)`: what a completion without a message says instead
# - `self.error`: yours to set, to the provider's last words; `run` puts them into the result

# %%
# exercise: labkit.agent.loop:Agent.execute_call
# exercise: labkit.agent.loop:Agent.call_model

# %%
lab.check(MyAgent)

# %% [markdown]
# Stuck, or red? Hints begin with the first part that has not passed;
# `lab.hint("call_model")` asks for the other one.

# %%
lab.hint()

# %% [markdown]
# ## Watch it mend
#
# The same three objects, and your agent. The second request carries your error, and what
# the model makes of it is the reply below it.

# %%
lab.watch(MyAgent, "glued_arguments")

# %% [markdown]
# In the next run a refund is paid, and the request after it meets a 503. That request is
# made again, and only that. Whoever began the whole run again would pay twice.

# %%
lab.watch(MyAgent, "paid_then_busy")

# %% [markdown]
# ## You are the model
#
# Write calls as badly as you can; `arguments` as a text is sent as it stands. Does your
# agent's answer tell you enough to mend the call? Then it tells a model enough.

# %%
replies_by_hand = [
    {"tool": "lookup_order", "arguments": '{"order_id": "NW-10'},
    {"tool": "find_order", "order_id": "NW-1041"},
    {"tool": "lookup_order", "number": "NW-1041"},
    "I give up.",
]
lab.be_the_model(MyAgent, "What is in my parcel?", replies_by_hand)

# %% [markdown]
# And with buttons. Tick *write the arguments as raw text* to break them, or choose *another
# name* for a tool that nobody has. Read each error before you reply: could you mend it?

# %%
lab.be_the_model(MyAgent, "What is in my parcel?")

# %% [markdown]
# ## Break it on purpose
#
# Somebody reads the first of the objects run together and is content with it. Which check
# turns red first? Write your guess down before you run the cell below it.

# %%
# begin student
guess = "…"
# end
# begin solved
guess = "whatever the arguments are, the answer says what was wrong; no tool runs"
# end

# %%
lab.wrong("first_of_the_glued_objects")

# %% [markdown]
# ## Eighty ways to fail
#
# Providers, models and tools have failed in more ways than these few, and people have told
# the world about it. Eighty of their reports are on file, each as a conversation. Here is
# your agent on all of them, and beside it a loop as many tutorials write it. (Where a later
# lesson's part is needed, the finished one acts.)

# %%
lab.survive(MyAgent)

# %% [markdown]
# ## What can still go wrong
#
# Your agent now survives bad calls and bad days. A refund of 640, asked for politely and in
# perfect JSON, is a *good* call. Whether it may run is lesson 6.
