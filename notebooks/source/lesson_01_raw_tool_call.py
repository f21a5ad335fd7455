# %% [markdown]
# # Lesson 1 · A tool call in the raw
#
# A customer of the shop Northwind asks what order NW-1041 cost. The figure lies in the
# shop's database, which no model has ever seen. Let us ask a model all the same.

# %%
from typing import Any

from labkit import MODEL, Call, Lesson, connect
from labkit.shop import TOOLS, Shop

lab = Lesson("lesson_01_raw_tool_call")

# %% [markdown]
# ## Without a tool
#
# One question, one request, through the real `openai` client. `connect` puts a recording
# where the network would be. A recording gives its replies in order, whatever you ask; this
# one was written by hand for the lab, its figures included.

# %%
client = connect("price_invented")
messages = [{"role": "user", "content": "What did order NW-1041 cost?"}]
completion = client.chat.completions.create(model=MODEL, messages=messages)
print(completion.choices[0].message.content)
print("tokens sent:", completion.usage.prompt_tokens)
print("price in the shop's database:", Shop().lookup_order("NW-1041")["price"])

# %% [markdown]
# A price to the cent, without the slightest doubt, and invented. The model had no way to
# open the order. All it can do is write text, and it wrote what usually follows such a
# question. Asking more sternly would not give it hands.

# %% [markdown]
# ## With a tool on offer
#
# So we send the question again, and beside it `tools`: a list that describes functions
# which *we* have. Here it holds one, `lookup_order`.

# %%
client = connect("price_asked")
completion = client.chat.completions.create(
    model=MODEL, messages=messages, tools=TOOLS[:1]
)
message = completion.choices[0].message
print(message.content)
print(message.tool_calls[0].function)

# %% [markdown]
# No text this time. The reply holds a tool call instead, which is a wish in writing: run
# `lookup_order`, please, with this `order_id`. Below is that reply whole, as JSON and by
# the paths under which the SDK keeps each part.

# %%
lab.show("price_asked", turn=1)

# %% [markdown]
# Read it aloud once: *it asks for `lookup_order`, it calls this wish by an id, and its
# arguments are one piece of text with JSON inside.* Usually, as here, `content` is null
# beside a call.

# %% [markdown]
# At its foot stands the bill. Without the tool, this question was 16 tokens long when it
# was sent; with one schema beside it, 118. Whatever we offer travels, and is paid for, in
# every request.

# %% [markdown]
# ## What can be read off it
#
# **Nothing has been run.** The order is still closed. The model waits nowhere: it wrote
# its wish and was done. Our program may grant it or not, so what we offer is all that can
# happen.

# %% [markdown]
# **A model wrote the arguments.** As a rule they are JSON, but nothing forces them to be.
# Here two sets of them ran into each other, in one call:

# %%
lab.show("arguments_run_together")

# %% [markdown]
# **Each id stays open until we answer it.** One reply can hold text and several calls. A
# result will travel back under the id of its call, so the ids have to be kept as they came.

# %%
lab.show("two_orders_at_once")

# %% [markdown]
# ## Your turn: two blanks
#
# A *schema* describes a function to the model, and is all the model knows of it. By the
# description it decides *whether* to ask. This is what our function gives back:

# %%
Shop().lookup_order("NW-1041")

# %% [markdown]
# Fill in a description that says so, and `required`: the list of the parameters that no
# call can do without.

# %%
# exercise: labkit.shop.schemas:LOOKUP_ORDER description required

# %%
lab.check(LOOKUP_ORDER)

# %% [markdown]
# A cross and no idea? Then ask for a hint, here and below; otherwise pass this cell by.

# %%
lab.hint("LOOKUP_ORDER")

# %% [markdown]
# ## Your turn: ask
#
# Make the request from above a function: one question, your schema on offer, and the
# model's message comes back. Fill in the two blanks first. Leave
# `tool_choice` alone: it stands on `auto`, so the model may also simply answer.

# %%
# exercise: labkit.agent.asking:ask

# %%
lab.check(LOOKUP_ORDER, ask)

# %%
lab.hint("ask")

# %% [markdown]
# ## Your turn: the calls
#
# Now make the message a list of `Call(id, name, arguments)`, one for each tool call. The
# arguments stay the text they are, readable or not. Running them comes later, and whoever
# mends them here hides what the model really wrote.

# %%
# exercise: labkit.agent.calls:parse_tool_calls

# %%
lab.check(LOOKUP_ORDER, ask, parse_tool_calls)

# %%
lab.hint("parse_tool_calls")

# %% [markdown]
# ## Watch it
#
# Your `parse_tool_calls` at work inside the whole agent, whose other parts are finished.
# There the two wishes are granted, each result goes back under its id, and the figures in
# the answer were looked up.

# %%
lab.watch(parse_tool_calls, "two_orders_at_once")

# %% [markdown]
# ## You are the model
#
# You know now what a model writes, so write it yourself. Choose a tool, fill in its
# fields, and send the call; add a second call to the same message once. Your
# `parse_tool_calls` reads what you sent.

# %%
lab.be_the_model(parse_tool_calls, "What did NW-1041 and NW-7411 cost together?")

# %% [markdown]
# ## Break it on purpose
#
# Somebody took one line out of `ask`, the one with `tools=`. It still runs, and a message
# still comes back. Which check turns red first? Write your guess down, then run the cell
# after it.

# %%
# begin student
guess = "…"
# end
# begin solved
guess = "the question reaches the model word for word, once, with the tool on offer"
# end

# %%
lab.wrong("forgets_the_tools")

# %% [markdown]
# Here somebody thought: a message that says something is not asking for anything. While
# `content` is null nobody notices. The first reply with a polite sentence before its calls
# loses them all.

# %%
lab.wrong("content_decides")

# %% [markdown]
# ## What can still go wrong
#
# The name in a call is only text, and a model can make one up. Who finds the function behind a name, and what if there is none? That is
# lesson 2.
