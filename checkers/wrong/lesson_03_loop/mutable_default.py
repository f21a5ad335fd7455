"""fails: sends_everything_again"""

from labkit import Agent, Result, parse_tool_calls


class MyAgent(Agent):
    def run(self, question, messages=[]):
        messages.append({"role": "system", "content": self.system})
        messages.append({"role": "user", "content": question})
        result = Result(question, messages=messages)
        while result.stopped_by is None:
            result.stopped_by = self.over_budget(result) or self.step(result)
        return result

    def step(self, result):
        response = self.call_model(result.messages)
        if response is None:
            return "provider_error"
        result.steps += 1
        result.tokens += self.count_tokens(result, result.messages, response)
        message = response.choices[0].message
        result.messages.append(message)
        calls = parse_tool_calls(message)
        if not calls:
            result.answer = message.content
            return "answered"
        for call, content in zip(calls, self.execute_calls(result, calls)):
            content = self.on_tool_result(result, call, content)
            result.messages.append(
                {"role": "tool", "tool_call_id": call.id, "content": content}
            )
