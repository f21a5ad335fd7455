"""Agents that make one mistake each, and the failures that it loses them."""

import json
import re
from typing import Any

from labkit import Agent, Call, dispatch, finite, parse_tool_calls
from labkit.agent import replies


class Branching(Agent):
    """The loop, with another idea of what asks for tools."""

    def wants_tools(self, choice: Any) -> Any:
        return choice.message.tool_calls

    def step(self, result: Any) -> str | None:
        if (response := self.call_model(result.messages)) is None:
            return "provider_error"
        result.steps += 1
        choice = response.choices[0]
        result.messages.append(choice.message)
        if not self.wants_tools(choice):
            result.answer = choice.message.content or ""
            return "answered"
        calls = parse_tool_calls(choice.message)
        for call, content in zip(calls, self.execute_calls(result, calls)):
            reply = {"role": "tool", "tool_call_id": call.id, "content": content}
            result.messages.append(reply)
        return None


class BelievesTheFinishReason(Branching):
    def wants_tools(self, choice: Any) -> Any:
        return choice.finish_reason == "tool_calls"


class TakesTextForAnAnswer(Branching):
    def wants_tools(self, choice: Any) -> Any:
        return not choice.message.content


class OnlyNullIsNone(Branching):
    def wants_tools(self, choice: Any) -> Any:
        return choice.message.tool_calls is not None


class ExpectsAList(Branching):
    def wants_tools(self, choice: Any) -> Any:
        return len(choice.message.tool_calls) > 0


class MeasuresTheText(Branching):
    def wants_tools(self, choice: Any) -> Any:
        return len(choice.message.content) == 0 or choice.message.tool_calls


class WantsAToolFirst(Branching):
    looked = False

    def wants_tools(self, choice: Any) -> Any:
        self.looked = self.looked or bool(choice.message.tool_calls)
        return choice.message.tool_calls or not self.looked


class KnowsOneType(Branching):
    def wants_tools(self, choice: Any) -> Any:
        calls = choice.message.tool_calls or []
        return [{"function": call}[call.type] for call in calls]


class NoVeto(Agent):
    def veto(self, response: Any) -> None:
        return None


class RunsTheText(Agent):
    def veto(self, response: Any) -> str | None:
        text = response.choices[0].message.content or ""
        name, args = r"(?:functions\.|\"name\": \")(\w+)", r"(\{[^{}]*\})"
        for found in re.finditer(f"{name}.*?{args}", text):
            self.run_tool(found[1], json.loads(found[2]))
        return super().veto(response)


class BuildsMessagesByHand(Agent):
    def sendable(self, messages: list[Any]) -> list[dict[str, Any]]:
        return [_by_hand(message) for message in super().sendable(messages)]


def _by_hand(message: dict[str, Any]) -> dict[str, Any]:
    if not message.get("tool_calls"):
        return message
    calls = [
        {key: call[key] for key in ("id", "type", "function")}
        for call in message["tool_calls"]
    ]
    content = message.get("content") or ""
    return {"role": "assistant", "content": content, "tool_calls": calls}


class SendsWhatItGot(Agent):
    def sendable(self, messages: list[Any]) -> list[dict[str, Any]]:
        return [
            m if isinstance(m, dict) else m.model_dump(warnings=False) for m in messages
        ]


class AsksForTheDetails(Agent):
    def count_tokens(self, result: Any, messages: list[Any], response: Any) -> int:
        usage = response.usage
        return int(
            usage.total_tokens + usage.completion_tokens_details.reasoning_tokens
        )


class UnknownIsFree(Agent):
    def count_tokens(self, result: Any, messages: list[Any], response: Any) -> int:
        return response.usage.total_tokens if response.usage else 0


class CountsNothing(Agent):
    def count_tokens(self, result: Any, messages: list[Any], response: Any) -> int:
        return 0


class NoBudget(Agent):
    def over_budget(self, result: Any) -> None:
        return None


class TriesEverythingAgain(Agent):
    def call_model(self, messages: list[Any]) -> Any:
        for _ in range(self.attempts):
            try:
                return self.complete(messages)
            except Exception as error:
                self.error = str(error)
        return None


class NeverTriesAgain(Agent):
    def call_model(self, messages: list[Any]) -> Any:
        self.attempts = 1
        return super().call_model(messages)


class TwoLayersOfRetries(Agent):
    def call_model(self, messages: list[Any]) -> Any:
        return super().call_model(messages) or super().call_model(messages)


class HidesTheCause(Agent):
    def call_model(self, messages: list[Any]) -> Any:
        response = super().call_model(messages)
        self.error = "something went wrong"
        return response


class TakesArgumentsAsTheyCame(Agent):
    def execute_calls(self, result: Any, calls: list[Call]) -> list[str]:
        result.tool_calls += [{"name": call.name} for call in calls]
        return [self.execute_call(call) for call in calls]


