"""Questions whose answer is a scale of noise: the least one for which a guarantee holds.

The root is proposed by mpmath from the closed form or the sum of the profile, and proved by the engine: at the lower
end of the bracket delta exceeds the target, at the upper end it does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.truths import Bounds, Expected, Feeds
from oracle.conformance.vector_sources.catalogue import BALLE_WANG, DWORK, node
from oracle.conformance.vector_sources.continuous import pair_of
from oracle.conformance.vector_sources.drafts import Question, Topic, slug
from oracle.conformance.vector_sources.expressions import Number, level_of, mp, number, real
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.exact import Extended, parse_number, to_decimal
from oracle.operations import delta as delta_of

__all__ = ["calibrated", "least_scale", "topics"]

_DIGITS: Final = 21
_STEPS: Final = 400


def _filled(value: Any, scale: str) -> Any:  # noqa: ANN401 - a JSON value
    if isinstance(value, Mapping):
        return {key: _filled(part, scale) for key, part in value.items()}
    return scale if value == "?" else value


def _root(template: Mapping[str, Any], level: Number, target: Any) -> Any:  # noqa: ANN401 - an mpmath number
    """The scale at which delta comes down to the target: regula falsi (Illinois) on log scale and log delta."""

    def excess(x: Any) -> Any:  # noqa: ANN401 - an mpmath number
        text = mp.nstr(mp.exp(x), 60, min_fixed=-100, max_fixed=100)
        value = pair_of(_filled(template, text)).stick(real(level), "both")
        return mp.log(value / target) if value > 0 else mp.mpf(-1000)

    low, high = mp.mpf(-2), mp.mpf(2)
    while excess(low) < 0:
        low -= 2
    while excess(high) > 0:
        high += 2
    below, above = excess(low), excess(high)
    side = 0
    for _ in range(_STEPS):
        x = (low * above - high * below) / (above - below)
        value = excess(x)
        if abs(high - low) < mp.mpf(10) ** -50 or abs(value) < mp.mpf(10) ** -50:
            return mp.exp(x)
        if value > 0:
            low, below, above, side = x, value, above / (2 if side == 1 else 1), 1
        else:
            high, above, below, side = x, value, below / (2 if side == -1 else 1), -1
    raise InputError("a root", "none", str(template))


def least_scale(args: Mapping[str, Any]) -> Expected:
    """The truth about a calibration: the question that the answer is put into, and a bracket of the least scale."""
    template, target = args["channel"], parse_number(args["delta"])
    named = {key: args[key] for key in ("epsilon", "exp_epsilon") if key in args}
    if target == 0:
        exact = 1 / parse_number(args["epsilon"]) * parse_number(template.get("sensitivity", "1"))
        lo = hi = exact
    else:
        root = _root(template, level_of(named), real(number(args["delta"])))
        digits = mp.nstr(root, _DIGITS + 3, min_fixed=-100, max_fixed=100)
        near = parse_number(digits)
        lo = parse_number(to_decimal(near * (1 - mpq(1, 10**_DIGITS)), _DIGITS + 1, "down"))
        hi = parse_number(to_decimal(near * (1 + mpq(1, 10**_DIGITS)), _DIGITS + 1, "up"))
    for scale, enough in ((hi, True), (lo, lo == hi), (lo * (1 - mpq(1, 10**6)), False)):
        value = delta_of(_filled(template, str(scale)), **named, digits=40)
        low, high = (value.lo, value.hi) if isinstance(value, Enclosure) else (_end(value), _end(value))
        if not (high <= target if enough else low > target):
            raise InputError("a bracket of the least scale", f"delta at {scale} in [{low}, {high}]", str(template))
    bounds = Bounds(str(lo), str(hi)) if lo == hi else Bounds(*(to_decimal(x, _DIGITS + 2, "down") for x in (lo, hi)))
    return Feeds("delta", {"channel": template, **named}, str(args["delta"]), bounds)


def _end(value: Any) -> Extended:  # noqa: ANN401 - a value of the surface
    return parse_number(value)


def _confirmed(args: Mapping[str, Any], truth: Expected) -> str:  # noqa: ARG001 - proved while it was made
    return "mpmath root, bracketed by exact deltas"


def calibrated(  # noqa: PLR0913, PLR0917 - the parts of a question
    name: str, words: str, template: dict[str, Any], field: str, epsilon: str, delta: str, *flags: str
) -> Question:
    """The question for the least scale of some noise."""
    args = {"channel": template, "field": field, "epsilon": epsilon, "delta": delta}
    summary = f"{words}: the least {field} for eps = {epsilon}, delta = {delta}"
    marked = tuple(sorted(("Calibration", *flags)))
    doubles = delta != "0" or epsilon != "1/3"
    return Question(name, summary, args, marked, least_scale, _confirmed, doubles=doubles)


def _questions() -> Iterator[Question]:
    gaussian, laplace = node("gaussian", sigma="?"), node("laplace", scale="?")
    subjects: list[tuple[str, str, str, dict[str, Any], list[tuple[str, str]]]] = [
        (
            "gaussian",
            "sigma",
            "Gaussian noise",
            gaussian,
            [
                ("1/10", "1e-5"),
                ("1", "1e-5"),
                ("1", "1e-2"),
                ("10", "1e-6"),
                ("1/2", "1e-9"),
                ("100", "1e-3"),
                ("0", "1/10"),
            ],
        ),
        (
            "gaussian-d2",
            "sigma",
            "Gaussian noise, sensitivity 2",
            node("gaussian", sigma="?", sensitivity="2"),
            [("1", "1e-5")],
        ),
        (
            "laplace",
            "scale",
            "Laplace noise",
            laplace,
            [("1", "0"), ("1/3", "0"), ("1", "1e-6"), ("2", "1/10"), ("50", "0")],
        ),
        (
            "laplace-d2",
            "scale",
            "Laplace noise, sensitivity 2",
            node("laplace", scale="?", sensitivity="2"),
            [("1", "0"), ("1", "1/8")],
        ),
        (
            "gaussian-x100",
            "sigma",
            "100 runs of Gaussian noise",
            node("repeat", times=100, of=gaussian),
            [("1", "1e-5"), ("8", "1e-5"), ("1", "1e-9")],
        ),
        (
            "poisson-gaussian",
            "sigma",
            "Gaussian noise on a Poisson sample of rate 1/100",
            node("poisson_subsample", rate="1/100", neighbours="add_remove", of=gaussian),
            [("1", "1e-5"), ("1/2", "1e-6"), ("1/10", "1e-4")],
        ),
        (
            "discrete-laplace",
            "scale",
            "discrete Laplace noise",
            node("discrete_laplace", scale="?"),
            [("1", "1e-3"), ("1/2", "1/10")],
        ),
        (
            "discrete-gaussian",
            "sigma",
            "discrete Gaussian noise",
            node("discrete_gaussian", sigma="?"),
            [("1", "1e-5"), ("1/2", "1e-3")],
        ),
    ]
    for name, field, words, template, targets in subjects:
        for epsilon, delta in targets:
            question = f"calibration/{name}/eps-{slug(epsilon)}-d{slug(delta)}"
            yield calibrated(question, words, template, field, epsilon, delta)


def topics() -> list[Topic]:
    """The topics of this module."""
    summary = "A scale of noise that suffices for a guarantee, judged by the exact delta at the scale that is returned."
    return [Topic("calibration/noise.json", "calibrate", summary, (BALLE_WANG, DWORK), list(_questions()))]
