"""Channels and levels that many topics ask about, and the flags that follow from a question."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from oracle.conformance.cases import Source, is_dyadic
from oracle.conformance.vector_sources.drafts import channel
from oracle.conformance.vector_sources.expressions import Undefined, infinite, is_finite, law_pair, level_of, parts_of

__all__ = [
    "BALLE_WANG",
    "CHANNELS",
    "DONG",
    "DRAWN",
    "LEVELS",
    "SIDES",
    "balle",
    "drawn",
    "fernandes",
    "flags_of",
    "node",
]

F = Fraction

DONG: Final = Source("dong2022", "trade-off functions, f-DP and mu-GDP", "https://doi.org/10.1111/rssb.12454")
BALLE_WANG: Final = Source("balle2018analytic", "theorem 8", "https://arxiv.org/abs/1805.06530")
KAIROUZ: Final = Source("kairouz2015", "theorem 3.3", "https://arxiv.org/abs/1311.0776")
MIRONOV: Final = Source("mironov2017", "Rényi divergence and Rényi DP", "https://arxiv.org/abs/1702.07476")
WARNER: Final = Source("warner1965", "the randomized response design", "https://doi.org/10.1080/01621459.1965.10480775")
DWORK: Final = Source("dwork2006", "the definition of differential privacy", "https://doi.org/10.1007/11681878_14")
CANONNE: Final = Source("canonne2020", "the discrete Gaussian", "https://arxiv.org/abs/2004.00010")
GHOSH: Final = Source("ghosh2009", "the geometric mechanism and its truncation", "https://arxiv.org/abs/0811.2841")


def fernandes(locator: str) -> Source:
    """A place in Fernandes, McIver and Sadeghi (2025), on channels and trade-off functions."""
    return Source("fernandes2025", locator, "https://arxiv.org/abs/2512.21358")


def balle(locator: str) -> Source:
    """A place in Balle, Barthe and Gaboardi (2018), on privacy profiles and subsampling."""
    return Source("balle2018", locator, "https://arxiv.org/abs/1807.01647")


def _random_rows(seed: int, columns: int, whole: int) -> dict[str, Any]:
    """Two rows of multiples of 1/whole, by a linear congruential generator: the same on every machine."""
    state = seed
    rows = []
    for _ in range(2):
        weights = []
        for _ in range(columns):
            state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            weights.append((state >> 33) % 97)
        total = sum(weights) or 1
        masses = [weight * whole // total for weight in weights]
        masses[-1] += whole - sum(masses)
        rows.append([F(mass, whole) for mass in masses])
    return channel(*rows)


def drawn(seed: int, columns: int, whole: int = 360) -> dict[str, Any]:
    """A pseudo-random two-row channel."""
    return _random_rows(seed, columns, whole)


_TINY: Final = F(1, 10**12)
_HAIR: Final = F(1, 1 << 50)

CHANNELS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "rr-3of4": ("randomized response, truth 3/4", channel([F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)])),
    "rr-9of10": ("randomized response, truth 9/10", channel([F(9, 10), F(1, 10)], [F(1, 10), F(9, 10)])),
    "rr-near-half": (
        "randomized response, truth 1/2 + 2^-50",
        channel([F(1, 2) + _HAIR, F(1, 2) - _HAIR], [F(1, 2) - _HAIR, F(1, 2) + _HAIR]),
    ),
    "lopsided": ("a pair that is not symmetric", channel([F(9, 10), F(1, 10)], [F(1, 2), F(1, 2)])),
    "lopsided-mild": ("a pair that is not symmetric", channel([F(9, 10), F(1, 10)], [F(4, 5), F(1, 5)])),
    "approximate-rr": (
        "the canonical pair of (log 3, 1/10)",
        channel([F(1, 10), F(27, 40), F(9, 40), 0], [0, F(9, 40), F(27, 40), F(1, 10)]),
    ),
    "disjoint": ("disjoint supports", channel([1, 0], [0, 1])),
    "disjoint-wide": ("disjoint supports, four outcomes", channel([F(1, 2), F(1, 2), 0, 0], [0, 0, F(1, 4), F(3, 4)])),
    "identical": ("P = Q", channel([F(1, 2), F(1, 4), F(1, 4)], [F(1, 2), F(1, 4), F(1, 4)])),
    "single": ("one outcome", channel([1], [1])),
    "zero-column": (
        "an outcome of probability 0 under both laws",
        channel([F(1, 4), 0, F(3, 4)], [F(5, 8), 0, F(3, 8)]),
    ),
    "infinite-forward": (
        "P has mass 1/8 where Q has none",
        channel([F(1, 8), F(3, 8), F(1, 2)], [0, F(1, 2), F(1, 2)]),
    ),
    "infinite-backward": (
        "Q has mass 1/8 where P has none",
        channel([0, F(1, 2), F(1, 2)], [F(1, 8), F(3, 8), F(1, 2)]),
    ),
    "point-mass": ("P is a point mass", channel([1, 0], [F(7, 8), F(1, 8)])),
    "split-ties": (
        "equal likelihood ratios in four columns",
        channel([F(1, 4), F(1, 8), F(1, 8), F(1, 2)], [F(1, 2), F(1, 4), F(1, 8), F(1, 8)]),
    ),
    "tiny-mass": ("mass 1e-12 at infinite loss", channel([1 - _TINY, _TINY], [1, 0])),
    "tiny-mass-dyadic": ("mass 2^-50 at infinite loss", channel([1 - _HAIR, _HAIR], [1, 0])),
    "tiny-ratio": (
        "likelihood ratio 10^12",
        channel([F(1, 2), F(1, 2) - _TINY, _TINY], [F(1, 2) * _TINY, F(1, 2), F(1, 2) - F(1, 2) * _TINY]),
    ),
    "three-levels": (
        "three likelihood ratios",
        channel([F(1, 2), F(3, 10), F(1, 5)], [F(1, 5), F(3, 10), F(1, 2)]),
    ),
    "sevenths": ("probabilities in sevenths", channel([F(4, 7), F(2, 7), F(1, 7)], [F(1, 7), F(3, 7), F(3, 7)])),
    "sixteenths": (
        "probabilities in sixteenths",
        channel([F(9, 16), F(4, 16), F(2, 16), F(1, 16)], [F(1, 16), F(3, 16), F(5, 16), F(7, 16)]),
    ),
}
"""Name to description and document."""

DRAWN: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    f"drawn-{n}": (f"a pseudo-random pair of {columns} outcomes", drawn(1000 + n, columns, whole))
    for n, (columns, whole) in enumerate(
        [(3, 360), (4, 256), (5, 1000), (6, 512), (7, 720), (8, 64), (4, 99), (5, 1024), (9, 5040), (6, 77)], 1
    )
}

LEVELS: Final[Mapping[str, dict[str, str]]] = {
    "e0": {"exp_epsilon": "0"},
    "e1of2": {"exp_epsilon": "1/2"},
    "e1": {"exp_epsilon": "1"},
    "e6of5": {"exp_epsilon": "6/5"},
    "e2": {"exp_epsilon": "2"},
    "e3": {"exp_epsilon": "3"},
    "e9": {"exp_epsilon": "9"},
    "einf": {"exp_epsilon": "inf"},
    "eps-1of2": {"epsilon": "1/2"},
    "eps-1": {"epsilon": "1"},
    "eps-log2": {"epsilon": "log(2)"},
    "eps-double-log2": {"epsilon": "0x1.62e42fefa39efp-1"},
    "eps-m1of2": {"epsilon": "-1/2"},
    "eps-700": {"epsilon": "700"},
    "eps-1000": {"epsilon": "1000"},
    "eps-m700": {"epsilon": "-700"},
}

SIDES: Final = {"fwd": "forward", "bwd": "backward", "max": "both"}


def node(mechanism: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
    """An expression."""
    return {"mechanism": mechanism, **fields}


def _far(args: Mapping[str, Any]) -> tuple[str, ...]:
    value = args.get("epsilon")
    if not isinstance(value, str) or value.startswith(("log", "inf")):
        return ()
    exponent = F(float.fromhex(value)) if "0x" in value else F(value)
    return ("LargeEpsilon",) if abs(exponent) >= 500 else ("NegativeEpsilon",) if exponent < 0 else ()


def flags_of(args: Mapping[str, Any], *more: str) -> tuple[str, ...]:
    """The flags that follow from the arguments of a question about one channel, and some more; sorted."""
    flags = {*more, *_far(args)}
    if is_dyadic(args):
        flags.add("Dyadic")
    subject = args.get("channel")
    try:
        if isinstance(subject, Mapping) and subject.get("mechanism") in ("compose", "repeat"):
            flags |= _composed_flags(subject)
        elif isinstance(subject, Mapping) and is_finite(subject):
            p, q = law_pair(subject)
            flags |= _table_flags(p, q) | _ties(args, p, q)
    except Undefined:
        pass
    return tuple(sorted(flags))


def _composed_flags(subject: Mapping[str, Any]) -> set[str]:
    """What holds of a composition where it holds of one part; for perfect privacy of every part."""
    parts = [(is_finite(part), part) for part, _ in parts_of(subject)]
    found = [_table_flags(*law_pair(part)) for finite, part in parts if finite]
    every = set.intersection(*found) if found and len(found) == len(parts) else set()
    some = set.union(*found) if found else set()
    return (some - {"PerfectPrivacy", "Degenerate"}) | (every & {"PerfectPrivacy", "Degenerate"})


def _table_flags(p: list[Any], q: list[Any]) -> set[str]:
    flags = set()
    if any(not a or not b for a, b in zip(p, q, strict=True)):
        flags.add("ZeroProbability")
    if any(bool(a) != bool(b) for a, b in zip(p, q, strict=True)):
        flags.add("InfiniteLoss")
    if all(not a or not b for a, b in zip(p, q, strict=True)):
        flags.add("DisjointSupport")
    if p == q:
        flags.add("PerfectPrivacy")
    if sum(1 for a, b in zip(p, q, strict=True) if a or b) == 1:
        flags.add("Degenerate")
    if all(isinstance(mass, F) for mass in p + q) and _profile(p, q) != _profile(q, p):
        flags.add("Asymmetric")
    return flags


def _profile(p: list[Any], q: list[Any]) -> list[tuple[Any, Any]]:
    merged: dict[Any, tuple[Any, Any]] = {}
    for a, b in zip(p, q, strict=True):
        if a or b:
            old = merged.get(a / (a + b), (0, 0))
            merged[a / (a + b)] = old[0] + a, old[1] + b
    return sorted(merged.values(), key=lambda column: column[0] / (column[0] + column[1]))


def _ties(args: Mapping[str, Any], p: list[Any], q: list[Any]) -> set[str]:
    if "exp_epsilon" not in args and "epsilon" not in args:
        return set()
    level = level_of(args)
    if level == infinite or not isinstance(level, F) or level <= 0:
        return set()
    pairs = [pair for pair in zip(p, q, strict=True) if all(pair) and pair[0] != pair[1]]
    return {"TieAtThreshold"} if any(a == level * b or b == level * a for a, b in pairs) else set()
