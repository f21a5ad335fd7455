"""What a notebook talks to: one lesson, its checks, hints, solutions and runs."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labkit.errors import LabError
from labkit.lab import unknown
from labkit.silence import Nothing, is_silent

if TYPE_CHECKING:
    from labkit.checking.check import Checker
    from labkit.checking.evidence import Evidence
    from labkit.checking.report import Report
    from labkit.display.face import Face


class Lesson:
    """One lesson, by its name: `lab = Lesson("lesson_03_loop")`.

    Raises LabError if there is no lesson of that name. What a method gives back shows
    itself when it is the last line of a cell.
    """

    def __new__(cls, name: str) -> Any:
        return Nothing() if is_silent() else super().__new__(cls)

    def __init__(self, name: str) -> None:
        from labkit.checking.check import load_checker
        from labkit.guidance import Guidance

        self.name = name
        self.checker = load_checker(name)
        self.report: Report | None = None
        self.guidance = Guidance(self.checker)

    def show(self, recording: str, turn: int | None = None) -> "Face":
        """A recording: the question and the model's replies.

        With `turn`, that reply alone, as JSON and by the SDK's attribute paths.
        """
        from labkit.display.recorded import recorded, reply_as_json
        from labkit.replay import find_recording

        found = find_recording(recording)
        return recorded(found) if turn is None else reply_as_json(found, turn)

    def check(self, *written: Any, seed: int = 0) -> "Face":
        """Check what was written: `MyAgent`, functions, or a dict as the schema.

        One or several; what is not given is not judged. Where the system can fork, the
        code runs in a fork. In a notebook, what passed is kept for `labkit assemble`.
        """
        from labkit.assembly.saved import keep_passed
        from labkit.checking.judge import judge
        from labkit.checking.loading import Loaded
        from labkit.checking.process import nearest_place
        from labkit.display.card_evidence import findings
        from labkit.display.cards import card
        from labkit.display.face import in_notebook
        from labkit.progress import keep_progress
        from labkit.watched import named

        names = named(written)
        checker = self._about(names)
        place = nearest_place(lambda: Loaded(names), checker.parts)
        evidence: dict[int, Evidence] = {}

        def keep(_: Any, by_scenario: Any) -> None:
            evidence.update(by_scenario)

        self.report = judge(checker, place, self.name, seed, keep=keep)
        found = findings(checker, self.report, evidence, seed)
        if in_notebook():
            self.report.notes += keep_passed(self.report, names, Path.cwd())
            self.report.notes += keep_progress(self.report, Path.cwd())
        guidance = self.guidance
        guidance.attempts.note(self.report, names)
        offered = guidance.offered(self.report)
        return card(self.report, found, guidance.passed(), offered)

    def hint(self, part: str | None = None) -> "Face":
        """The next hint for a part; as a rule for the first one that has not passed."""
        return self.guidance.hint(self.guidance.part(part, self.report))

    def solution(self, part: str | None = None) -> "Face":
        """The finished code of a part; as a rule of the first that has not passed.

        In a notebook it is asked for twice, unless the part has passed or three
        different attempts were made at it.
        """
        from labkit.display.cards import asked_again
        from labkit.display.face import in_notebook

        part = self.guidance.part(part, self.report)
        if in_notebook() and not self.guidance.attempts.may_see(part):
            return asked_again("Run the cell again to see it.")
        return self.guidance.solution(part)

    def watch(self, *written: Any) -> "Face":
        """Run the whole agent with what was written, and draw the conversation.

        The last argument is the recording's name. A part that is not written yet is
        lent by the finished agent, and a note says so.
        """
        from labkit.display.conversation import conversation
        from labkit.watched import things_and_recording, whole

        things, recording = things_and_recording(written, "watch")
        with whole(things, self.checker.parts) as agent:
            watched = agent.asking(recording)
        return conversation(watched.seen, watched.notes)

    def live(self, *written: Any, agent: str | None = None) -> "Face":
        """Run the whole agent on a live model, and draw the conversation.

        The last argument is the question. The model is the one that OPENAI_API_KEY,
        OPENAI_BASE_URL and OPENAI_MODEL name; where there is none, a sentence says so.
        `agent` is "support" or "workspace", as a rule found by the question.
        """
        from labkit.display.conversation import conversation, sentence
        from labkit.display.face import is_text_only
        from labkit.live import LIVE, NO_MODEL, from_environment
        from labkit.replayed_run import fitting_agent
        from labkit.watched import whole

        *things, question = written or (None,)
        if not things or not isinstance(question, str):
            raise LabError(
                "live takes what you wrote and then a question, such as "
                'lab.live(MyAgent, "Where is order NW-1041?").'
            )
        kit = fitting_agent(agent, question)
        try:
            if is_text_only():
                raise LabError(NO_MODEL)
            endpoint = from_environment()
        except LabError as error:
            return sentence(str(error))
        with closing(endpoint), whole(things, self.checker.parts, LIVE) as complete:
            watched = complete.live(question, kit, endpoint.answer)
        return conversation(watched.seen, watched.notes + endpoint.notes())

    def survive(self, *written: Any) -> "Face":
        """The whole agent on the failure collection, a tutorial's agent beside it.

        What is not written yet is lent.
        """
        from labkit.display.survival import survival_table
        from labkit.survival.collection import failures, waiting
        from labkit.survival.survey import CAPS, survey, survey_tutorial
        from labkit.watched import whole

        chosen = failures()
        with whole(written, self.checker.parts, CAPS) as agent:
            mine = survey(agent.place, "your agent", chosen)
        both = [mine, survey_tutorial(chosen)]
        return survival_table(both, waiting(), agent.notes, brief=True)

    def meter(self, *written: Any) -> "Face":
        """What a recording's run costs without budgets, and with what was written.

        The last argument is the recording's name. In a live notebook the bills tick
        up, and sliders set the three budgets.
        """
        from labkit.checking.scenario import only
        from labkit.display.meter import Meter, Metered, metered
        from labkit.watched import STOCK_LIMITS, things_and_recording, whole

        things, recording = things_and_recording(written, "meter")
        turns = len(recording.turns)
        with whole([], []) as finished:
            unlimited = finished.on(recording, limits=only(steps=turns))
        free = metered("without budgets", unlimited.seen, [])

        def within(limits: dict[str, int]) -> Metered:
            with whole(things, self.checker.parts) as agent:
                watched = agent.on(recording, limits=STOCK_LIMITS | limits)
            return metered("with yours", watched.seen, watched.notes)

        if free.ending == "step_budget":
            free = replace(free, ending="nothing: the file ends")
        return Meter(free, within)

    def chart(self, *written: Any) -> "Face":
        """The tokens of each request, with results cut to the limit and uncut.

        The last argument is the recording's name. In a live notebook, a slider sets the
        limit.
        """
        from labkit.checking.scenario import UNLIMITED
        from labkit.display.chart import CutChart
        from labkit.watched import (
            STOCK_LIMITS,
            Watched,
            things_and_recording,
            whole,
        )

        things, recording = things_and_recording(written, "chart")

        def within(result_chars: int) -> Watched:
            limits = STOCK_LIMITS | {"result_chars": result_chars}
            with whole(things, self.checker.parts) as agent:
                return agent.on(recording, limits=limits)

        return CutChart(within(UNLIMITED), within, STOCK_LIMITS["result_chars"])

    def evaluate(self, *written: Any, threshold: float = 0.8) -> "Face":
        """The finished agent on eval cases, judged by `score` and `evaluate`.

        The last argument is the list of cases. What is not written yet is lent.
        """
        from labkit.display.evals import evaluated
        from labkit.watched import whole

        *things, cases = written or (None,)
        if not things or not isinstance(cases, list):
            raise LabError(
                "evaluate takes what you wrote and then a list of cases, such as "
                "lab.evaluate(score, evaluate, cases())."
            )
        with whole(things, self.checker.parts) as agent:
            watched = agent.evaluating(cases, threshold)
        return evaluated(cases, watched.seen, threshold, watched.notes)

    async def play(self, *written: Any) -> "Face":
        """Run the whole agent with you beside it, and draw the conversation.

        The last argument is the recording's name. A refund that the limit denies waits
        until you click Approve or Deny; where there are no buttons, it is denied.
        """
        from labkit.display.conversation import conversation
        from labkit.watched import PATIENT, attended, things_and_recording, whole

        things, recording = things_and_recording(written, "play")
        with whole(things, self.checker.parts, PATIENT) as agent:
            watched = await attended(agent, recording)
        return conversation(watched.seen, watched.notes)

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

    def be_the_model(
        self, agent: Any, question: str = "", replies: list[Any] | None = None
    ) -> "Face":
        """You answer in the model's place, and the agent does what you ask for.

        A reply is a text, or a tool call: `{"tool": "lookup_order", "order_id": "…"}`.
        Several calls in one message are a list of such dicts. Without replies, a live
        notebook has buttons to make them with.
        """
        from labkit.display.conversation import conversation
        from labkit.display.face import is_live
        from labkit.display.your_turn import QUESTION, YourTurnPanel, without_buttons
        from labkit.replay.by_hand import by_hand
        from labkit.watched import whole
        from labkit.your_turn import LEVEL, YourTurn

        question = question or QUESTION
        if replies is None:
            turn = YourTurn(agent, self.checker.parts, question) if is_live() else None
            return YourTurnPanel(turn) if turn else without_buttons()
        recording = by_hand(question, replies)
        with whole([agent], self.checker.parts) as complete:
            watched = complete.on(recording, level=LEVEL)
        left = len(replies) - len(watched.seen.replies)
        notes = [f"the last {left} of your replies were not asked for"] if left else []
        return conversation(watched.seen, watched.notes + notes)

    def progress(self) -> "Face":
        """How far all lessons have come, by what passed in this folder."""
        from labkit.display.face import is_text_only
        from labkit.display.lesson_progress import bars
        from labkit.progress import progress

        return bars(progress(None if is_text_only() else Path.cwd()))

    def assemble(self, out: str = "my_agent") -> "Face":
        """Join the parts that passed to an agent.py that needs no labkit, in a folder.

        What `labkit assemble` does in a terminal; what it says is shown.
        """
        from labkit.assembly.folder import assemble
        from labkit.assembly.saved import work_folder
        from labkit.display.conversation import sentence

        return sentence(" · ".join(assemble(work_folder(None), Path(out))))

    def _about(self, names: dict[str, Any]) -> "Checker":
        """The checker without what is about other names than these."""
        from labkit.checking.loading import asked_names

        given = [part for part in self.checker.parts if asked_names([part])[0] in names]
        if not given:
            asked = " or ".join(asked_names(self.checker.parts))
            gave = ", ".join(names) or "nothing"
            raise LabError(f"{self.name} checks {asked}; you gave {gave}.")
        return self.checker.only(given)
