"""JUnit XML: a suite for each submission, a test case for each check, for CI."""

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from labkit.checking.report import CheckResult, Report
from labkit.display.report import WORDS, check_lines
from labkit.grading.results import Line, Results, report_of
from labkit.whole_file import whole_file

# An answer that is wrong or not there failed; anything that ended the run is an error.
NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
KINDS = {"failed": "failure", "not_started": "failure", "skipped": "skipped"}


def write(results: Results) -> list[str]:
    """Write `junit.xml`, suite by suite; what was written, as lines."""
    with whole_file(results.out / "junit.xml") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n')
        for entries in results.submissions.values():
            suite = test_suite(results.read(entries))
            ElementTree.indent(suite)
            file.write(f"{ElementTree.tostring(suite, encoding='unicode')}\n")
        file.write("</testsuites>\n")
    return [f"junit.xml: {len(results.submissions)} suites"]


def test_suite(lines: Iterable[Line]) -> Element:
    """One submission's lines as a suite, with a case for each check."""
    reports = [report_of(line) for line in lines]
    suite = Element("testsuite", name=xml_text(reports[0].submission))
    for report in reports:
        suite.extend(_cases(report))
    for name, kind in (("failures", "failure"), ("errors", "error")):
        suite.set(name, str(len(suite.findall(f"*/{kind}"))))
    suite.set("skipped", str(len(suite.findall("*/skipped"))))
    suite.set("tests", str(len(suite)))
    suite.set("time", f"{sum(report.seconds for report in reports):.3f}")
    return suite


def _cases(report: Report) -> Iterator[Element]:
    if report.status != "graded":
        case = Element("testcase", classname=report.lesson, name="can_be_graded")
        why = xml_text("\n".join(report.notes) or report.status)
        SubElement(case, "error", message=why, type=report.status).text = why
        yield case
    for check in report.checks:
        yield _case(report, check)


def _case(report: Report, check: CheckResult) -> Element:
    case = Element("testcase", classname=report.lesson, name=check.id)
    case.set("time", f"{check.seconds:.3f}")
    if check.passed:
        return case
    why = check.seen or WORDS.get(check.outcome, check.outcome)
    child = SubElement(case, KINDS.get(check.outcome, "error"), message=xml_text(why))
    if child.tag != "skipped":
        child.set("type", check.outcome)
        child.text = xml_text("\n".join(check_lines(check)))
    return case


def xml_text(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return NO_XML.sub("\ufffd", text)
