"""What a set of eval cases came to, as people read it."""

from typing import Any

from labkit.display.evals import eval_table, reasons_of


def table(cases: int, **failures: list[str]) -> str:
    ids = [f"case_{number}" for number in range(cases)]
    report: dict[str, Any] = {"failures": failures, "stops": {"answered": ids}}
    report |= {"passed": cases - len(failures), "total": cases}
    report |= {"pass_rate": 0.5, "exit_code": 1}
    return eval_table([{"id": id} for id in ids], report, 0.8).text


def test_each_case_of_a_few_is_listed_with_its_reasons() -> None:
    text = table(2, case_1=["64 is not in the answer", "refund did not run"])
    assert text.startswith("✓ case_0\n✗ case_1\n  64 is not in the answer\n  refund")
    assert "1 of 2 cases passed, rate 0.50, threshold 0.80: exit code 1" in text


def test_of_many_cases_only_the_lost_are_listed() -> None:
    text = table(60, case_7=["no"])
    assert "✓" not in text
    assert "✗ case_7" in text
    assert "… and 50 more questions" in text


def test_what_a_model_said_cannot_steer_a_terminal_or_a_page() -> None:
    report = {"failures": {"a": ["\x1b[2J<b>"]}, "stops": {"<i>": ["\x1b[2J"]}}
    report |= {"passed": 0, "total": 1, "pass_rate": 0.0, "exit_code": 1}
    face = eval_table([{"id": "a"}], report, 0.8)
    assert "\x1b" not in face.text
    assert "<b>" not in face.html
    assert "<i>" not in face.html


def test_reasons_kept_as_one_text_are_read_too() -> None:
    assert reasons_of("no refund") == ["no refund"]
    assert reasons_of(None) == []
