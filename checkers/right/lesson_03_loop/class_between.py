from labkit import Agent, parse_tool_calls


class Loop(Agent):
    def step(self, result):
        response = self.call_model(result.messages)
        if response is None:
            return "provider_error"
        result.steps += 1
        result.tokens += self.count_tokens(result, result.messages, response)
        message = response.choices[0].message
        calls = parse_tool_calls(message)
        results = [
            {
                "role": "tool",
                "tool_call_id": call.id,
                "content": self.on_tool_result(result, call, content),
            }
            for call, content in zip(calls, self.execute_calls(result, calls))
        ]
        result.messages.extend([message, *results])
        result.answer = message.content or ""
        return None if calls else "answered"


class MyAgent(Loop):
    pass
