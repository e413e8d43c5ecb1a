"""How far an answer is from the truth, and on which side: numbers, enclosures and claims.

A truth is an interval lo <= truth <= hi of exact numbers (a point where it is known exactly), infinities included. The
gap is answer - truth, taken to the nearer end of the interval, so that it never overstates what is wrong. It is
*material* where it is beyond 10^-9 of the truth and the truth is above 10^-300 (or is not, and the gap itself is beyond
10^-9: an answer of 1/2 where the truth is 0 is no rounding).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from gmpy2 import mpq

from oracle.conformance.protocol import Claimed
from oracle.exact import INFINITY, NEGATIVE_INFINITY, Extended, Infinity, to_decimal, to_text

__all__ = ["VERDICTS", "WORST_FIRST", "Gap", "Interval", "Slack", "Verdict", "gap_between", "side", "ulp"]

Verdict = Literal[
    "exact",
    "sound",
    "loose",
    "unsound",
    "unsound-rounding",
    "wrong",
    "declined",
    "errored",
    "crashed",
    "timeout",
    "inconclusive",
]

VERDICTS: Final[tuple[Verdict, ...]] = (
    "exact",
    "sound",
    "loose",
    "unsound",
    "unsound-rounding",
    "wrong",
    "declined",
    "errored",
    "crashed",
    "timeout",
    "inconclusive",
)
"""The closed set of verdicts on one answer."""

WORST_FIRST: Final[tuple[Verdict, ...]] = (
    "crashed",
    "timeout",
    "errored",
    "wrong",
    "unsound",
    "unsound-rounding",
    "inconclusive",
    "declined",
    "loose",
    "sound",
    "exact",
)

_SHOWN_DIGITS: Final = 3
_LEAST_ULP: Final = mpq(1, 2**1074)
_MANTISSA: Final = 52
_BILLIONTH: Final = mpq(1, 10**9)
_NEGLIGIBLE: Final = mpq(1, 10**300)


@dataclass(frozen=True, slots=True)
class Slack:
    """What counts as rounding, and what as tight.

    Attributes:
        rounding: relative gap up to which an answer on the wrong side is ``unsound-rounding``.
        negligible: truth up to which it is too.
        tightness: relative gap up to which an answer on the claimed side is ``sound`` and not ``loose``.
    """

    rounding: mpq = _BILLIONTH
    negligible: mpq = _NEGLIGIBLE
    tightness: mpq = _BILLIONTH


@dataclass(frozen=True, slots=True)
class Interval:
    """lo <= number <= hi, the same twice for a number that is known."""

    lo: Extended
    hi: Extended

    @classmethod
    def point(cls, x: Extended) -> Interval:
        """A number that is known."""
        return cls(x, x)

    @property
    def known(self) -> bool:
        """Whether it is one number."""
        return self.lo == self.hi

    def contains(self, x: Extended) -> bool:
        """Whether lo <= x <= hi."""
        return self.lo <= x <= self.hi


@dataclass(frozen=True, slots=True)
class Gap:
    """The signed distance answer - truth.

    Attributes:
        value: exact; an infinity where one of the two is infinite.
        relative: its size over that of the truth; infinite where the truth is 0.
        ulps: in units in the last place of the answer, or None where it is infinite.
    """

    value: Extended
    relative: Extended
    ulps: mpq | None

    def to_json(self) -> dict[str, str | None]:
        """As the stream has it: exact text, and decimals of three digits rounded away from zero."""
        return {
            "exact": to_text(self.value),
            "relative": _decimal(self.relative),
            "ulps": None if self.ulps is None else _decimal(self.ulps, signed=True),
            "decimal": _decimal(self.value, signed=True),
        }


def _decimal(value: Extended, *, signed: bool = False) -> str:
    plus = "+" if signed and value > 0 else ""
    if isinstance(value, Infinity):
        return plus + to_text(value)
    return plus + to_decimal(value, _SHOWN_DIGITS, "up" if value > 0 else "down")


def ulp(x: mpq) -> mpq:
    """The distance between doubles at |x|: 2^(e-52) for 2^e <= |x| < 2^(e+1), at least 2^-1074."""
    if x == 0:
        return _LEAST_ULP
    numerator, denominator = abs(x.numerator), x.denominator
    exponent = numerator.bit_length() - denominator.bit_length()
    below = numerator < denominator << exponent if exponent >= 0 else numerator << -exponent < denominator
    exponent -= 1 if below else 0
    shift = exponent - _MANTISSA
    if shift <= -1074:
        return _LEAST_ULP
    return mpq(1 << shift) if shift >= 0 else mpq(1, 1 << -shift)


def gap_between(answer: Extended, truth: Extended) -> Gap:
    """The gap between an answer and one end of the truth."""
    if isinstance(answer, Infinity) or isinstance(truth, Infinity):
        if answer == truth:
            return Gap(mpq(0), mpq(0), mpq(0))
        return Gap(INFINITY if answer > truth else NEGATIVE_INFINITY, INFINITY, None)
    value = answer - truth
    relative: Extended = mpq(0)
    if value:
        relative = abs(value) / abs(truth) if truth else INFINITY
    return Gap(value, relative, value / ulp(answer))


def side(  # noqa: PLR0911 - one return for each claim
    claimed: Claimed, answer: Extended, truth: Interval, slack: Slack
) -> tuple[Verdict, Gap]:
    """The verdict on a number under a claim, and its gap.

    ``inconclusive`` for a claim of a side whose answer lies strictly inside an interval.
    """
    near = truth.lo if answer < truth.lo else min(answer, truth.hi)
    gap = gap_between(answer, near)
    if claimed.kind in ("upper", "lower"):
        return _directed(claimed.kind == "upper", answer, truth, gap, slack), gap
    if truth.contains(answer):
        return "exact", gap
    if claimed.kind == "exact":
        return "wrong", gap
    if claimed.kind == "nearest":
        allowed = mpq(1) if claimed.allowance is None else claimed.allowance
        return ("sound" if gap.ulps is not None and abs(gap.ulps) <= allowed else "wrong"), gap
    if gap.ulps is None:
        return "wrong", gap
    if claimed.allowance is not None:
        far = not isinstance(gap.value, Infinity) and abs(gap.value) > claimed.allowance
        return ("wrong" if far else "sound"), gap
    return ("sound" if _tight(gap, slack) else "loose"), gap


def _directed(upper: bool, answer: Extended, truth: Interval, gap: Gap, slack: Slack) -> Verdict:
    """The verdict on a number claimed to be at or above the truth (or at or below it)."""
    if truth.known and gap.value == 0:
        return "exact"
    if truth.lo < answer < truth.hi:
        return "inconclusive"
    if answer >= truth.hi if upper else answer <= truth.lo:
        return "sound" if _tight(gap, slack) else "loose"
    return "unsound" if _material(gap, truth.lo if answer <= truth.lo else truth.hi, slack) else "unsound-rounding"


def _tight(gap: Gap, slack: Slack) -> bool:
    if isinstance(gap.value, Infinity):
        return False
    return bool(gap.relative <= slack.tightness or abs(gap.value) <= slack.negligible)


def _material(gap: Gap, truth: Extended, slack: Slack) -> bool:
    if isinstance(gap.value, Infinity) or isinstance(truth, Infinity):
        return True
    beyond = gap.relative > slack.rounding
    return bool(beyond and (abs(truth) > slack.negligible or abs(gap.value) > slack.rounding))
