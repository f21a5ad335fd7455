import asyncio
import json
from collections import deque

import openai

from labkit import Agent, Result


class MyAgent(Agent):
    """A generator yields each round; the tools run in asyncio's threads."""

    def run(self, question):
        result = Result(question)
        deque(self.rounds(result), maxlen=0)
        return result

    def rounds(self, result):
        system = {"role": "system", "content": self.system}
        messages = [{"role": "user", "content": result.question}]
        while not result.stopped_by:
            result.stopped_by = self.over_budget(result)
            if result.stopped_by:
                return
            try:
                raw = self.client.chat.completions.with_raw_response.create(
                    model=self.model, messages=[system, *messages], tools=self.tools
                )
            except openai.APIError as error:
                result.error, result.stopped_by = str(error), "provider_error"
                return
            message = raw.parse().choices[0].message
            result.steps += 1
            messages.append(message.model_dump(exclude_unset=True))
            outcomes = asyncio.run(self.outcomes(message.tool_calls or []))
            messages.extend(outcomes)
            result.tool_calls.extend(
                {
                    "name": call.function.name,
                    "arguments": json.loads(call.function.arguments),
                    "result": outcome["content"],
                }
                for call, outcome in zip(message.tool_calls or [], outcomes)
            )
            if not outcomes:
                result.answer, result.stopped_by = message.content, "answered"
            yield messages
        result.messages = messages

    async def outcomes(self, calls):
        return await asyncio.gather(*(self.outcome(call) for call in calls))

    async def outcome(self, call):
        function = self.registry[call.function.name]
        args = json.loads(call.function.arguments)
        value = await asyncio.to_thread(function, **args)
        return {"role": "tool", "tool_call_id": call.id, "content": json.dumps(value)}
