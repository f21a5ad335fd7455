from labkit import Agent, Result, parse_tool_calls


class MyAgent(Agent):
    def run(self, question):
        result = Result(question)
        result.messages.append({"role": "system", "content": self.system})
        result.messages.append(
            {"role": "user", "content": [{"type": "text", "text": question}]}
        )
        return self.go_on(result)

    def go_on(self, result):
        result.stopped_by = self.over_budget(result)
        if result.stopped_by:
            return result
        response = self.call_model(result.messages)
        if response is None:
            result.stopped_by = "provider_error"
            return result
        result.steps += 1
        said = response.choices[0].message
        calls = parse_tool_calls(said)
        if not calls:
            result.answer = said.content or ""
            result.stopped_by = "answered"
            return result
        result.messages.append(
            {
                "role": "assistant",
                "content": said.content or "",
                "tool_calls": [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": call.arguments},
                    }
                    for call in calls
                ],
            }
        )
        for call, text in zip(calls, self.execute_calls(result, calls)):
            text = self.on_tool_result(result, call, text)
            result.messages.append(
                {
                    "role": "tool",
                    "tool_call_id": call.id,
                    "content": [{"type": "text", "text": text}],
                }
            )
        return self.go_on(result)
