"""Checks of a record of the public registry of differential privacy deployments: do its numbers agree?

A record says what was deployed; no arithmetic can tell whether it was. What can be told: whether the parameters are
numbers in range, whether they fit the stated variant, whether parts that a total was "split" into sum to it, and
whether a stated (epsilon, delta) follows from a stated rho. Decimals are decimals: the record is read as text.

*Conversions.* Every rho-zCDP mechanism is (epsilon, delta)-DP where one of the bounds of
:mod:`oracle.gaussian_dp.conversions` is at most delta: the pair "follows". Where the Gaussian mechanism with just this
rho has a larger delta, it does not follow from rho alone and needs an argument of its own, which the record may have:
"undecided", as between the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle.enclosures import Enclosure
from oracle.errors import InputError, shorten
from oracle.exact import parse_number, to_text
from oracle.gaussian_dp import delta_mu, delta_of_rho, delta_of_rho_at_order
from oracle.gaussian_dp.arguments import exact
from oracle.levels import Level
from oracle.special import square_root

__all__ = ["Check", "Outcome", "check_record", "is_record"]

Outcome = Literal["consistent", "inconsistent", "undecided", "missing"]
Json = Mapping[str, Any]

_PARAMETERS: Final = "privacy_loss.privacy_parameters"
_DETAILS: Final = "privacy_loss.privacy_parameters_details"
_NEEDED: Final = {
    "Pure DP": ("epsilon",),
    "Approximate DP": ("epsilon", "delta"),
    "Zero-concentrated DP": ("rho",),
}
_REQUIRED: Final = ("basic.name", "dp_variant.variant_name", "privacy_loss.privacy_unit", _PARAMETERS)
_ORDERS: Final = 24
_SPLIT = re.compile(r"\bsplit\b", re.IGNORECASE)
_NUMBER: Final = r"10\s*\^\s*\{?\s*(?:-|−)\s*(?P<power>\d+)\s*\}?|(?P<decimal>\d+(?:\.\d+)?(?:[eE]-?\d+)?)"
_STATED = re.compile(
    rf"(?:\\?(?P<name>epsilon|delta|rho)|(?P<sign>[εδρ]))\s*(?:\\+\))?\s*=\s*(?:\\+\()?\s*(?:{_NUMBER})"
    r"(?![\d.]*\s*(?:\\times|×|\^|/)|[\d.]*,\d)"
)
_MENTIONED = re.compile(r"(?:\\?(?P<name>epsilon|delta|rho)|(?P<sign>[εδρ]))\s*(?:\\+\))?\s*=")
_SIGNS: Final = {"ε": "epsilon", "δ": "delta", "ρ": "rho"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: the field, what came of it, and that in words."""

    field: str
    outcome: Outcome
    text: str

    def to_json(self) -> dict[str, str]:
        """As the report prints it."""
        return {"field": self.field, "outcome": self.outcome, "text": self.text}


def is_record(document: object) -> bool:
    """Whether a document is a registry record, by its key ``deployment``."""
    return isinstance(document, Mapping) and isinstance(document.get("deployment"), Mapping)


def check_record(document: Json) -> list[Check]:
    """All checks of a record, in the order of its fields.

    Raises:
        InputError: where the document is no registry record.
    """
    if not is_record(document):
        raise InputError('a registry record, an object with "deployment"', shorten(document), "record")
    deployment = document["deployment"]
    parameters, checks = _parameters(deployment)
    return [
        *_missing(deployment),
        *checks,
        *_variant(deployment, parameters),
        *_parts(deployment, parameters),
        *_conversions(deployment, parameters),
    ]


def _field(deployment: Json, name: str) -> Any:  # noqa: ANN401 - whatever stands there
    found: Any = deployment
    for key in name.split("."):
        found = found.get(key, "") if isinstance(found, Mapping) else ""
    return found


def _missing(deployment: Json) -> Iterator[Check]:
    for name in _REQUIRED:
        if not _field(deployment, name):
            yield Check(name, "missing", "nothing is stated")


def _parameters(deployment: Json) -> tuple[dict[str, mpq], list[Check]]:
    """The numbers among the parameters, and what is to be said of each."""
    stated = _field(deployment, _PARAMETERS)
    found: dict[str, mpq] = {}
    checks = []
    if stated and not isinstance(stated, Mapping):
        checks.append(Check(_PARAMETERS, "undecided", f"{shorten(stated)} names no parameter"))
    for name, text in stated.items() if isinstance(stated, Mapping) else ():
        where = f"{_PARAMETERS}.{name}"
        try:
            value = parse_number(text, where)
        except InputError:
            checks.append(
                Check(where, "undecided", f"{shorten(text)} is no number: nothing that rests on it is checked")
            )
            continue
        if value < 0 or (name == "delta" and value >= 1):
            wanted = "0 <= delta < 1" if name == "delta" else f"{name} >= 0"
            checks.append(Check(where, "inconsistent", f"{shorten(text)}: expected {wanted}"))
            continue
        found[str(name)] = value
    return found, checks


