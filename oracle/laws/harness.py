"""Runs claims: every law on generated inputs, every worked value, every counterexample, and derives the status.

A law that fails is shrunk to a small input, and the size of the violation is kept as an exact number. Two
thresholds matter for a float subject: any excess above 0, and a *material* one above 10^-9.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq
from hypothesis import HealthCheck, Phase, Verbosity, given, settings

from oracle.answers import answer
from oracle.certificates.checker import Rejected, check
from oracle.channels.channel import Channel
from oracle.channels.tradeoff import TradeoffFunction
from oracle.errors import Declined, OracleError
from oracle.exact import to_text
from oracle.interactive.reading import to_json
from oracle.interactive.tree import InteractiveMechanism
from oracle.json_text import canonical
from oracle.laws.ask import Ask, Subject
from oracle.laws.record import ClaimRecord, Law, Status
from oracle.laws.symbolic import PROOFS

__all__ = ["MATERIAL", "PROFILES", "ClaimResult", "LawResult", "Profile", "run_claim", "run_law"]

ZERO: Final = mpq(0)
MATERIAL: Final = mpq(1, 10**9)
"""An excess beyond rounding."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How hard to search: examples for each law, and whether the search is the same every time."""

    name: str
    examples: int
    derandomize: bool


PROFILES: Final = {
    "ci": Profile("ci", 40, True),
    "search": Profile("search", 2000, False),
}


@dataclass(frozen=True, slots=True)
class LawResult:
    """What came of one law.

    Attributes:
        name: the law's.
        cases: examples that were run.
        worst: the largest excess met, None where every example was declined.
        example: the shrunk input that breaks the law, as text, or None.
        excess: by how much the law is broken on it, or None.
        worst_example: the input of the largest excess, not shrunk, where the law is broken.
        problem: why the law could not be run, or None.
    """

    name: str
    cases: int
    worst: mpq | None
    example: str | None = None
    problem: str | None = None
    excess: mpq | None = None
    worst_example: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the law was run and not broken."""
        return self.problem is None and self.worst is not None and self.worst <= 0


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim's recorded and derived status, and what it was derived from."""

    id: str
    status: Status
    rederived: str
    laws: tuple[LawResult, ...]
    problems: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the derived status is the recorded one."""
        return self.status == self.rederived

    @property
    def cases(self) -> int:
        """Examples, worked values and counterexamples run."""
        return sum(law.cases for law in self.laws)

    @property
    def worst(self) -> mpq | None:
        """The largest excess over all laws; None where no law has one."""
        return max((law.worst for law in self.laws if law.worst is not None), default=None)


class _BrokenError(Exception):
    def __init__(self, excess: mpq, example: tuple[Any, ...]) -> None:
        super().__init__(str(excess))
        self.excess, self.example = excess, example


class _Declines(Exception):  # noqa: N818 - not a fault
    pass


def run_law(law: Law, subject: Subject = answer, profile: Profile = PROFILES["ci"], threshold: mpq = ZERO) -> LawResult:
    """Search for an input on which *subject* breaks *law* by more than *threshold*."""
    ask = Ask(subject)
    cases = declined = 0
    worst: mpq | None = None
    worst_parts: tuple[Any, ...] = ()

    def once(example: object) -> None:
        nonlocal cases, declined, worst, worst_parts
        parts = example if isinstance(example, tuple) else (example,)
        cases += 1
        try:
            excess = law.check(ask, *parts)
        except Declined:
            declined += 1
            return
        if worst is None or excess > worst:
            worst, worst_parts = excess, parts
        if excess > threshold:
            raise _BrokenError(excess, parts)

    search = settings(
        max_examples=profile.examples,
        derandomize=profile.derandomize,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )
    try:
        search(given(law.given)(once))()
    except _BrokenError as broken:
        return LawResult(law.name, cases, worst, show(broken.example), None, broken.excess, show(worst_parts))
    except (OracleError, ArithmeticError) as error:
        # What a subject said may be no channel or curve at all, and then a law cannot even be evaluated on it.
        return LawResult(law.name, cases, None, problem=str(error) or type(error).__name__)
    if declined == cases:
        return LawResult(law.name, cases, None, problem="declined by the subject")
    return LawResult(law.name, cases, worst)


def show(example: tuple[Any, ...]) -> str:
    """An example in plain text: channels, curves and trees as their matrices, corners and JSON."""
    return "; ".join(_show(part) for part in example)


def _show(part: object) -> str:
    if isinstance(part, Channel):
        return "[" + "; ".join(" ".join(map(to_text, row)) for row in part.rows) + "]"
    if isinstance(part, TradeoffFunction):
        return "".join(f"({a}, {b})" for a, b in part.corners)
    if isinstance(part, InteractiveMechanism):
        return canonical(to_json(part))
    if isinstance(part, (list, tuple)):
        return "(" + ", ".join(map(_show, part)) + ")"
    return str(part)


def run_claim(claim: ClaimRecord, profile: Profile = PROFILES["ci"], subject: Subject = answer) -> ClaimResult:
    """Run everything about a claim and derive its status.

    With a subject other than the exact engine only the laws say something about it; worked values and
    counterexamples are about the mathematics and always run on the engine.
    """
    laws = tuple(run_law(law, subject, profile) for law in claim.laws)
    problems = [f"{law.name}: {law.problem or _broken(law)}" for law in laws if not law.holds]
    checks = [(fact.name, fact.holds) for fact in claim.facts] + [
        (f"proof {name}", _proof(name)) for name in claim.proofs
    ]
    facts = [LawResult(name, 1, mpq(0) if _holds(run, problems, name) else mpq(1)) for name, run in checks]
    scopes = {erratum.scope for erratum in claim.errata if _confirmed(erratum.fails, erratum.certificate, problems)}
    return ClaimResult(claim.id, claim.status, _derive(claim, scopes, problems), (*laws, *facts), tuple(problems))


def _broken(law: LawResult) -> str:
    return f"broken by {law.excess} on {law.example}"


def _proof(name: str) -> Callable[[], bool]:
    """A symbolic proof as a check: it raises where a step is not confirmed."""
    return lambda: bool(PROOFS[name]().steps)


def _holds(run: Callable[[], bool], problems: list[str], name: str) -> bool:
    try:
        holds = run()
    except OracleError as error:
        problems.append(f"{name}: {error}")
        return False
    if not holds:
        problems.append(f"{name}: false")
    return holds


def _confirmed(fails: Callable[[], bool], certificate: Callable[[], dict[str, Any]], problems: list[str]) -> bool:
    """Whether the printed form fails on its counterexample and the checker accepts the certificate."""
    if not fails():
        problems.append("the printed form does not fail on its counterexample")
        return False
    try:
        check(certificate())
    except Rejected as rejection:
        problems.append(f"the counterexample's certificate is rejected: {rejection}")
        return False
    return True


def _derive(claim: ClaimRecord, scopes: Collection[str], problems: Sequence[str]) -> str:
    if problems:
        return "unconfirmed"
    if "typing" in scopes:
        return "ill_typed"
    if "statement" in scopes:
        return "false_as_stated"
    if "hypothesis" in scopes:
        return "holds_under"
    if claim.defines:
        return "definition"
    return "holds" if claim.laws or claim.facts or claim.proofs else "unconfirmed"
