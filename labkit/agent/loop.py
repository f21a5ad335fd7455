"""The loop: ask the model, do what it asks for, report back, ask again."""

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import openai
from openai.types.chat import ChatCompletion

from labkit.agent import replies
from labkit.agent.asking import MODEL
from labkit.agent.calls import Call, finite, parse_tool_calls, readable
from labkit.agent.dispatcher import Functions, build_registry, dispatch
from labkit.agent.guardrail import Decision, policy
from labkit.agent.log import Log, audit_line
from labkit.agent.result import Limits, Result
from labkit.agent.sending import sendable
from labkit.agent.truncation import truncate

SYSTEM = "You answer with the help of tools. Look facts up before you state them."
NOT_RUN = json.dumps({"error": "not run: tool-call budget spent"})


class Agent:
    """A model, its tools, and the loop between them."""

    def __init__(
        self,
        client: openai.OpenAI,
        tools: list[dict[str, Any]],
        functions: Functions,
        *,
        model: str = MODEL,
        system: str = SYSTEM,
        limits: Limits = Limits(),  # noqa: B008 - frozen, so one may serve all
        attempts: int = 3,
        timeout: float = 60,
        refund_limit: float = 100,
        allow_large_refunds: bool = False,
        audit: str | Path | TextIO | None = None,
        trace: str | Path | TextIO | None = None,
        approve: Callable[[str, dict[str, Any], str], bool] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.client, self.tools, self.functions = client, tools, functions
        self.registry = build_registry(tools, functions)
        self.model, self.system, self.limits = model, system, limits
        self.attempts, self.timeout, self.sleep = attempts, timeout, sleep
        self.refund_limit, self.allow_large_refunds = refund_limit, allow_large_refunds
        self.audit, self.trace, self.approve = Log(audit), Log(trace), approve
        self.error = ""

    # the loop

    def run(self, question: str) -> Result:
        """Answer one question; the result says how far it came and why it stopped."""
        result = Result(question, messages=self._opening(question))
        while result.stopped_by is None:
            result.stopped_by = self.over_budget(result) or self.step(result)
        result.answer = result.answer or f"No answer: stopped by {result.stopped_by}."
        result.error = self.error if result.stopped_by == "provider_error" else ""
        return result

    def step(self, result: Result) -> str | None:
        """One completion and what comes of it; the stop reason, or None to go on.

        The transcript is `result.messages`. What the model said is kept as it came;
        then each call gets one tool message, in order, under its own id. Only a message
        without calls is an answer. None from `call_model` means "provider_error"; a
        reason from `veto` ends the run, and no tool runs.
        """
        if (response := self.call_model(result.messages)) is None:
            return "provider_error"
        result.steps += 1
        result.tokens += self.count_tokens(result, result.messages, response)
        message = response.choices[0].message
        result.messages.append(message)
        calls = parse_tool_calls(message)
        if (stopped := self.veto(response)) or not calls:
            result.answer = message.content or ""
            return stopped or "answered"
        for call, content in zip(calls, self.execute_calls(result, calls)):
            content = self.on_tool_result(result, call, content)
            reply = {"role": "tool", "tool_call_id": call.id, "content": content}
            result.messages.append(reply)

    def _opening(self, question: str) -> list[Any]:
        system = {"role": "system", "content": self.system}
        return [system, {"role": "user", "content": question}]

    # the budgets

    def over_budget(self, result: Result) -> str | None:
        """The stop reason of a spent budget, or None; it looks and never counts."""
        if result.steps >= self.limits.steps:
            return "step_budget"
        if len(result.tool_calls) >= self.limits.tool_calls:
            return "tool_call_budget"
        if result.tokens >= self.limits.tokens:
            return "token_budget"
        return None

    def count_tokens(
        self, result: Result, messages: list[Any], response: ChatCompletion
    ) -> int:
        """The tokens this completion cost, also added to the result's in and out.

        Usage that is missing, null or zero is unknown and estimated, never free.
        """
        usage, estimate = response.usage, replies.estimate_tokens
        tokens_in = (usage and usage.prompt_tokens) or estimate(messages)
        tokens_out = (usage and usage.completion_tokens) or estimate(response.choices)
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out

    # the model

    def call_model(self, messages: list[Any]) -> ChatCompletion | None:
        """A completion with a message in it, asked for at most `attempts` times.

        None if there was none; the provider's last words are then in `self.error`. A
        request that the provider calls wrong (400, 401 …) is not sent twice.
        """
        for _ in range(self.attempts):
            try:
                response = self.complete(messages)
                if response.choices and response.choices[0].message:
                    return response
                self.error = f"no message in the reply: {replies.words(response)}"
            except openai.OpenAIError as error:
                self.error = str(error) or type(error).__name__
                if replies.is_wrong_request(error):
                    return None
        return None

    def complete(self, messages: list[Any]) -> ChatCompletion:
        """One request, sent once; raises openai.OpenAIError when it fails."""
        try:
            response = self.client.chat.completions.create(
                model=self.model,
                messages=self.sendable(messages),  # type: ignore[arg-type]
                tools=self.tools or openai.omit,  # type: ignore[arg-type]
                timeout=self.timeout,
            )
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise openai.OpenAIError(f"the reply is not JSON: {error}") from error
        return replies.completion(response)

    def sendable(self, messages: list[Any]) -> list[dict[str, Any]]:
        """The messages as dicts that a strict provider takes, by `sendable`."""
        return sendable(messages)

    def veto(self, response: ChatCompletion) -> str | None:
        """Why this reply ends the run whatever else it holds, or None.

        "refusal", "content_filter" and "length" (cut off, so its calls may be halves);
        "empty_answer" if it holds neither text nor calls.
        """
        return replies.stop_reason(response)

    # the tools

    def execute_calls(self, result: Result, calls: list[Call]) -> list[str]:
        """The outcome of each call, in order, each also kept in `result.tool_calls`.

        Calls beyond the tool-call budget are answered, not run.
        """
        contents = []
        for call in calls:
            content, started = NOT_RUN, time.perf_counter()
            if len(result.tool_calls) < self.limits.tool_calls:
                content = self.execute_call(readable(call))
                call.seconds = time.perf_counter() - started
            entry = {"name": call.name, "arguments": call.arguments, "result": content}
            result.tool_calls.append(entry)
            contents.append(content)
        return contents

    def execute_call(self, call: Call) -> str:
        """The outcome of one call as text, an error the model can act on included."""
        try:
            args = json.loads(call.arguments, parse_float=finite, parse_constant=finite)
            if not isinstance(args, dict):
                raise TypeError(f"arguments must be a JSON object, not {args!r}")
            return self.run_tool(call.name, args)
        except Exception as error:
            return json.dumps({"error": f"{type(error).__name__}: {error}"})

    def run_tool(self, name: str, args: dict[str, Any]) -> str:
        """What the tool returned, or why it did not run.

        First the policy, then the audit log, for refunds allowed or denied; then a
        person, if only the limit stood in the way; the tool comes last.
        """
        already = self.refunded_so_far(args.get("order_id"))
        decide = partial(
            policy, name, args, refund_limit=self.refund_limit, already_refunded=already
        )
        decision = decide(allow_large_refunds=self.allow_large_refunds)
        if name == "refund":
            self.audit.write(**audit_line(name, args, decision))
        if not decision.allowed and decide(allow_large_refunds=True).allowed:
            decision = self.ask_a_person(name, args, decision)
        if not decision.allowed:
            return json.dumps({"error": f"denied: {decision.reason}"})
        return dispatch(self.registry, name, args)

    def ask_a_person(
        self, name: str, args: dict[str, Any], decision: Decision
    ) -> Decision:
        """What `approve` says of a refund that only the limit denies; it is audited.

        The decision as it was where there is nobody to ask.
        """
        if self.approve is None:
            return decision
        approved = bool(self.approve(name, args, decision.reason))
        decision = Decision(approved, f"a person {('denied', 'approved')[approved]} it")
        self.audit.write(**audit_line(name, args, decision))
        return decision

    def refunded_so_far(self, order_id: Any) -> float:
        """The ledger's sum for one order; 0 where the tools keep no ledger."""
        ledger = self.functions.get("refunded_so_far")
        return float(ledger(order_id)) if ledger and order_id else 0.0

    def on_tool_result(self, result: Result, call: Call, content: str) -> str:
        """The outcome as it will be sent, cut to the limit; writes its trace line."""
        kept = truncate(content, self.limits.result_chars)
        self.trace.write(
            step=result.steps,
            tool=call.name,
            arguments=call.arguments,
            result_chars=len(content),
            truncated=kept != content,
            seconds=round(call.seconds, 6),
            tokens=result.tokens,
        )
        return kept
