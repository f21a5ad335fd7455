# %% [markdown]
# # Start here
#
# An AI agent is a program that asks a model what to do, does it, reports back, and asks
# again. In this lab you write that program yourself, one small piece per notebook, and each
# piece is tried on recorded conversations. You need no key and no network.

# %% [markdown]
# A *model* is a program that continues text, as behind a chat window. *Tokens* are the
# pieces of text it is billed by. The *system prompt* is what the program, not the customer,
# tells it first. That is all you need to know of models today.

# %% [markdown]
# ## Does it work?
#
# A notebook is a column of cells. Click into the next one and press Shift and Enter
# together: it runs, and what it gives appears below it.

# %%
from labkit import Agent, Lesson

lab = Lesson("lesson_03_loop")
print("The lab is here.")

# %% [markdown]
# If that sentence appeared, everything is in place. If not, open a terminal and run
# `labkit doctor`: it tries every part of the lab and says which one is missing.

# %% [markdown]
# ## You are the model
#
# To see what a model does, do its work once. A customer of the shop
# Northwind asks about an order, and the question has come to you. You cannot open any
# order. You can only write, and what you may write is a text or a wish for a tool.

# %%
question = "What does my order NW-1041 weigh?"
replies = [
    {"tool": "lookup_order", "order_id": "NW-1041"},
    "I have asked for your order.",
]
lab.be_the_model(Agent, question, replies)

# %% [markdown]
# Follow it line by line. Your first reply was a wish. The agent, an ordinary program, saw
# the wish, opened the order, and sent you the whole conversation again with the result at
# its end (the card draws only what is new). Your second reply asked for nothing, so the agent took it as the answer.

# %% [markdown]
# It is a poor answer: the weight stands there to be read. Change the second reply above so
# that it tells the weight, and run the cell again. That is all a model ever adds: text,
# chosen with the conversation before its eyes.

# %% [markdown]
# Now with buttons, one reply at a time. The conversation stands above them as the model
# gets it. Ask for an order, read what comes back, then answer in words.

# %%
lab.be_the_model(Agent, question)

# %% [markdown]
# ## What you cannot do
#
# Now wish for something the shop does not offer, and for more money than it pays back
# without asking a person. Nothing breaks: the agent tells you, and you may think of something else.

# %%
replies = [
    {"tool": "delete_order", "order_id": "NW-1041"},
    {"tool": "refund", "order_id": "NW-1041", "amount": 640},
    "I could do neither.",
]
lab.be_the_model(Agent, "Please cancel everything and pay me 640.", replies)

# %% [markdown]
# The model does nothing; it only asks. Whatever really happens is done by our program, and
# so our program decides what can happen. Keep that sentence. The rest of the lab is about
# writing the program well.

# %% [markdown]
# ## A check at work
#
# Each lesson has an exercise, and a check that runs what you wrote. Below is somebody's
# answer to lesson 3 with one fault in it, and here is what the check says of it. You need
# not follow it all yet; look at the marks. (Points are what an instructor would count, and
# grading asks the same about other orders, so that nothing typed in from the screen holds.)

# %%
lab.wrong("only_the_first_call", code=False)

# %% [markdown]
# A tick is a claim that holds, a cross is one that does not. Under a cross stands what was
# seen, in which request and which message, what was expected, and one thing to try. Claims
# that depend on a failed one wait. Begin with the first cross; the others often go with it.

# %% [markdown]
# ## A hint at work
#
# When a cross does not tell you enough, ask for a hint. The first one is a question. Ask
# again and the next is plainer; the last is a sketch of what to write.

# %%
lab.hint("step")

# %% [markdown]
# ## When you are stuck
#
# 1. Read the cross again: request and message are counted from the conversation *you* made.
# 2. In lesson 3, `lab.watch(MyAgent, "shipping_chain")` draws that conversation.
# 3. `lab.hint()`, as often as you like; nobody counts.
# 4. `lab.solution()` shows the finished lines; before your third attempt you have to ask
#    twice. Read them, close them, write your own.
# 5. A cell that shows [*] and never ends: press the square ■ above the notebook
#    (in the browser edition: Kernel, Restart Kernel).
# 6. The check sees what you last *ran*. If you changed a cell and did not run it, if it ended
#    in an error, or if you renamed something, that is still the version before. A notebook
#    in knots: Kernel, Restart Kernel and Run All Cells.

# %% [markdown]
# ## Ten questions people ask
#
# **Do I need an API key?** No. The conversations are on file, and the real `openai` client
# reads them as if they came from a server.
#
# **Are those real models talking?** Each file says who wrote it. Those marked *invented*
# were written by hand for this lab, in the shapes that real servers send.
#
# **How much Python must I know?** Functions, dictionaries, lists and a little of classes.
# What stands after a colon or an arrow, as in `-> str`, names a kind of value; you may pass
# over it.
#
# **How long does it take?** Between ten minutes and half an hour for a lesson, more if all
# this is new to you. You write about 130 lines over lessons 1 to 8, never more than 14 at once.
#
# **Must I go in order?** It reads best so, but every notebook stands on its own: what you
# have not written yet, the finished agent lends you.

# %% [markdown]
# **Is my way wrong if it differs from the solution?** No. Checks look at what your code
# sends, runs and gives back, never at how it is written.
#
# **Where is my work kept?** In the notebook files in this folder. Updates of the lab never
# write over them.
#
# **Can I break something?** Not the shop: it is a small database that is made anew for
# every run. Your own Python can do here what Python can do anywhere.
#
# **Why is a check so fast?** Nothing travels: the replies come from a file on this machine.
#
# **What do I have at the end?** An agent whose deciding lines you wrote and understand.

# %% [markdown]
# ## How far you are
#
# What passes is counted as you go, one square for each check. Come back to this cell and run
# it again whenever you want to see it, or type `labkit progress` in a terminal.

# %%
from labkit import Lesson

Lesson("lesson_03_loop").progress()

# %% [markdown]
# To begin a lesson anew, type `labkit reset lesson_03_loop` in a terminal: you get a fresh
# notebook, and the one you wrote in is kept beside it. (The browser edition has no terminal:
# rename your notebook there, reload the page, and the fresh one is back.)

# %% [markdown]
# ## Go on
#
# Open `lesson_01_raw_tool_call.ipynb` in the list on the left.
