"""fails: answers_at_once"""

from labkit import Agent, Result, parse_tool_calls


class MyAgent(Agent):
    def run(self, question):
        result = Result(question)
        result.messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": question},
        ]
        while True:
            message = self.call_model(result.messages).choices[0].message
            result.messages.append(message)
            calls = parse_tool_calls(message)
            if not calls:
                return message.content
            for call, content in zip(calls, self.execute_calls(result, calls)):
                result.messages.append(
                    {"role": "tool", "tool_call_id": call.id, "content": content}
                )
