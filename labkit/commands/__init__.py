"""The commands of `labkit`, for learners, for agents and for lesson writers."""
