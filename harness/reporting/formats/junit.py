"""JUnit's XML, which continuous-integration systems read: test cases that passed, failed or were skipped."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from harness.judging.alarms import is_grave
from harness.reporting.frame.entries import ComparisonResult, ContenderEntry, Summary, field_of
from harness.reporting.views.run_lines import agreement_line, limits_text, trouble_texts
from harness.reporting.writing.printable import printable
from puzzles.errors import plural

UNDECIDED = ("proofless", "timeout", "memory", "unknown", "unsupported")
MOST = 50  # failures of a test case


@dataclass
class JunitCase:
    """Test case: failed if it has failures, else in error if it has errors, else skipped for the reason `skipped`."""

    group: str
    name: str
    failures: Sequence[str] = ()
    errors: Sequence[str] = ()
    skipped: str = ""
    seconds: float | None = None
    output: Sequence[str] = ()

    @property
    def result(self) -> tuple[str, Sequence[str]]:
        """Return the element of the result with its messages; none for a passed case."""
        if self.failures:
            return "failure", self.failures
        if self.errors:
            return "error", self.errors
        return "skipped", [self.skipped] if self.skipped else []


def document(name: str, cases: Sequence[JunitCase], output: str) -> str:
    """Return a test suite as XML, with printable texts, since XML allows no control characters."""
    results = Counter(tag for tag, texts in (case.result for case in cases) if texts)
    suite = Xml.Element("testsuite", name=name, tests=str(len(cases)))
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(results[tag]))
    for case in cases:
        element = Xml.SubElement(suite, "testcase", classname=printable(case.group), name=printable(case.name))
        if case.seconds is not None:
            element.set("time", f"{case.seconds:f}")
        tag, texts = case.result
        for text in texts[:MOST]:
            Xml.SubElement(element, tag, message=printable(text))
        if case.output:
            Xml.SubElement(element, "system-out").text = "\n".join(map(printable, case.output))
    Xml.SubElement(suite, "system-out").text = output
    Xml.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(suite, encoding="unicode")


def run_report(summary: Summary) -> str:
    """Return a case for each false certificate, contender, wrong claim of a corpus, and file that could not be read.

    The case of a contender is failed if an answer or a proof is refuted.
    """
    grave = filter(is_grave, summary["agreement"]["disagreements"])
    cases = [JunitCase("certificates", d["puzzle"], [d["why"]]) for d in grave]
    cases += [contender_case(summary, c) for c in summary["contenders"]]
    claims = [d for d in summary["agreement"]["disagreements"] if "corpus" in d]
    cases += [JunitCase("corpora", d["puzzle"], [d["why"]]) for d in claims]
    cases += [JunitCase("malformed files", f["name"], errors=[f["reason"]]) for f in summary.get("malformed", ())]
    return document("crosscheck", cases, f"limit: {limits_text(summary, 'wall')}\n{agreement_line(summary)}")


def contender_case(summary: Summary, c: ContenderEntry) -> JunitCase:
    """Return the case of a contender."""
    blamed = [d for d in summary["agreement"]["disagreements"] if c["name"] in d["contenders"]]
    failures = [f"{d['puzzle']}: {d['why']}" for d in blamed]
    failures += [f"{plural(c['refused'], 'proof')} refused"] if c["refused"] else []
    errors = ["; ".join([plural(c["error"], "error"), *trouble_texts(c)])] if c["error"] else []
    undecided = ", ".join(f"{number} {kind}" for kind in UNDECIDED if (number := field_of(c, kind)))
    solved = [f"{c['solved']} solved: {c['satisfiable']} satisfiable, {c['unsatisfiable']} unsatisfiable"]
    return JunitCase("contenders", c["name"], failures, errors, undecided, c["seconds"]["total"], solved)


def comparison_report(result: ComparisonResult, calls: Sequence[str]) -> str:
    """Return a case for each comparison; `calls` are verdicts in words."""
    cases = []
    for c, call in zip(result["comparisons"], calls, strict=True):
        failures = [f"{kind}: {name}" for kind in ("conflict", "wrong", "lost") for name in c[kind]]
        calls = [c["call"], *(m["call"] for m in c["measures"].values())]
        failures += [call] if c["exit"] == 3 and ("regressed" in calls or c["slower"]) else []
        skipped = call if c["exit"] == 4 else ""
        names = f"{c['before']['contender']} -> {c['after']['contender']}"
        times = [f"{clock}: {t['ratio']:.3f}x ({t['call']})" for clock, t in c["times"].items()]
        cases.append(JunitCase("compare", names, failures, (), skipped, None, [call, *times]))
    return document("crosscheck compare", cases, "\n".join(map(printable, result["warnings"])))