def _variant(deployment: Json, parameters: Mapping[str, mpq]) -> Iterator[Check]:
    """The parameters that the variant needs, and those that contradict it."""
    where = "dp_variant.variant_name"
    variant = _field(deployment, where)
    stated = _field(deployment, _PARAMETERS)
    given = set(stated) if isinstance(stated, Mapping) else set()
    if not isinstance(variant, str):
        yield Check(where, "undecided", f"{shorten(variant)} is no name of a variant")
        return
    if variant not in _NEEDED:
        return
    lacking = [name for name in _NEEDED[variant] if name not in given]
    if lacking and given:
        yield Check(where, "missing", f"{variant} needs {' and '.join(lacking)}")
    delta = parameters.get("delta", mpq(0))
    if variant == "Pure DP" and delta:
        yield Check(where, "inconsistent", f"Pure DP has delta = 0, but delta = {to_text(delta)} is stated")
    elif not lacking and given:
        yield Check(where, "consistent", f"{variant} with {', '.join(sorted(given))}")


def _parts(deployment: Json, parameters: Mapping[str, mpq]) -> Iterator[Check]:
    """Whether the values into which a total is said to be split sum to it."""
    text = str(_field(deployment, _DETAILS))
    for name, total in parameters.items():
        values = [value for found, value in _stated(text) if found == name]
        parts = values[1:] if values[:1] == [total] else values
        if name == "delta" or len(parts) < 2 or len(values) != _mentions(text, name):
            continue
        said = f"{' + '.join(_decimal(part) for part in parts)} = {_decimal(sum(parts, mpq(0)))}"
        if sum(parts, mpq(0)) == total:
            yield Check(_DETAILS, "consistent", f"the parts of {name} sum to it: {said}")
        elif _SPLIT.search(text):
            yield Check(_DETAILS, "inconsistent", f"the parts of {name} = {_decimal(total)} do not sum to it: {said}")


def _stated(text: str) -> list[tuple[str, mpq]]:
    """The parameters stated in free text, in order, as ``ρ = 4.96`` or ``δ = 10^{-10}``, in LaTeX too."""
    found = []
    for match in _STATED.finditer(text):
        name = match["name"] or _SIGNS[match["sign"]]
        power = match["power"]
        with suppress(InputError):
            found.append((name, parse_number(f"1e-{power}" if power else match["decimal"], _DETAILS)))
    return found


def _mentions(text: str, name: str) -> int:
    """How often a value of a parameter is stated, read or not."""
    return sum((match["name"] or _SIGNS[match["sign"]]) == name for match in _MENTIONED.finditer(text))


def _decimal(value: mpq) -> str:
    """A decimal as people write it; a fraction that has none stays one."""
    for digits in range(31):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            text = str(abs(scaled.numerator)).rjust(digits + 1, "0")
            whole, rest = (text[:-digits], text[-digits:]) if digits else (text, "")
            return f"{'-' if value < 0 else ''}{whole}{'.' if rest else ''}{rest}"
    return to_text(value)


def _conversions(deployment: Json, parameters: Mapping[str, mpq]) -> Iterator[Check]:
    """Every (epsilon, delta) that is stated beside a rho: in the parameters, and one after the other in the text."""
    triples: list[tuple[str, Sequence[mpq]]] = []
    if {"rho", "epsilon", "delta"} <= set(parameters):
        triples.append((_PARAMETERS, [parameters[name] for name in ("rho", "epsilon", "delta")]))
    stated = _stated(str(_field(deployment, _DETAILS)))
    runs = list(zip(stated, stated[1:], stated[2:], strict=False))
    told = [run for run in runs if [name for name, _ in run] == ["rho", "epsilon", "delta"]]
    triples += [(_DETAILS, [value for _, value in run]) for run in told]
    for where, (rho, epsilon, delta) in triples:
        yield _conversion(where, rho, epsilon, delta)


def _conversion(where: str, rho: mpq, epsilon: mpq, delta: mpq) -> Check:
    said = f"rho = {_decimal(rho)}, epsilon = {_decimal(epsilon)}, delta = {to_text(delta)}"
    if _upper(rho, epsilon) <= delta:
        return Check(where, "consistent", f"{said}: every such zCDP mechanism is so")
    if _lower(rho, epsilon) > delta:
        told = "does not follow from rho alone: the Gaussian mechanism with this rho has a larger delta"
    else:
        told = "neither follows by the known bounds nor is it refuted by the Gaussian mechanism"
    return Check(where, "undecided", f"{said}: {told}")


def _upper(rho: mpq, epsilon: mpq) -> mpq:
    """An upper bound on delta of every rho-zCDP mechanism: the best of the known ones at a few orders."""
    level = Level.of_exponent(epsilon)
    bounds = [delta_of_rho(rho, level).value]
    if rho and epsilon > rho:
        best = (epsilon + rho) / (2 * rho)
        # Near the best order of the simpler bound; every order above 1 gives a bound.
        orders = [1 + (best - 1) * mpq(k, 16) for k in range(8, 8 + _ORDERS)]
        bounds += [delta_of_rho_at_order(rho, level, order).value for order in orders]
    return min(bound.hi if isinstance(bound, Enclosure) else exact(bound, "delta") for bound in bounds)


def _lower(rho: mpq, epsilon: mpq) -> mpq:
    """A lower bound on the largest delta: that of the Gaussian mechanism with mu <= √(2 rho), which is rho-zCDP."""
    root = square_root(2 * rho)
    mu = root.lo if isinstance(root, Enclosure) else root
    found = delta_mu(mu, Level.of_exponent(epsilon))
    return found.lo if isinstance(found, Enclosure) else found
