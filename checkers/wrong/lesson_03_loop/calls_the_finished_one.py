"""fails: answers_at_once"""

from labkit import Agent

finished = Agent.step


class MyAgent(Agent):
    def step(self, result):
        return finished(self, result)
