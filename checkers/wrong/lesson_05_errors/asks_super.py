"""fails: leaves_a_good_call_as_it_is"""

import openai

from labkit import Agent
from labkit.agent import replies


class MyAgent(Agent):
    def execute_call(self, call):
        return super().execute_call(call)

    def call_model(self, messages):
        for _ in range(self.attempts):
            try:
                response = self.complete(messages)
            except openai.OpenAIError as error:
                self.error = str(error)
                if replies.is_wrong_request(error):
                    return None
                continue
            if response.choices and response.choices[0].message:
                return response
            self.error = replies.words(response)
        return None
