"""Questions about tables of probabilities: hockey sticks, profiles, least epsilons, curves, Rényi and mu."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from oracle.conformance.vector_sources.catalogue import (
    CHANNELS,
    DONG,
    DRAWN,
    DWORK,
    LEVELS,
    MIRONOV,
    SIDES,
    fernandes,
    flags_of,
)
from oracle.conformance.vector_sources.drafts import Question, Topic, slug

__all__ = ["topics"]

F = Fraction

_ALL: Final = {**CHANNELS, **DRAWN}

_INCIDENTS: Final = {"identical": ("IncidentZeroLoss",)}

_WORDS: Final = {"forward": "P against Q", "backward": "Q against P", "both": "the larger of both directions"}


def _level_words(level: Mapping[str, str]) -> str:
    (name, value), *_ = level.items()
    return f"e^eps = {value}" if name == "exp_epsilon" else f"eps = {value}"


def _sticks() -> Iterator[Question]:
    for name, (words, document) in CHANNELS.items():
        for key in ("e0", "e1of2", "e1", "e2", "e3", "e9", "einf"):
            for side in ("fwd", "bwd"):
                args = {"channel": document, **LEVELS[key], "direction": SIDES[side]}
                summary = f"{words}; {_level_words(LEVELS[key])}, {_WORDS[SIDES[side]]}"
                yield Question(f"hockey-stick/{name}/{key}-{side}", summary, args, flags_of(args))


def _drawn_sticks() -> Iterator[Question]:
    for name, (words, document) in DRAWN.items():
        for key in ("e6of5", "e2", "eps-1of2"):
            for side in ("fwd", "bwd"):
                args = {"channel": document, **LEVELS[key], "direction": SIDES[side]}
                summary = f"{words}; {_level_words(LEVELS[key])}, {_WORDS[SIDES[side]]}"
                yield Question(f"hockey-stick/{name}/{key}-{side}", summary, args, flags_of(args))


def _deltas() -> Iterator[Question]:
    for name, (words, document) in CHANNELS.items():
        for key in ("eps-1of2", "eps-1", "eps-double-log2", "eps-log2", "eps-m1of2", "eps-700", "eps-1000"):
            args = {"channel": document, **LEVELS[key]}
            flags = flags_of(args, *_INCIDENTS.get(name, ()))
            flags = flags_of(args, "TwoSided", *_INCIDENTS.get(name, ())) if "Asymmetric" in flags else flags
            certified = key == "eps-log2"
            summary = f"{words}; {_level_words(LEVELS[key])}, both directions"
            yield Question(f"profile/{name}/{key}", summary, args, flags, certified=certified)
    for name, (words, document) in DRAWN.items():
        for key in ("e6of5", "e2", "eps-1"):
            args = {"channel": document, **LEVELS[key]}
            summary = f"{words}; {_level_words(LEVELS[key])}, both directions"
            yield Question(f"profile/{name}/{key}", summary, args, flags_of(args, "TwoSided"), certified=key == "e2")


def _variation() -> Iterator[Question]:
    for name, (words, document) in _ALL.items():
        args = {"channel": document, "epsilon": "0"}
        yield Question(f"total-variation/{name}", f"{words}; eps = 0: the total variation", args, flags_of(args))


def _epsilons() -> Iterator[Question]:
    for name, (words, document) in CHANNELS.items():
        for value in ("0", "1/1024", "1/8", "1/4", "7/8"):
            args = {"channel": document, "delta": value}
            summary = f"{words}; the least eps for delta = {value}"
            yield Question(f"epsilon/{name}/d{slug(value)}", summary, args, flags_of(args))
    for name, (words, document) in DRAWN.items():
        for side in ("fwd", "bwd"):
            args = {"channel": document, "delta": "1/50", "direction": SIDES[side]}
            summary = f"{words}; the least eps for delta = 1/50, {_WORDS[SIDES[side]]}"
            yield Question(f"epsilon/{name}/d1of50-{side}", summary, args, flags_of(args))


def _curves() -> Iterator[Question]:
    for name, (words, document) in _ALL.items():
        for side in ("fwd", "bwd"):
            args = {"channel": document, "direction": SIDES[side]}
            summary = f"{words}; all corners of T{'(P, Q)' if side == 'fwd' else '(Q, P)'}"
            certified = side == "fwd" and name in CHANNELS
            yield Question(f"tradeoff/{name}/corners-{side}", summary, args, flags_of(args), certified=certified)


def _betas() -> Iterator[Question]:
    for name, (words, document) in CHANNELS.items():
        for value in ("0", "1/64", "1/4", "3/4", "1"):
            args = {"channel": document, "alpha": value}
            summary = f"{words}; T(P, Q) at alpha = {value}"
            yield Question(f"tradeoff/{name}/a{slug(value)}", summary, args, flags_of(args))
    for name, (words, document) in DRAWN.items():
        for side in ("fwd", "bwd"):
            args = {"channel": document, "alpha": "1/10", "direction": SIDES[side]}
            yield Question(
                f"tradeoff/{name}/a1of10-{side}",
                f"{words}; T{'(P, Q)' if side == 'fwd' else '(Q, P)'} at alpha = 1/10",
                args,
                flags_of(args),
            )


def _divergences() -> Iterator[Question]:
    for name, (words, document) in CHANNELS.items():
        for order in ("1/2", "1", "2", "5", "64", "inf"):
            args = {"channel": document, "order": order}
            summary = f"{words}; Rényi order {order}, P against Q"
            yield Question(f"renyi/{name}/o{slug(order)}", summary, args, flags_of(args))
    for name, (words, document) in DRAWN.items():
        for order in ("3/2", "4", "32"):
            args = {"channel": document, "order": order, "direction": "backward"}
            summary = f"{words}; Rényi order {order}, Q against P"
            yield Question(f"renyi/{name}/o{slug(order)}-bwd", summary, args, flags_of(args))


def _mus() -> Iterator[Question]:
    for name, (words, document) in _ALL.items():
        args = {"channel": document}
        yield Question(f"mu/{name}", f"{words}; the least mu for which it is mu-GDP", args, flags_of(args))


def topics() -> list[Topic]:
    """The topics of this module."""
    return [
        Topic(
            "hockey-stick/tables.json",
            "hockey_stick",
            "The sum of max(0, p - a q) over the outcomes of small tables, a = e^eps, in one direction.",
            (fernandes("section 3.1"), DWORK),
            list(_sticks()),
        ),
        Topic(
            "hockey-stick/drawn.json",
            "hockey_stick",
            "The same for pseudo-random tables.",
            (fernandes("section 3.1"),),
            list(_drawn_sticks()),
        ),
        Topic(
            "profile/tables.json",
            "delta",
            "The least delta for an epsilon that is a real number, both directions.",
            (DWORK,),
            list(_deltas()),
        ),
        Topic(
            "profile/total_variation.json",
            "delta",
            "delta at epsilon 0, which is the total variation distance.",
            (DWORK,),
            list(_variation()),
        ),
        Topic("epsilon/tables.json", "epsilon", "The least epsilon for a delta.", (DWORK,), list(_epsilons())),
        Topic(
            "tradeoff/corners.json",
            "tradeoff",
            "All corners of the trade-off function of small tables.",
            (DONG, fernandes("section 2.2")),
            list(_curves()),
        ),
        Topic(
            "tradeoff/values.json", "tradeoff", "The least type II error at a type I error.", (DONG,), list(_betas())
        ),
        Topic("renyi/tables.json", "renyi", "Rényi moments and divergences.", (MIRONOV,), list(_divergences())),
        Topic("mu/tables.json", "mu", "The least mu of small tables.", (DONG,), list(_mus())),
    ]
