"""The contour integral on another line, as the second way to delta of a long composition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gmpy2 import mpq

from oracle.accountant import contour
from oracle.accountant.closed_form_parts import Gaussian, Laplace
from oracle.accountant.parts import Composition, Part, compose, swapped
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.conformance.truths import Bounds, Exact, Expected, LeastEpsilon
from oracle.conformance.vector_sources.curves import sides_of
from oracle.enclosures import arb_from_rational
from oracle.errors import InputError
from oracle.exact import Infinity, parse_number

__all__ = ["second_contour", "second_contour_of_epsilon"]

_DIGITS = 18


def _part(node: Mapping[str, Any]) -> Part:
    theta = parse_number(node.get("sensitivity", "1"))
    match node["mechanism"]:
        case "laplace":
            return Laplace(theta / parse_number(node["scale"]))
        case "gaussian":
            return Gaussian((theta / parse_number(node["sigma"])) ** 2)
        case "poisson_subsample":
            of, rate = node["of"], parse_number(node["rate"])
            square = (parse_number(of.get("sensitivity", "1")) / parse_number(of["sigma"])) ** 2
            return SubsampledGaussian(square, rate)
    raise InputError("a part of the contour integral", str(node["mechanism"]))


def _lines(node: Mapping[str, Any]) -> list[tuple[Part, int]]:
    if node["mechanism"] == "repeat":
        return [(part, times * int(node["times"])) for part, times in _lines(node["of"])]
    if node["mechanism"] == "compose":
        return [line for part in node["of"] for line in _lines(part)]
    return [(_part(node), 1)]


def _sides(args: Mapping[str, Any]) -> list[Composition]:
    """The composition in the directions asked for."""
    composition = compose(_lines(args["channel"]))
    both = {"forward": composition, "backward": swapped(composition)}
    return [both[side] for side in sides_of(args.get("direction", "both"))]


def second_contour(args: Mapping[str, Any], truth: Expected) -> str:
    """Confirm delta by the contour integral on its second line: the larger of the directions asked for.

    Raises:
        InputError: where the two enclosures have nothing in common.
    """
    epsilon = parse_number(args["epsilon"])
    bounds = [_enclosed(side, epsilon) for side in _sides(args)]
    lo, hi = max(low for low, _ in bounds), max(high for _, high in bounds)
    if isinstance(truth, Exact):
        truth = Bounds(str(truth.value), str(truth.value))
    if not isinstance(truth, Bounds) or lo > truth.upper or hi < truth.lower:
        raise InputError("two enclosures with something in common", f"{truth} and [{lo}, {hi}]")
    return "second contour"


def second_contour_of_epsilon(args: Mapping[str, Any], truth: Expected) -> str:
    """Confirm a least epsilon: on the second line delta is not above its target at hi, nor below it at lo.

    Where lo is 0 only the first is asked for.

    Raises:
        InputError: where it does.
    """
    if not isinstance(truth, LeastEpsilon) or isinstance(truth.lower, Infinity) or isinstance(truth.upper, Infinity):
        raise InputError("a finite least epsilon", str(truth))
    target = parse_number(args["delta"])
    sides = _sides(args)
    above, below = ([_enclosed(side, epsilon) for side in sides] for epsilon in (truth.lower, truth.upper))
    early = truth.lower > 0 and max(high for _, high in above) < target
    if early or max(low for low, _ in below) > target:
        raise InputError("delta at the target between lo and hi", f"{above} and {below}")
    return "second contour"


def _enclosed(composition: Any, epsilon: mpq) -> tuple[mpq, mpq]:  # noqa: ANN401 - a composition
    first = contour.delta(composition, lambda bits: arb_from_rational(epsilon, bits), _DIGITS)
    line = contour.second_abscissa(first)
    if line is None:
        return first.value.lo, first.value.hi
    other = contour.delta(composition, lambda bits: arb_from_rational(epsilon, bits), _DIGITS, abscissa=line)
    return other.value.lo, other.value.hi
