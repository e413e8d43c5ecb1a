"""Questions about interactive mechanisms: the worst adversary, what simulates them, and several at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from oracle.conformance.cases import Source
from oracle.conformance.vector_sources.catalogue import flags_of
from oracle.conformance.vector_sources.drafts import Question, Topic, slug, text

__all__ = ["topics"]

F = Fraction
Tree = dict[str, Any]

VADHAN: Final = Source("vadhan2023", "theorems 1.4 and 1.5", "https://arxiv.org/abs/2207.08335")


def _answer(p: Fraction | int, q: Fraction | int, yes: object = None, no: object = None) -> Tree:
    """An answer 1 of probability p under the first input and q under the second, otherwise 0, and what follows."""
    branches: dict[str, Any] = {}
    for label, a, b, then in (("1", F(p), F(q), yes), ("0", 1 - F(p), 1 - F(q), no)):
        branches[label] = {"p": text(a), "q": text(b)} | ({} if then is None else {"then": then})
    return {"answer": branches}


def _choice(**options: object) -> Tree:
    return {"query": options}


_RESPONSE: Final = _answer(F(3, 4), F(1, 4))
_LOPSIDED: Final = _answer(F(9, 10), F(1, 2))
_MIRRORED: Final = _answer(F(1, 2), F(9, 10))
_PLAIN: Final = _answer(1, 0)

TREES: Final[Mapping[str, tuple[str, Tree]]] = {
    "response": ("one randomized response", {"interactive": _choice(ask=_RESPONSE)}),
    "choice": ("randomized response or a lopsided answer", {"interactive": _choice(a=_RESPONSE, b=_LOPSIDED)}),
    "mirrored": ("a lopsided answer in either direction", {"interactive": _choice(a=_LOPSIDED, b=_MIRRORED)}),
    "adaptive": (
        "randomized response, and only after a 1 another question out of two",
        {"interactive": _choice(ask=_answer(F(3, 5), F(2, 5), _choice(a=_LOPSIDED, b=_MIRRORED)))},
    ),
    "twice": (
        "two randomized responses, one after the other",
        {
            "interactive": _choice(ask=_answer(F(3, 4), F(1, 4), {"ref": "again"}, {"ref": "again"})),
            "nodes": {"again": _choice(ask=_RESPONSE)},
        },
    ),
    "reveals": (
        "a response, and after a 1 the input itself may be asked for",
        {"interactive": _choice(ask=_answer(F(1, 8), F(1, 16), _choice(plain=_PLAIN, noisy=_RESPONSE)))},
    ),
    "interleaving": (
        "a mechanism of which two copies reveal more when interleaved",
        {"interactive": _choice(ask=_answer(F(3, 4), F(1, 2), _choice(A=_answer(1, F(1, 2)), B=_answer(F(1, 2), 1))))},
    ),
    "not-attained": (
        "a mechanism of which two copies do not attain the bound by their simulations",
        {"interactive": _choice(A=_answer(0, F(1, 3)), B=_answer(F(1, 4), F(3, 4)))},
    ),
    "renyi-choice": (
        "a choice that no channel simulates without loss in the moment of order 2",
        {"interactive": _choice(A=_answer(F(1, 2), F(1, 4)), B=_answer(0, F(1, 4)))},
    ),
    "nothing": ("a mechanism that says nothing", {"interactive": None}),
}
"""Name to description and document."""

_TOGETHER: Final = (
    ("response", "choice"),
    ("choice", "choice"),
    ("mirrored", "adaptive"),
    ("interleaving", "interleaving"),
    ("not-attained", "not-attained"),
    ("reveals", "response"),
    ("renyi-choice", "mirrored"),
    ("response", "response", "mirrored"),
)


def _asked(name: str, summary: str, args: dict[str, Any], *more: str) -> Question:
    return Question(name, summary, args, flags_of(args, "Interactive", *more), doubles=False)


def _curves() -> Iterator[Question]:
    for name, (words, tree) in TREES.items():
        for side in ("forward", "backward"):
            args = {"interactive": tree, "direction": side}
            summary = f"{words}: all corners against the worst adversary, {side}"
            yield _asked(f"interactive/{name}/corners-{side}", summary, args)
        for alpha in ("0", "1/16", "1/3"):
            args = {"interactive": tree, "alpha": alpha}
            summary = f"{words}: the least type II error of the worst adversary at alpha = {alpha}"
            yield _asked(f"interactive/{name}/a{slug(alpha)}", summary, args)


def _simulations() -> Iterator[Question]:
    for name, (words, tree) in TREES.items():
        summary = f"{words}: the channel that simulates every adversary's view and is no better"
        yield _asked(f"simulate/{name}", summary, {"interactive": tree})


def _concurrent() -> Iterator[Question]:
    for names in _TOGETHER:
        trees = [TREES[name][1] for name in names]
        for key, level in (
            ("e1", {"exp_epsilon": "1"}),
            ("e2", {"exp_epsilon": "2"}),
            ("e3", {"exp_epsilon": "3"}),
            ("eps-1of2", {"epsilon": "1/2"}),
        ):
            args = {"interactives": trees, **level}
            ((form, value),) = level.items()
            words = f"{' and '.join(names)} at once, interleaved: delta at {form} = {value}"
            yield _asked(f"concurrent/{'-'.join(names)}/{key}", words, args, "Interleaved")
        for side in ("forward", "backward"):
            args = {"interactives": trees, "exp_epsilon": "inf", "direction": side}
            words = f"{' and '.join(names)} at once, interleaved: the mass at infinite loss, {side}"
            yield _asked(f"concurrent/{'-'.join(names)}/einf-{side}", words, args, "Interleaved")


def topics() -> list[Topic]:
    """The topics of this module."""
    sources = (VADHAN,)
    return [
        Topic(
            "interactive/tradeoff.json",
            "interactive_tradeoff",
            "The trade-off function against the worst adversary of an interactive mechanism.",
            sources,
            list(_curves()),
        ),
        Topic(
            "interactive/simulate.json",
            "simulate",
            "The channel from one sample of which every adversary's view can be imitated.",
            sources,
            list(_simulations()),
        ),
        Topic(
            "interactive/concurrent.json",
            "concurrent",
            "delta of several interactive mechanisms at once, every interleaving allowed.",
            sources,
            list(_concurrent()),
        ),
    ]
