from concurrent.futures import ThreadPoolExecutor

from labkit import Agent, parse_tool_calls


class MyAgent(Agent):
    def step(self, result):
        response = self.call_model(result.messages)
        if response is None:
            return "provider_error"
        result.steps += 1
        message = response.choices[0].message
        result.messages.append(message)
        calls = parse_tool_calls(message)
        if not calls:
            result.answer = message.content
            return "answered"
        with ThreadPoolExecutor() as pool:
            contents = list(pool.map(self.execute_call, calls))
        for call, content in zip(calls, contents):
            entry = {"name": call.name, "arguments": call.arguments, "result": content}
            result.tool_calls.append(entry)
            result.messages.append(
                {"role": "tool", "tool_call_id": call.id, "content": content}
            )
