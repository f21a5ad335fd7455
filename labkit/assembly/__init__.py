"""The agent you own: what a learner wrote, joined to a program that needs no lab."""
