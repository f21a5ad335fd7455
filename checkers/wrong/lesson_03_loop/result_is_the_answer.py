"""fails: keeps_what_the_model_said"""

from labkit import Agent, parse_tool_calls


class MyAgent(Agent):
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
        for call in calls:
            result.answer = self.execute_call(call)
        return "answered"
