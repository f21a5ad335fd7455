# %% [markdown]
# # Lesson 2 · The dispatcher
#
# In lesson 1 the model asked for `lookup_order`, and nothing happened: asking is all it can
# do. Now we grant the wish. A name that a model wrote has to lead to a function of ours.

# %%
import json
from collections.abc import Callable, Iterable
from typing import Any

from labkit import MODEL, Functions, Lesson, connect
from labkit.shop import TOOLS, Shop

lab = Lesson("lesson_02_dispatcher")

# %% [markdown]
# ## A table typed by hand
#
# Between the name and the function stands a table. Here is one as people type it, line by
# line, from the functions they have.

# %%
shop = Shop()
by_hand = {
    "lookup_order": shop.lookup_order,
    "list_orders": shop.list_orders,
    "convert_currency": shop.convert_currency,
    "calculator": shop.calculator,
    "refund": shop.refund,
}

# %% [markdown]
# A customer writes. To answer, the model will need two tools, one after the other. This
# small function fetches its next message and picks out the call in it.


# %%
def next_call(client):
    reply = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
    messages.append(reply.choices[0].message)
    return messages[-1].tool_calls[0]


# %%
question = "My order is NW-1041. What does a kilo cost to send there?"
messages = [{"role": "user", "content": question}]
call = next_call(connect("rate_wanted"))
order = by_hand[call.function.name](**json.loads(call.function.arguments))
messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(order)})
print(call.function.name, "gave", order)

# %% [markdown]
# That went well. The result now stands in the conversation, under the id of its call, and
# the model goes on to the second thing it needs.

# %%
del messages[3:]  # so that this cell can be run again
call = next_call(connect("rate_wanted", turn=2))
try:
    print(by_hand[call.function.name])
except KeyError as error:
    print("KeyError:", error)

# %% [markdown]
# `shipping_rate` is declared: its schema goes out with every request. The function exists as
# well. Nobody put it into the table, and we find out now, with two requests paid for and a
# customer waiting.

# %% [markdown]
# ## Who can mend it?
#
# Not the customer. Not the model, which asked for just what we had offered. Only the
# programmer can, and is best told at the start. So let the table be made out of the schemas,
# and complain.

# %%
declared = [tool["function"]["name"] for tool in TOOLS]
print("declared:", ", ".join(declared))
for name in shop.functions:
    if name not in declared:
        print("a function without a schema:", name)

# %% [markdown]
# `refunded_so_far` asks the ledger what an order got back. That is our program's own
# question. The model was not offered it and must not be able to reach it: what is not
# declared stays out of the table.

# %% [markdown]
# ## Your turn: the table
#
# `functions` is like `shop.functions`: each name with its function. Give back a table of the
# declared ones, none of them called yet. If one is missing, raise, and say which in the
# message.

# %%
# exercise: labkit.agent.dispatcher:build_registry

# %%
lab.check(build_registry)

# %% [markdown]
# A cross you cannot place? Ask for a hint; otherwise pass this cell by.

# %%
lab.hint("build_registry")

# %% [markdown]
# ## A name that does not exist
#
# The second mistake is the model's own. Read the first reply aloud, and look for the tool it
# names among the six that we declared.

# %%
lab.show("made_up_name")

# %% [markdown]
# "Please run `find_order` for me." We have no such tool, though it sounds as if we might. The
# name of a tool is text that a model wrote, like its arguments, and it can be wrong like
# them.

# %% [markdown]
# Who can mend this one? The programmer has nothing to mend. The model could ask again, with a
# name that exists, but it reads nothing except the conversation. An exception ends in our
# terminal, where no model looks.

# %% [markdown]
# So a made-up name is answered like any other call, with JSON text. Where the shop's tools
# cannot do something they say `{"error": "…"}`, and so do we. Repeat the name, for one message
# may hold three calls.

# %% [markdown]
# ## Your turn: the call
#
# `args` is a dict by now; pass it as `**args`. What a known tool returns goes out as it is,
# even a `0`, even an `{"error": …}` of its own. If the tool raises, let it: lesson 5 catches
# that.

# %%
# exercise: labkit.agent.dispatcher:dispatch

# %%
lab.check(build_registry, dispatch)

# %%
lab.hint("dispatch")

# %% [markdown]
# ## Watch it work
#
# The whole agent, with your two functions in it: first the made-up name, then the question
# that broke off above. See how your error text travels back under the id of the wrong call.

# %%
lab.watch(build_registry, dispatch, "made_up_name")

# %%
lab.watch(build_registry, dispatch, "rate_wanted")

# %% [markdown]
# ## Break it on purpose
#
# Take out the line that looks into the table first, and put one `except KeyError` round the
# call instead: "there is no such tool". Which check turns red? Write your guess down, then
# go on.

# %%
# begin student
guess = "…"
# end
# begin solved
guess = "a call that fails is not told as a name that does not exist"
# end

# %%
lab.wrong("key_error_round_the_call")

# %% [markdown]
# Made-up names are still answered well. But here a tool of ours had a bug inside, a `KeyError`
# of its own, and the model was told that the tool does not exist. It will not ask again, and
# nobody looks for the bug.

# %% [markdown]
# ## What can still go wrong
#
# You can grant one wish. This customer's question takes three, each made only when the result
# of the one before has been read. Somebody has to ask again, and again: that is lesson 3.
