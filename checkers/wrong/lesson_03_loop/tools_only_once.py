"""fails: sends_everything_again"""

from labkit import Agent, parse_tool_calls


class MyAgent(Agent):
    def step(self, result):
        if result.steps > 0:
            self.tools = []
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
