from enum import StrEnum

from labkit import Agent, Result, parse_tool_calls


class Stop(StrEnum):
    ANSWERED = "answered"
    PROVIDER_ERROR = "provider_error"


class Kept(Result):
    """A result of one's own kind."""


class MyAgent(Agent):
    """Sends a second system message after the question; it is not kept."""

    def run(self, question):
        result = Kept(question)
        result.messages += [
            {"role": "developer", "content": f"{self.system}\nBe brief."},
            {"role": "user", "content": question},
        ]
        while result.stopped_by is None:
            result.stopped_by = self.over_budget(result) or self.step(result)
        return result

    def step(self, result):
        reminder = {"role": "system", "content": "Use the tools."}
        match self.call_model([*result.messages, reminder]):
            case None:
                return Stop.PROVIDER_ERROR
            case response:
                message = response.choices[0].message
        result.steps += 1
        result.messages.append(message.to_dict())
        if not (calls := parse_tool_calls(message)):
            result.answer = message.content
            return Stop.ANSWERED
        for call, content in zip(calls, self.execute_calls(result, calls)):
            content = self.on_tool_result(result, call, content)
            result.messages.append(
                {"role": "tool", "tool_call_id": call.id, "content": content}
            )
