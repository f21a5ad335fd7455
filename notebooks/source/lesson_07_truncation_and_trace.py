# %% [markdown]
# # Lesson 7 · Truncation and trace
#
# Your agent survives stuck models, broken calls and greedy customers. What still kills it
# is plain size. A tool result is paid for when it arrives, and again in every request
# after it, because all of it is sent again.

# %%
import io
import json

from labkit import Agent, Call, Lesson, Limits, Result, connect
from labkit.agent.truncation import marker
from labkit.shop import TOOLS, Shop

lab = Lesson("lesson_07_truncation_and_trace")

# %% [markdown]
# ## How large is a result?
#
# One order is a line of text. But `list_orders` without a filter gives the whole table,
# and nothing keeps a model from asking for that.

# %%
shop = Shop()
table = json.dumps(shop.list_orders())
print(len(json.dumps(shop.lookup_order("NW-1041"))), "characters for one order")
print(len(table), "characters for the table")

# %% [markdown]
# Here is a run in which nobody cuts anything: the limit on results is set so high that it
# never bites. The model behind this recording can hold 8192 tokens.

# %%
question = "Which other orders go to the country of NW-1041, at what price for a kilo?"
uncut = Limits(result_chars=10**9)
agent = Agent(connect("full_context"), TOOLS, shop.functions, limits=uncut)
result = agent.run(question)
print(result.stopped_by, "after", result.steps, "steps")
print(result.error)

# %% [markdown]
# Three steps went well, and then the provider would not take the fourth request. The error
# says how much is too much. It does not say which result filled the context. Keep that
# question; the end of this lesson answers it.

# %% [markdown]
# ## Cutting is not enough
#
# The simplest cure is one slice. This agent sends the first 8,000 characters of a result
# and not a word about the rest.


# %%
class Silent(Agent):
    def on_tool_result(self, result, call, content):
        return content[: self.limits.result_chars]


agent = Silent(connect("filter_after_the_cut"), TOOLS, shop.functions)
print(agent.run("How many of our orders have come back to us?").answer)
print("in the table:", table.count('"returned"'))

# %% [markdown]
# The answer is short, fluent and wrong. The model counted what it was shown, and nothing
# told it that more than half of the table was missing. It cannot see our slice.

# %% [markdown]
# ## The same conversation, two ways to go on
#
# This recording was written by hand, and it reacts: reply 2 has two versions. The first
# comes if the model can tell from a marker that text is missing, the other if it cannot.

# %%
lab.show("filter_after_the_cut")

# %% [markdown]
# Read reply 2 aloud in its first version. A model that knows what is missing does what you
# would do: it asks for less. The filtered table is small enough to arrive whole.

# %% [markdown]
# ## Your turn: cut, and say so
#
# `truncate(text, limit)` gives back what fits as it is. What does not fit is cut, and a
# marker says how many characters were left out, and of how many. Marker and text together
# must stay within the limit.
#
# `marker(left_out, whole)` is given and writes that sentence. Or write your own.

# %%
print(marker(11576, 19503))
print(len(marker(11576, 19503)), "characters")

# %% [markdown]
# One thing to think about first: how much is left out depends on the room for text, and
# that depends on how long the marker is. `limit` is never below 200, so there is room for both.

# %%
# exercise: labkit.agent.truncation:truncate

# %%
lab.check(truncate)

# %%
lab.hint("truncate")

# %% [markdown]
# ## Your turn: one line for each call
#
# Every result passes through one method, `on_tool_result`, before it is sent. That makes it
# the place to cut, and the place to write down what happened. You give back the text that
# is to be sent.

# %% [markdown]
# The trace is a file with one JSON object per line, one line per call, failing calls too.
# Its seven fields:
#
# - `step`: the completion that asked for it, `result.steps`
# - `tool`, `arguments`: `call.name` and `call.arguments`
# - `result_chars`: the length **before** the cut
# - `truncated`: true or false
# - `seconds`: `call.seconds`
# - `tokens`: what the run has used so far, `result.tokens`

# %% [markdown]
# You can lean on `self.limits.result_chars`, the limit, and on
# `self.trace.write(step=…, …)`, which appends the fields as one line. When it returns, the
# line is on disk: if the program dies in the next request, the trace still tells how it
# got there.

# %%
# exercise: labkit.agent.loop:Agent.on_tool_result

# %%
lab.check(truncate, MyAgent)

# %%
lab.hint("on_tool_result")

# %% [markdown]
# ## Watch the model ask again
#
# The same question as before, now with your marker. (A long result is drawn here by its
# beginning and its end; what your agent sent ends with the marker.)

# %%
lab.watch(truncate, MyAgent, "filter_after_the_cut")

# %% [markdown]
# ## What a result costs
#
# In this recording the table is fetched once, in step 1, and never needed again. The chart
# shows the tokens of each request with the stock limit and without one. In a live notebook
# a slider sets the limit: cut harder, and see which requests become smaller.

# %%
lab.chart(truncate, MyAgent, "crate_by_the_table")

# %% [markdown]
# Nobody asked for the table a second time, and still every later request carries it. Cut,
# it costs less than half as much, and this model loses nothing by it: the order it looked
# for stands near the top.

# %% [markdown]
# ## Break it on purpose
#
# Here somebody cuts first and looks afterwards, under the same name. Which check turns
# red first? Write your guess down before you run the next cell.

# %%
# begin student
guess = "…"
# end
# begin solved
guess = "result_chars is the length before the cut, and truncated says if there was one"
# end

# %%
lab.wrong("cut_before_it_looks")

# %% [markdown]
# The second one is quieter. The lines are right and they are all there in the end; only,
# they wait in a buffer until the file is closed. A program that dies takes them with it,
# and they are needed exactly then.

# %%
lab.wrong("left_open")

# %% [markdown]
# ## Which result filled the context?
#
# Back to the run that broke off. We run it once more, uncut, and keep its trace; any open
# file will do. Compare the column of tokens with the column of characters.

# %%
trace = io.StringIO()
agent = Agent(connect("full_context"), TOOLS, shop.functions, limits=uncut, trace=trace)
agent.run(question)
print("step  result_chars  tokens  tool")
for line in map(json.loads, trace.getvalue().splitlines()):
    print("{step:4}  {result_chars:12}  {tokens:6}  {tool}{arguments}".format(**line))

# %% [markdown]
# Step 1 cost 397 tokens, step 2 some 7,700: what lies between them is the one result of
# 19,503 characters. (Tables of ids and figures take more tokens than a quarter of their
# characters; four to a token is only a guess.) Steps 2 and 3 carried it on, until a small
# result in step 3 was too much. Asked for in step 1, refused with the fourth request.

# %% [markdown]
# With the stock limit of 8,000 characters that first line would say `"truncated": true`.
# So a trace shows more than faults: a tool whose results are cut again and again wants a
# better filter, or a better description.
#
# ## What can still go wrong
#
# This agent is hard to kill. It can still be wrong: an answer with 8 in it looks just like
# one with 25. Somebody has to compare answers with what is true, again after every change.
# That is lesson 8.
