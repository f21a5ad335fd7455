import json

from labkit import Agent, Call, Result


class MyAgent(Agent):
    def run(self, question):
        """Dumps the whole message, collects results first, builds a new list."""
        result = Result(question=question)
        messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": question},
        ]
        while True:
            result.stopped_by = self.over_budget(result)
            if result.stopped_by:
                break
            response = self.call_model(messages)
            if response is None:
                result.stopped_by = "provider_error"
                break
            result.steps += 1
            message = response.choices[0].message
            results = []
            for call in message.tool_calls or []:
                content = self.execute_call(
                    Call(call.id, call.function.name, call.function.arguments)
                )
                result.tool_calls.append(
                    {
                        "name": call.function.name,
                        "arguments": json.loads(call.function.arguments),
                        "result": content[:300],
                    }
                )
                results.append(
                    {
                        "role": "tool",
                        "name": call.function.name,
                        "tool_call_id": call.id,
                        "content": content,
                    }
                )
            messages = [*messages, message.model_dump(), *results]
            if not results:
                result.answer = message.content.strip()
                result.stopped_by = "answered"
                break
        result.messages = messages
        return result
