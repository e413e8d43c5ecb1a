"""Figures 1 and 2 with proved bounds in place of plotted floats: profiles beside delta_mu, and the transforms.

Every y is an enclosure of 12 digits; the data files list both ends. The right-hand side of figure 2 is missing from the
text at hand: the measurement algorithm stands in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from gmpy2 import mpq

from oracle.enclosures import Enclosure
from oracle.errors import UndecidedError
from oracle.exact import Extended, Infinity
from oracle.gaussian_dp.crossings import crossings
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.measurement import measure
from oracle.gaussian_dp.profile import delta_mu
from oracle.gaussian_dp.profiles import Profile, Refined
from oracle.gaussian_dp.transform import transform
from oracle.laws.figures import Figure, Panel, Role, Series
from oracle.laws.liu2022._transform import required_mu
from oracle.laws.liu2022._values import ZERO
from oracle.levels import Level

__all__ = ["FIGURES", "grid", "measured_steps"]

_NAMES: Final = {"laplace": "Laplace noise, θ = 2", "sgd": "SGD", "icea": "ICEA"}
_END: Final = mpq(3)
_CELLS: Final = 15
"""Of the measurement algorithm drawn, up to ε = 3."""
_Value = Extended | Enclosure


def grid(*pieces: tuple[int, mpq, mpq]) -> list[mpq]:
    """Points that cut intervals [low, high] into a number of parts."""
    found = {low + (high - low) * k / steps for steps, low, high in pieces for k in range(steps + 1)}
    return sorted(found)


def _series(label: str, values: Iterable[tuple[mpq, _Value]], role: Role = "true") -> Series:
    """A line or points of enclosures.

    Raises:
        UndecidedError: for an infinite value.
    """
    points, upper = [], []
    for x, value in values:
        if isinstance(value, Infinity):
            raise UndecidedError(f"a finite value at {x}", 0)
        low, high = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)
        points.append((x, low))
        upper.append(high)
    return Series(label, tuple(points), role, tuple(upper))


def _curve(label: str, value: Callable[[Level], _Value], places: list[mpq]) -> Series:
    return _series(label, ((x, value(Level.of_exponent(x))) for x in places))


def _naive(name: str) -> Profile:
    profile = EXAMPLES[name]
    return profile.naive if isinstance(profile, Refined) else profile


def _refinement() -> Panel:
    """The three profiles, and those of the two formulas as they stand.

    Colour and marker go by the place in the list: the three come first, in the order of every other panel.
    """
    places = grid((48, ZERO, _END))
    formulas = ("sgd", "icea")
    lines = [_curve(_NAMES["laplace"], EXAMPLES["laplace"].delta, places)]
    lines += [_curve(f"{_NAMES[name]}, refined", EXAMPLES[name].delta, places) for name in formulas]
    lines += [_curve(f"{_NAMES[name]}, naive", _naive(name).delta, places) for name in formulas]
    return Panel("profiles, naive and refined", "ε", "δ", tuple(lines), x_range=(ZERO, _END))


def _meeting_points() -> Series:
    """Where a drawn profile and delta_1 or delta_2 cross, at the lower end of the enclosure of that place."""
    found = [
        (place.lo, delta_mu(mpq(mu), Level.of_exponent(place.lo)))
        for name, mu in (("laplace", 1), ("sgd", 1), ("icea", 2))
        for place in crossings(EXAMPLES[name], mpq(mu)).places
    ]
    return _series("crossings, ε to 12 digits", sorted(found, key=lambda point: point[0]), "point")


def _against_gdp() -> Panel:
    places = grid((64, ZERO, mpq(4)))
    lines = [_curve(label, EXAMPLES[name].delta, places) for name, label in _NAMES.items()]
    lines += [_curve(f"δ_μ, μ = {mu}", _of_mu(mpq(mu)), places) for mu in (1, 2, 4)]
    return Panel("profiles beside those of μ-GDP", "ε", "δ", (*lines, _meeting_points()), x_range=(ZERO, mpq(4)))


def _of_mu(mu: mpq) -> Callable[[Level], _Value]:
    return lambda level: delta_mu(mu, level)


def _of(profile: Profile) -> Callable[[Level], _Value]:
    return lambda level: transform(profile, level)


def _transforms() -> Panel:
    places = grid((24, ZERO, _END), (34, _END, mpq(20)))
    steep = sorted({*places, mpq("1.9"), mpq("1.95"), mpq("1.98"), mpq("1.99"), mpq("1.999")})
    lines = [
        _curve(label, _of(EXAMPLES[name]), steep if name == "laplace" else places) for name, label in _NAMES.items()
    ]
    return Panel("GDP transforms", "ε", "G(ε)", tuple(lines), x_range=(ZERO, mpq(20)), y_range=(ZERO, mpq(5)))


def measured_steps(profile: Profile) -> tuple[list[tuple[mpq, Enclosure]], list[tuple[mpq, Enclosure]]]:
    """For each cell of the grid its middle with mu_GDP(start, delta(end)), and with mu_GDP(end, delta(start))."""
    cells = list(pairwise(grid((_CELLS, ZERO, _END))))
    deltas = {x: profile.delta(Level.of_exponent(x), 20) for x in {x for cell in cells for x in cell}}
    low = [((a + b) / 2, _short(required_mu(a, deltas[b]))) for a, b in cells]
    high = [((a + b) / 2, _short(required_mu(b, deltas[a]))) for a, b in cells]
    return low, high


def _short(value: Enclosure) -> Enclosure:
    """Both ends rounded outwards to 14 decimals."""
    unit = mpq(1, 10**14)
    return Enclosure(value.lo // unit * unit, -(-value.hi // unit) * unit)


def _measurement() -> Panel:
    """From top to bottom, so that SGD is the second line here too and looks as in the other panels."""
    profile = EXAMPLES["sgd"]
    low, high = measured_steps(profile)
    found = measure(profile, _END / _CELLS, _END)
    lines = (
        _series("on each cell: μ_GDP(end, δ(start))", high),
        _curve("G of SGD", _of(profile), grid((30, ZERO, _END))),
        _series("on each cell: μ_GDP(start, δ(end))", low),
        _series("μ+, their maximum", [(ZERO, found.upper), (_END, found.upper)]),
        _series("μ-, their maximum", [(ZERO, found.lower), (_END, found.lower)]),
    )
    return Panel("measuring SGD in steps of 1/5", "ε", "μ", lines, x_range=(ZERO, _END), y_range=(ZERO, mpq(2)))


def _figure_1() -> Figure:
    return Figure(
        "fig-1",
        "Privacy profiles of the three examples",
        "Left, the profiles as the noise formulas give them start at 1; refined they start at 0.6466 for SGD and "
        "0.7454 for ICEA and join them at ε* = 1.1878 and 1.1566. Right, beside the curves of μ = 1, "
        "2, 4: Laplace noise starts above μ = 1 and is below it from ε = 1.9531 on; SGD the same from 1.9244 on; ICEA "
        "stays above μ = 1 and meets μ = 2 at 1.0931 and 3.0523.",
        ("refined", "Fig1 shape", "Laplace b", "SGD Fig1", "ICEA Fig1"),
        (_refinement(), _against_gdp()),
        "The printed text has ICEA intersect all three curves; it does not meet that of μ = 1, and that of μ = 4 at "
        "ε = 14.28 only, beyond what is drawn. Whether SGD crosses μ = 1, 2 and 4 is said to be hard to tell: it "
        "crosses the first once and the others never. Laplace noise is drawn with b = Δ/2; the printed b = 2/Δ "
        "depends on the unit.",
    )


def _figure_2() -> Figure:
    return Figure(
        "fig-2",
        "GDP transforms of the three examples",
        "Left, all three start at finite values, 1.8009, 1.8563 and 2.2785. That of Laplace noise falls to 0 at ε = 2 "
        "and stays there, that of SGD falls towards 0.707, that of ICEA dips to about 1.836 and then grows without "
        "bound. Right, the transform of SGD lies between the two numbers of each cell; their maxima are 1.7104 and "
        "1.9866, around the tight μ = 1.8563.",
        ("GDPT, Thm4.1", "measure", "Laplace", "SGD Fig2", "ICEA", "Fig2 eps->0"),
        (_transforms(), _measurement()),
        "The transforms are those of the refined profiles; as the formulas stand, those of SGD and ICEA are infinite "
        "at 0. The transform of SGD undershoots its limit √(1/2) from about ε = 15 on, by less than 0.0025. The "
        "right-hand side is our own.",
    )


FIGURES: Final[tuple[Figure, ...]] = (_figure_1(), _figure_2())
"""Figures 1 and 2."""
