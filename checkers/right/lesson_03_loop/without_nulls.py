from labkit import Agent, Call


class MyAgent(Agent):
    def step(self, result):
        reply = self.call_model(result.messages)
        if not reply:
            return "provider_error"
        result.steps = result.steps + 1
        result.tokens = result.tokens + self.count_tokens(
            result, result.messages, reply
        )
        said = reply.choices[0].message
        result.messages += [said.model_dump(exclude_none=True)]
        reason = self.veto(reply)
        if reason is not None:
            return reason
        asked = [
            Call(id=c.id, name=c.function.name, arguments=c.function.arguments)
            for c in said.tool_calls or ()
        ]
        outcomes = self.execute_calls(result, asked)
        result.messages += [
            dict(
                role="tool",
                tool_call_id=call.id,
                content=self.on_tool_result(result, call, outcome),
            )
            for call, outcome in zip(asked, outcomes)
        ]
        if asked:
            return None
        result.answer = said.content
        return "answered"