class MendsTheQuotes(Agent):
    def execute_call(self, call: Call) -> str:
        call.arguments = call.arguments.replace("'", '"')
        return super().execute_call(call)


class LetsNothingFail(Agent):
    def execute_call(self, call: Call) -> str:
        content = super().execute_call(call)
        if "error" in json.loads(content):
            raise RuntimeError(content)
        return content


class SpellsEverythingAsText(Agent):
    def execute_call(self, call: Call) -> str:
        args = {key: str(value) for key, value in json.loads(call.arguments).items()}
        return self.run_tool(call.name, args)


class LetsTheToolRaise(Agent):
    def execute_call(self, call: Call) -> str:
        return self.run_tool(call.name, json.loads(call.arguments))


class TakesTheFirstObject(Agent):
    def execute_call(self, call: Call) -> str:
        args, _ = json.JSONDecoder().raw_decode(call.arguments)
        return self.run_tool(call.name, args)


class GuessesTheName(Agent):
    def execute_call(self, call: Call) -> str:
        call.name = call.name.partition("<|")[0]
        return super().execute_call(call)


class GuessesTheAmount(Agent):
    def run_tool(self, name: str, args: dict[str, Any]) -> str:
        if name == "refund":
            args = args | {"amount": float(args["amount"])}
        return super().run_tool(name, args)


class UnwrapsWithoutAsking(Agent):
    def execute_call(self, call: Call) -> str:
        if call.name != "multi_tool_use.parallel":
            return super().execute_call(call)
        uses = json.loads(call.arguments, parse_constant=finite)["tool_uses"]
        names = [use["recipient_name"].rpartition(".")[2] for use in uses]
        return "\n".join(
            dispatch(self.registry, name, use["parameters"])
            for name, use in zip(names, uses)
        )


class NoPolicy(Agent):
    def run_tool(self, name: str, args: dict[str, Any]) -> str:
        return dispatch(self.registry, name, args)


class DeniesAboveTheLimit(Agent):
    """Its policy says what is denied, and NaN is above nothing."""

    def execute_call(self, call: Call) -> str:
        try:
            args = json.loads(call.arguments)
            if call.name == "refund" and args["amount"] > self.refund_limit:
                return json.dumps({"error": "denied: above the limit"})
            return dispatch(self.registry, call.name, args)
        except Exception as error:
            return json.dumps({"error": str(error)})


class ForgetsEarlierRefunds(Agent):
    def refunded_so_far(self, order_id: Any) -> float:
        return 0.0


class OffersLessThanItRuns(Agent):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.registry = dict(self.functions)


class CutsNothing(Agent):
    def on_tool_result(self, result: Any, call: Call, content: str) -> str:
        return content


class StopsAtTheFirstNothing(Agent):
    """Takes a message without text and calls for the end of the job."""

    def veto(self, response: Any) -> str | None:
        stopped = replies.stop_reason(response)
        return "answered" if stopped == "empty_answer" else stopped


LOSES: dict[type[Agent], str] = {
    BelievesTheFinishReason: "B07 B12 B13",
    TakesTextForAnAnswer: "B13 B18 M13 A27",
    OnlyNullIsNone: "M02 B12",
    ExpectsAList: "M03",
    MeasuresTheText: "M04 B10",
    WantsAToolFirst: "V15 M02 B12",
    KnowsOneType: "C13",
    NoVeto: "B09 B14 B17 M06 M08 M12",
    StopsAtTheFirstNothing: "B09 M06 M12",
    RunsTheText: "M09 M11",
    BuildsMessagesByHand: "H16 H17 H18",
    SendsWhatItGot: "H14 H15 C03 C04 C06 C07 C08 C10 A27",
    AsksForTheDetails: "B04 B06",
    UnknownIsFree: "B04",
    CountsNothing: "B04 V19",
    NoBudget: "T10 V01 V03 V04 V09 C16 B04 V19",
    TriesEverythingAgain: "H04 H08 H11",
    NeverTriesAgain: "H01 H02 H06 B03",
    TwoLayersOfRetries: "H04 H11 H20 B01",
    HidesTheCause: "H04 H08 H11 H20 B01",
    TakesArgumentsAsTheyCame: "A05 A08",
    MendsTheQuotes: "A14",
    LetsNothingFail: "A16 A17 A18 A23 H10 T03 T07 C01 V14",
    SpellsEverythingAsText: "A20 A07",
    LetsTheToolRaise: "H10 T03 T07 T11 A01 A04 A10 A12 A18 A29",
    TakesTheFirstObject: "A02",
    GuessesTheName: "C03",
    GuessesTheAmount: "A15 A24",
    UnwrapsWithoutAsking: "C04",
    NoPolicy: "V14 V16 V17 T05 T11 C11 A15 A24 A26",
    DeniesAboveTheLimit: "A21 A24 A26 V17 C11 T11",
    ForgetsEarlierRefunds: "V17 T11 C11",
    OffersLessThanItRuns: "C15",
    CutsNothing: "T01",
}
