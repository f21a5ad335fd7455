import json

from labkit import Agent, Result, parse_tool_calls
from labkit.agent import replies


class MyAgent(Agent):
    def over_budget(self, result):
        if result.steps >= self.limits.steps:
            return "step_budget"
        if len(result.tool_calls) >= self.limits.tool_calls:
            return "tool_call_budget"
        if result.tokens >= self.limits.tokens:
            return "token_budget"
        return None

    def count_tokens(self, result, messages, response):
        usage = response.usage
        tokens_in = (usage and usage.prompt_tokens) or replies.estimate_tokens(messages)
        tokens_out = usage and usage.completion_tokens
        tokens_out = tokens_out or replies.estimate_tokens(response.choices)
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out

    def run(self, question):
        """Stops in the middle of a message, and answers what is left of it."""
        result = Result(question)
        result.messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": question},
        ]
        while not (reason := self.over_budget(result)):
            response = self.call_model(result.messages)
            if response is None:
                reason = "provider_error"
                break
            result.steps += 1
            result.tokens += self.count_tokens(result, result.messages, response)
            message = response.choices[0].message
            result.messages.append(message)
            if not message.tool_calls:
                result.answer, reason = message.content, "answered"
                break
            for call in parse_tool_calls(message):
                self.one_call(result, call)
        result.stopped_by = reason
        result.answer = result.answer or f"I had to stop: {reason}."
        return result

    def one_call(self, result, call):
        if len(result.tool_calls) < self.limits.tool_calls:
            content = self.execute_call(call)
            entry = {"name": call.name, "arguments": call.arguments, "result": content}
            result.tool_calls.append(entry)
        else:
            content = json.dumps({"error": "not run"})
        reply = {"role": "tool", "tool_call_id": call.id, "content": content}
        result.messages.append(reply)
