"""The meter's bills and prices, and the chart of tokens."""

import pytest

from labkit import Agent, Lesson
from labkit.display.chart import CutChart
from labkit.display.meter import LIST_PRICE, Bill, Meter, Metered, Prices, meter
from labkit.display.panels.meter import price_box


def run(*bills: Bill) -> Metered:
    return Metered("with yours", list(bills), "answered", [])


def test_tokens_in_and_out_have_their_own_price() -> None:
    bill = Bill(1, 2, 1_000_000, 500_000)
    assert Prices(2, 8).of(bill) == 6
    assert bill.tokens == 1_500_000


def test_a_bill_says_whose_price_it_takes() -> None:
    text = repr(meter([run(Bill(1, 0, 1_000_000, 0))]))
    assert "0.4000" in text
    assert "OpenAI's list price of gpt-4.1-mini, 2025" in text


def test_another_price_is_told_beside_the_list_price() -> None:
    face = meter([run(Bill(1, 0, 1_000_000, 0))], prices=Prices(3, 15))
    assert "3.0000" in repr(face)
    assert "at 3.00 dollars per million tokens in, 15.00 out (yours;" in repr(face)
    assert "0.40 and 1.60" in face.html


def test_the_bill_stands_as_it_was_after_a_completion() -> None:
    bills = run(Bill(1, 1, 10, 1), Bill(2, 3, 30, 2))
    text = repr(meter([bills], 1))
    assert "(goes on)" in text
    assert "answered" not in text


def test_a_saved_meter_shows_the_list_price() -> None:
    panel = Lesson("lesson_04_budgets").meter(Agent, "runaway")
    assert isinstance(panel, Meter)
    assert str(LIST_PRICE) in repr(panel)
    assert "gpt-4.1-mini, 2025" in panel.html


@pytest.mark.parametrize("typed", [-3, -0.01])
def test_a_price_below_zero_becomes_zero(typed: float) -> None:
    box = price_box("price of tokens in", 0.4)
    box.value = typed
    assert box.value == 0


def test_a_shorter_limit_sends_fewer_tokens() -> None:
    chart = Lesson("lesson_07_truncation_and_trace").chart(Agent, "crate_by_the_table")
    assert isinstance(chart, CutChart)
    assert "8,000 characters: cut, 5 requests send" in repr(chart.at(8000)[1])
    totals = []
    for limit in (400, 8000):
        values = chart.at(limit)[0].spec["data"]["values"]
        totals.append(sum(v["tokens"] for v in values if v["results"] == "cut"))
    assert totals[0] < totals[1]


def test_a_chart_says_what_was_lent_to_it() -> None:
    chart = Lesson("lesson_07_truncation_and_trace").chart(Agent, "crate_by_the_table")
    [note] = chart.spec["title"]["subtitle"]
    assert note == "note: truncate is not written yet: the finished one acts"


def test_a_chart_names_both_axes_and_their_units() -> None:
    chart = Lesson("lesson_07_truncation_and_trace").chart(Agent, "crate_by_the_table")
    axes = [chart.spec["encoding"][axis]["title"] for axis in "xy"]
    assert axes == ["request (number)", "tokens sent (estimate)"]
    assert "in each request" in chart.spec["title"]["text"]
