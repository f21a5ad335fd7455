"""A run as it reads, in text and in HTML."""

import re
import time
from html.parser import HTMLParser

import pytest

from labkit.checking.evidence import Evidence
from labkit.display.conversation import MOST_BYTES, conversation, sentence
from labkit.display.recorded import recorded
from labkit.replay import find_recording
from tests.display.runs import (
    ANSWER,
    OPENING,
    asking,
    ended,
    long_run,
    one_lookup,
    refusal,
    reply,
    request,
    result,
)

VOID = {"input", "br", "img", "hr"}


class Nesting(HTMLParser):
    """Reads HTML and keeps the tags met, and those that were closed out of turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: set[str] = set()
        self.faults: list[str] = []
        self.feed(html)
        self.faults += self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.met.add(tag)
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


def html_of(seen: Evidence) -> str:
    return conversation(seen, []).html


def test_each_request_says_what_is_sent_again_and_what_it_cost() -> None:
    text = conversation(one_lookup(), []).text
    assert "request 1: 2 messages, 2 new; 80 tokens in, 7 out" in text
    assert "request 2: 4 messages, 2 sent again, 2 new; 80 tokens in, 7 out" in text


def test_usage_that_is_not_told_is_said_to_be_so() -> None:
    seen = Evidence([request(1, *OPENING), reply(1, ANSWER, usage=None)], ended())
    text = conversation(seen, []).text
    assert "2 new; no usage told" in text
    assert " tokens, estimated" in text


def test_usage_that_is_told_is_no_estimate() -> None:
    assert "estimated" not in conversation(one_lookup(), []).text


def test_a_result_stands_with_its_call() -> None:
    events = [
        request(1, *OPENING),
        reply(1, asking("call_a", "call_b")),
        request(
            2,
            asking("call_a", "call_b"),
            result("call_b", "second"),
            result("call_a", "first"),
        ),
        reply(2, ANSWER),
    ]
    html = html_of(Evidence(events, ended()))
    places = [html.index(word) for word in ("call 1", ">first ", "call 2", ">second ")]
    assert places == sorted(places)


def test_a_call_without_a_result_is_told() -> None:
    events = [
        request(1, *OPENING),
        reply(1, asking("call_1")),
        request(2),
        reply(2, ANSWER),
    ]
    html = html_of(Evidence(events, ended()))
    assert "none was sent with the next request" in html
    assert "this reply was not sent back as it came" in html


def test_a_result_under_no_known_id_answers_no_call() -> None:
    seen = one_lookup()
    seen.events[2]["added"][1]["tool_call_id"] = "call_9"
    assert "(answers no call)" in conversation(seen, []).text
    assert "(answers no call)" in html_of(seen)


def test_a_refused_request_names_the_rule_and_the_message() -> None:
    words = "Missing parameter 'tool_call_id'"
    events = [
        request(1, *OPENING),
        reply(1, asking("call_1")),
        request(2, asking("call_1"), {"role": "tool", "content": "{}"}),
        refusal(2, "result_names_its_call", 3, words),
    ]
    shown = conversation(Evidence(events, ended("provider_error")), [])
    assert "rule: result names its call, message 4" in shown.text
    assert "it ended after request 2, which was refused" in shown.text
    for told in ("rule: result names its call, message 4", "✗ refused here"):
        assert told in shown.html


def test_it_says_where_it_stopped_and_why() -> None:
    text = conversation(one_lookup(), []).text
    assert text.endswith("it ended after request 2: the model asked for nothing more")
    seen = Evidence(one_lookup().events, ended("step_budget"))
    assert "the step budget was spent" in conversation(seen, []).text


def test_messages_of_earlier_requests_that_are_missing_are_told() -> None:
    later = {"event": "request", "number": 2, "rewritten": OPENING[1:], "tools": []}
    seen = Evidence([request(1, *OPENING), reply(1, ANSWER), later, reply(2, ANSWER)])
    assert "request 2: 1 message, 1 sent again, 0 new, 1 left out" in (
        conversation(seen, []).text
    )
    assert 'content: "left out"' in html_of(seen)


def test_one_can_walk_from_request_to_request() -> None:
    html = html_of(long_run(4))
    buttons = re.findall(r'<input type="radio"[^>]* id="([^"]+)" name="([^"]+)"', html)
    ids, names = zip(*buttons)
    assert len(ids) == 5  # the whole run, and each request
    assert len(set(names)) == 1
    assert {f'for="{id}"' in html for id in ids} == {True}


def test_two_conversations_on_a_page_do_not_share_their_buttons() -> None:
    found = [re.findall(r'name="([^"]+)"', html_of(one_lookup())) for _ in range(2)]
    assert not set(found[0]) & set(found[1])


def test_the_json_of_each_message_is_one_click_away() -> None:
    html = html_of(one_lookup('{"status": "shipped"}'))
    assert html.count("<summary>JSON</summary>") == 5
    assert "&#34;tool_call_id&#34;: &#34;call_1&#34;" in html


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "</div></style><iframe src=//evil>",
        "{{ 7 * 7 }}",
    ],
)
def test_what_anybody_wrote_is_shown_and_not_run(evil: str) -> None:
    calls = asking(evil, text=evil)
    calls["tool_calls"][0]["function"] |= {"name": evil, "arguments": evil}
    events = [
        request(
            1, {"role": "system", "content": evil}, {"role": evil, "content": evil}
        ),
        reply(1, calls),
        request(2, calls, result(evil, evil), {"role": "tool", "content": evil}),
        refusal(2, evil, 3, evil),
    ]
    html = conversation(Evidence(events, ended(evil, answer=evil)), [evil]).html
    page = Nesting(html)
    assert page.faults == []
    assert not page.met & {"script", "img", "iframe"}
    assert "49" not in re.sub(r'labkit-\w+|style="[^"]*"', "", html)


def test_no_character_reaches_the_screen_that_it_would_obey() -> None:
    seen = one_lookup("a\x1b[2J b\u202ec\x00 \ud800", answer="d\u2066e\x07")
    shown = conversation(seen, [])
    for face in (shown.text, shown.html):
        assert not re.search("[\x00\x07\x1b\u202e\u2066\ud800]", face)
    assert "\\x202e" in shown.html
    shown.html.encode()


def test_a_result_of_two_megabytes_stays_small_and_keeps_its_end() -> None:
    started = time.perf_counter()
    shown = conversation(one_lookup("x" * 2_000_000 + " the end"), [])
    assert time.perf_counter() - started < 1
    assert len(shown.html.encode()) < 30_000
    assert len(shown.text) < 2_000
    assert "the end" in shown.html
    assert "2,000,0" in shown.html  # how many characters there were


@pytest.mark.parametrize("content", ['{"value": 48.16}', "<" * 8_000, "\\" * 8_000])
def test_two_hundred_messages_are_drawn_small(content: str) -> None:
    shown = conversation(long_run(100, content), [])
    assert len(shown.html.encode()) < MOST_BYTES * 1.2
    assert len(shown.text.encode()) < MOST_BYTES * 1.2
    assert Nesting(shown.html).faults == []


def test_of_two_hundred_short_messages_none_is_left_out_or_drawn_twice() -> None:
    html = html_of(long_run(100))
    for number in range(3, 201):
        assert len(re.findall(rf">(?:↳ )?{number} (?:assistant|tool)<", html)) == 1


def test_what_is_left_out_of_a_large_conversation_is_said() -> None:
    shown = conversation(long_run(300, "<&>" * 2_000), [])
    assert re.search(r"\(requests \d+ to \d+ are left out here", shown.html)
    assert "request 1:" in shown.html
    assert "request 300:" in shown.html


def test_a_message_with_a_thousand_calls_is_drawn_in_part() -> None:
    calls = asking(*(f"call_{n}" for n in range(1000)))
    seen = Evidence([request(1, *OPENING), reply(1, calls)], ended("length"))
    shown = conversation(seen, [])
    assert len(shown.html) < MOST_BYTES
    assert "and 970 more calls" in shown.text
    assert "and 970 more calls" in shown.html


def test_a_run_that_asked_nothing_is_drawn() -> None:
    shown = conversation(Evidence([], ended("step_budget")), [])
    assert shown.text.splitlines()[-1].startswith("step_budget: ")


def test_a_recording_is_shown_with_tokens_and_json() -> None:
    shown = recorded(find_recording("two_conversions"))
    assert "reply 1: 380 tokens in, 29 out" in shown.html
    assert shown.html.count("<summary>JSON</summary>") == 2
    assert Nesting(shown.html).faults == []


def test_a_sentence_is_shown_as_text() -> None:
    assert "&lt;b&gt;" in sentence("no <b>model</b>").html
