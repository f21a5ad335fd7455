import itertools
import json

import openai

from labkit import Agent, Result


class MyAgent(Agent):
    def run(self, question):
        """Uses the client and the registry directly, and none of the given hooks."""
        result = Result(question)
        messages = result.messages
        messages.append({"role": "system", "content": self.system})
        messages.append({"role": "user", "content": question})
        for step in itertools.count(1):
            if step > self.limits.steps:
                result.stopped_by = "step_budget"
                return result
            try:
                response = self.client.chat.completions.create(
                    model=self.model,
                    messages=messages,
                    tools=self.tools,
                    tool_choice="auto",
                    temperature=0,
                )
            except openai.OpenAIError as error:
                result.stopped_by, result.error = "provider_error", str(error)
                return result
            result.steps = step
            message = response.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                result.answer = message.content
                result.stopped_by = "answered"
                return result
            for call in message.tool_calls:
                name, arguments = call.function.name, call.function.arguments
                outcome = self.registry[name](**json.loads(arguments))
                content = str(outcome)
                messages.append(
                    {"role": "tool", "tool_call_id": call.id, "content": content}
                )
                result.tool_calls.append(
                    {"name": name, "arguments": arguments, "result": content}
                )
