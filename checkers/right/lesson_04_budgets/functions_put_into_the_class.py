from labkit import Agent


def reason(agent, result):
    calls = len(result.tool_calls)
    yield result.steps >= agent.limits.steps, "step_budget"
    yield calls >= agent.limits.tool_calls, "tool_call_budget"
    yield result.tokens >= agent.limits.tokens, "token_budget"


def cost(agent, result, messages, response):
    usage = response.usage or object()
    tokens_in = getattr(usage, "prompt_tokens", 0) or len(f"{messages}") // 3
    tokens_out = getattr(usage, "completion_tokens", 0) or len(f"{response}") // 3
    result.tokens_in += tokens_in
    result.tokens_out += tokens_out
    return tokens_in + tokens_out


class MyAgent(Agent):
    def over_budget(self, result):
        return next((why for spent, why in reason(self, result) if spent), None)

    count_tokens = cost
