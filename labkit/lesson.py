"""What a notebook talks to: one lesson, its checks, hints, solutions and runs."""

from typing import TYPE_CHECKING, Any

from labkit.errors import LabError
from labkit.lab import unknown
from labkit.silence import Nothing, is_silent

if TYPE_CHECKING:
    from labkit.checking.check import Checker
    from labkit.checking.evidence import Evidence
    from labkit.checking.loading import Loaded
    from labkit.checking.place import Place
    from labkit.checking.report import Report
    from labkit.checking.scenario import Scenario
    from labkit.display.face import Face
    from labkit.replay.recording import Recording


class Lesson:
    """One lesson, by its name: `lab = Lesson("lesson_03_loop")`.

    Raises LabError if there is no lesson of that name. What a method gives back shows
    itself when it is the last line of a cell.
    """

    def __new__(cls, name: str) -> Any:
        return Nothing() if is_silent() else super().__new__(cls)

    def __init__(self, name: str) -> None:
        from labkit.checking.check import load_checker

        self.name = name
        self.checker = load_checker(name)
        self.report: Report | None = None
        self.hints_given: dict[str, int] = {}

    def show(self, recording: str, turn: int | None = None) -> "Face":
        """A recording: the question and the model's replies.

        With `turn`, that reply alone, as JSON and by the SDK's attribute paths.
        """
        from labkit.display.conversation import recorded, reply_as_json
        from labkit.replay import find_recording

        found = find_recording(recording)
        return recorded(found) if turn is None else reply_as_json(found, turn)

    def check(self, *written: Any, seed: int = 0) -> "Face":
        """Check what was written: `MyAgent`, functions, or a dict as the schema.

        One or several; what is not given is not judged. Where the system can fork, the
        code runs in a fork.
        """
        from labkit.checking.judge import judge
        from labkit.checking.process import nearest_place
        from labkit.display.cards import card

        names = _named(written)
        checker = self._about(names)
        place = nearest_place(lambda: _loaded(names), checker.parts)
        self.report = judge(checker, place, self.name, seed)
        return card(self.report)

    def hint(self, part: str | None = None) -> "Face":
        """The next hint for a part; as a rule for the first one that has not passed."""
        from labkit.display.cards import hint

        part = part or self._next_part()
        ladder = self.checker.hints[self._known(part)]
        number = min(self.hints_given.get(part, 0) + 1, len(ladder))
        self.hints_given[part] = number
        return hint(part, number, ladder)

    def solution(self, part: str | None = None) -> "Face":
        """The finished code of a part; as a rule of the first that has not passed."""
        from labkit.display.cards import code
        from labkit.finished import cut, target_of

        part = self._known(part or self._next_part())
        return code(cut(target_of(part)).text, f"The finished {part}:")

    def watch(self, *written: Any) -> "Face":
        """Run the whole agent with what was written, and draw the conversation.

        The last argument is the recording's name. A part that is not written yet is
        lent by the finished agent, and a note says so.
        """
        from labkit.agents import kit_for
        from labkit.checking.process import nearest_place
        from labkit.checking.whole import lent_parts, whole_agent
        from labkit.display.conversation import conversation
        from labkit.replay import find_recording
        from labkit.replayed_run import tools_used

        *things, name = written or (None,)
        if not things or not isinstance(name, str):
            raise LabError(
                "watch takes what you wrote and then a recording's name, such as "
                'lab.watch(MyAgent, "shipping_chain").'
            )
        recording, names = find_recording(name), _named(things)
        parts = self.checker.parts
        lent = lent_parts(names, parts)
        notes = [f"{part} is not written yet: the finished one acts" for part in lent]
        scenario = _scenario(names, recording, kit_for(tools_used(recording)))
        with whole_agent(names, parts) as whole:
            place = nearest_place(lambda: _loaded(whole), [])
            return conversation(_performed(place, scenario, recording), notes)

    def wrong(self, name: str, code: bool = True) -> "Face":
        """A known wrong answer of this lesson: its code, and what the checks say.

        Without `code`, only what the checks say.
        """
        from labkit.authoring.verify import answers, judge_file
        from labkit.display.cards import wrong

        files = {path.stem: path for path in answers(self.name, "wrong")}
        if name not in files:
            raise LabError(unknown("wrong answer", name, list(files)))
        text = files[name].read_text(encoding="utf-8").partition("\n")[2].strip()
        return wrong(text if code else "", judge_file(self.checker, files[name]))

    def be_the_model(self, agent: Any, question: str, replies: list[Any]) -> "Face":
        """You answer in the model's place, and the agent does what you ask for.

        A reply is a text, or a tool call: `{"tool": "lookup_order", "order_id": "…"}`.
        Several calls in one message are a list of such dicts.
        """
        from labkit.checking.process import nearest_place
        from labkit.display.conversation import conversation
        from labkit.replay.by_hand import by_hand

        recording = by_hand(question, replies)
        names = _named([agent])
        place = nearest_place(lambda: _loaded(names), [])
        scenario = _scenario(names, recording, "support")
        seen = _performed(place, scenario, recording)
        left = len(replies) - len(seen.replies)
        notes = [f"the last {left} of your replies were not asked for"] if left else []
        return conversation(seen, notes)

    def _about(self, names: dict[str, Any]) -> "Checker":
        """The checker without what is about other names than these."""
        from labkit.checking.loading import asked_names

        given = [part for part in self.checker.parts if asked_names([part])[0] in names]
        if not given:
            asked = " or ".join(asked_names(self.checker.parts))
            gave = ", ".join(names) or "nothing"
            raise LabError(f"{self.name} checks {asked}; you gave {gave}.")
        return self.checker.only(given)

    def _next_part(self) -> str:
        """The first part with a check that has not passed, or the first part."""
        checks = self.report.checks if self.report else []
        return next((c.part for c in checks if not c.passed), self.checker.parts[0])

    def _known(self, part: str) -> str:
        if part not in self.checker.hints:
            known = ", ".join(self.checker.parts)
            raise LabError(f"{self.name} has no part {part!r}; it has: {known}.")
        return part


def _named(written: Any) -> dict[str, Any]:
    """Each thing a learner wrote under the name it is judged by."""
    names: dict[str, Any] = {}
    for thing in written:
        if isinstance(thing, type):
            names["MyAgent"] = thing
        elif isinstance(thing, dict):
            names["LOOKUP_ORDER"] = thing
        elif hasattr(thing, "__name__"):
            names[thing.__name__] = thing
        else:
            kind = type(thing).__name__
            raise LabError(
                f"a {kind} cannot be checked; give the class or the function itself, "
                "without quotes and without calling it."
            )
    return names


def _loaded(names: dict[str, Any]) -> "Loaded":
    from labkit.checking.loading import Loaded

    return Loaded(names)


def _scenario(names: dict[str, Any], recording: "Recording", agent: str) -> "Scenario":
    """The whole agent on a recording; or `ask`, where that is what was written."""
    from labkit.checking.scenario import Run, call, fixture

    if "ask" in names:
        args = (fixture("client"), recording.question)
        return call("ask", *args, recording=recording.name)
    return Run(recording.name, part="", agent=agent, limits=STOCK_LIMITS)


# A run in a notebook has the limits a learner's agent would have.
STOCK_LIMITS = {"steps": 8, "tool_calls": 20, "tokens": 20_000, "result_chars": 8_000}


def _performed(
    place: "Place", scenario: "Scenario", recording: "Recording"
) -> "Evidence":
    from labkit.checking.world import World

    try:
        return place.perform(World(scenario, recording=recording))
    finally:
        place.close()
