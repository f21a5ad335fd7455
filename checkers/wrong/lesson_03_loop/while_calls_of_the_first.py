"""fails: counts_and_starts_empty"""

from labkit import Agent, Result, parse_tool_calls


class MyAgent(Agent):
    def run(self, question):
        result = Result(question)
        result.messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": question},
        ]
        response = self.call_model(result.messages)
        result.steps = 1
        while response and (calls := parse_tool_calls(response.choices[0].message)):
            result.messages.append(response.choices[0].message)
            result.steps += 1
            for call, content in zip(calls, self.execute_calls(result, calls)):
                content = self.on_tool_result(result, call, content)
                result.messages.append(
                    {"role": "tool", "tool_call_id": call.id, "content": content}
                )
            if self.over_budget(result):
                result.stopped_by = self.over_budget(result)
                return result
            result.steps += 1
            response = self.call_model(result.messages)
        if response is None:
            result.stopped_by = "provider_error"
            return result
        result.answer = response.choices[0].message.content
        result.stopped_by = "answered"
        return result
