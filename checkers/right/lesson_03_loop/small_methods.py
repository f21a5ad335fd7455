from labkit import Agent, parse_tool_calls


class MyAgent(Agent):
    def step(self, result):
        message = self.ask(result)
        if message is None:
            return "provider_error"
        if not message.tool_calls:
            return self.finish(result, message)
        for call in parse_tool_calls(message):
            self.answer(result, call)

    def ask(self, result):
        response = self.call_model(result.messages)
        if response is None:
            return None
        result.steps += 1
        result.messages.append(response.choices[0].message)
        return result.messages[-1]

    def answer(self, result, call):
        content = self.on_tool_result(result, call, self.execute_call(call))
        result.tool_calls += [
            {"name": call.name, "arguments": call.arguments, "result": content[:300]}
        ]
        result.messages += [
            {"role": "tool", "tool_call_id": call.id, "content": content}
        ]

    def finish(self, result, message):
        result.answer = message.content.strip()
        return "answered"
