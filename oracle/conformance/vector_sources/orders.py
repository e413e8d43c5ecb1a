"""Questions about the order of channels and the operators on them: refinement, bounds, choices, processing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from oracle.conformance.cases import Source
from oracle.conformance.vector_sources.catalogue import CHANNELS, DRAWN, drawn, fernandes, flags_of
from oracle.conformance.vector_sources.drafts import Question, Topic, channel, slug

__all__ = ["topics"]

F = Fraction

ORIGINAL: Final = Source("blackwell1951", "comparison of experiments")
LEAKAGE: Final = Source("alvim2020", "g-vulnerability and refinement", "https://doi.org/10.1007/978-3-319-96131-6")

_SOURCES: Final[Mapping[str, tuple[Source, ...]]] = {
    "refines": (ORIGINAL, fernandes("section 2.3 and theorem 3.1"), LEAKAGE),
    "glb": (fernandes("corollary 2"),),
    "lub": (fernandes("section 2.2 and theorem 4.1"),),
    "canonical": (fernandes("section 4"),),
    "channel_of": (fernandes("section 4.1"),),
    "decompose": (fernandes("theorem 6.3"),),
    "parallel": (fernandes("section 5.1"),),
    "visible": (fernandes("section 5.2"),),
    "hidden": (fernandes("section 5.3"),),
    "pre": (fernandes("section 5.4"),),
    "post": (fernandes("section 2.3"),),
    "vulnerability": (fernandes("section 2.3"), LEAKAGE),
}
"""Of each operation."""

_ALL: Final = {**CHANNELS, **DRAWN}

_NAMES: Final = (
    "rr-3of4",
    "rr-9of10",
    "lopsided",
    "lopsided-mild",
    "approximate-rr",
    "disjoint",
    "identical",
    "split-ties",
)
_POSTS: Final = (
    [["1/2", "1/2"], ["1/3", "2/3"]],
    [["1", "0"], ["0", "1"]],
    [["0", "1"], ["1", "0"]],
)


def _answered(name: str, summary: str, args: dict[str, Any], *flags: str, certified: bool = False) -> Question:
    return Question(name, summary, args, flags_of(args, *flags), certified=certified)


def _refinements() -> Iterator[Question]:
    for n, left in enumerate(_NAMES):
        for right in _NAMES[n % 3 :: 2]:
            args = {"left": CHANNELS[left][1], "right": CHANNELS[right][1]}
            words = f"whether {left} is refined by {right}"
            yield _answered(f"refinement/{left}/{right}", words, args, certified=True)
    for name, (words, document) in DRAWN.items():
        rows = [[F(v) for v in row] for row in document["matrix"]]
        coarse = [[row[0] + row[1], *row[2:]] for row in rows]
        args = {"left": document, "right": channel(*coarse)}
        yield _answered(
            f"refinement/{name}/merged", f"{words}, and two of its outcomes told apart no more", args, certified=True
        )
        yield _answered(
            f"refinement/{name}/split",
            f"two outcomes told apart no more, and {words}",
            {"left": channel(*coarse), "right": document},
            "Threshold",
        )
        nudged = [list(row) for row in coarse]
        nudged[0][0], nudged[0][1] = nudged[0][0] + F(1, 10**9), nudged[0][1] - F(1, 10**9)
        if nudged[0][1] >= 0:
            yield _answered(
                f"refinement/{name}/nudged",
                f"{words}, and the same with two outcomes merged and 1e-9 of mass moved",
                {"left": document, "right": channel(*nudged)},
                "Threshold",
            )


def _several_rows() -> Iterator[Question]:
    tables = {
        "three": channel(["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]),
        "krr": channel(["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]),
        "noiseless": channel([1, 0, 0], [0, 1, 0], [0, 0, 1]),
        "partial": channel(["1/2", "1/2", 0], ["1/2", 0, "1/2"], [0, "1/2", "1/2"]),
        "nothing": channel([1], [1], [1]),
    }
    for left, one in tables.items():
        for right, other in tables.items():
            args = {"left": one, "right": other}
            words = f"whether {left} is refined by {right}, three inputs"
            yield _answered(f"refinement/three-rows-{left}/{right}", words, args)


def _bounds(op: str) -> Iterator[Question]:
    names = [*_NAMES, "drawn-1", "drawn-2", "drawn-3"]
    tables = {name: _ALL[name][1] for name in names}
    word = {"glb": "greatest lower", "lub": "least upper"}[op]
    for n, left in enumerate(names):
        for right in names[n + 1 :: 2]:
            args = {"channels": [tables[left], tables[right]]}
            summary = f"the {word} bound of {left} and {right}"
            yield _answered(f"{op}/{left}/{right}", summary, args, certified=n < 3)
    for three in (names[:3], names[2:5], names[8:11], [names[0], names[5], names[9]]):
        args = {"channels": [tables[name] for name in three]}
        yield _answered(f"{op}/three-{three[0]}-{three[1]}", f"the {word} bound of three channels", args)


def _canonical() -> Iterator[Question]:
    for name, (words, document) in _ALL.items():
        yield _answered(f"canonical/{name}", f"the canonical form of {words}", {"channel": document})


def _products() -> Iterator[Question]:
    for left, right in (
        ("rr-3of4", "lopsided"),
        ("zero-column", "rr-3of4"),
        ("disjoint", "sevenths"),
        ("single", "lopsided"),
    ):
        args = {"channels": [CHANNELS[left][1], CHANNELS[right][1]]}
        yield _answered(f"parallel/{left}/{right}", f"{left} and {right} side by side, every column", args)
    for seed in range(6):
        args = {"channels": [drawn(50 + seed, 2, 16), drawn(60 + seed, 3, 27), drawn(70 + seed, 2, 10)]}
        yield _answered(f"parallel/three-{seed}", "three pseudo-random channels side by side", args)


def _visible_choices() -> Iterator[Question]:
    for r in ("0", "1/3", "1/2", "1"):
        for left, right in (("rr-3of4", "disjoint"), ("lopsided", "sevenths"), ("identical", "infinite-forward")):
            args = {"r": r, "left": CHANNELS[left][1], "right": CHANNELS[right][1]}
            yield _answered(
                f"visible/r{slug(r)}/{left}-{right}", f"{left} with probability {r}, else {right}, told", args
            )


def _hidden_choices() -> Iterator[Question]:
    for r in ("0", "1/3", "1/2", "1"):
        for left, right in (("rr-3of4", "disjoint"), ("three-levels", "sevenths"), ("lopsided", "rr-9of10")):
            args = {"r": r, "left": CHANNELS[left][1], "right": CHANNELS[right][1]}
            yield _answered(
                f"hidden/r{slug(r)}/{left}-{right}", f"{left} with probability {r}, else {right}, not told", args
            )


def _posts() -> Iterator[Question]:
    for name in ("rr-3of4", "lopsided", "disjoint", "rr-near-half"):
        for n, post in enumerate(_POSTS):
            args = {"channel": CHANNELS[name][1], "post": post}
            yield _answered(f"post/{name}/w{n}", f"{name} processed by a stochastic matrix", args)


def _pres() -> Iterator[Question]:
    wide = channel(["1/2", "1/2"], ["1/3", "2/3"], [1, 0])
    for n, pre in enumerate(([["1", "0", "0"], ["0", "1/2", "1/2"]], [["1/3", "1/3", "1/3"], ["0", "0", "1"]])):
        yield _answered(f"pre/three-rows/w{n}", "three inputs mixed into two", {"pre": pre, "channel": wide})
    for name in ("lopsided", "infinite-forward", "sevenths"):
        args = {"pre": [["1", "0"], ["4/5", "1/5"]], "channel": CHANNELS[name][1]}
        yield _answered(f"pre/{name}", f"{name} with its second input mixed", args)


def _curves() -> Iterator[Question]:
    curves = {
        "rr": [["0", "1"], ["1/4", "1/4"], ["1", "0"]],
        "straight": [["0", "1"], ["1/4", "3/4"], ["1", "0"]],
        "identity": [["0", "1"], ["1", "0"]],
        "jump": [["0", "9/10"], ["9/40", "9/40"], ["9/10", "0"], ["1", "0"]],
        "zero": [["0", "0"], ["1", "0"]],
        "flat-end": [["0", "1"], ["1/8", "1/16"], ["1/2", "0"], ["1", "0"]],
        "four": [["0", "1"], ["1/8", "1/2"], ["1/4", "1/4"], ["1/2", "1/8"], ["1", "0"]],
    }
    for name, points in curves.items():
        args = {"tradeoff": {"breakpoints": points}}
        yield _answered(f"channel-of/{name}", "the channel of a trade-off function", args)


def _decompositions() -> Iterator[Question]:
    curves = {
        "rr": [["0", "1"], ["1/4", "1/4"], ["1", "0"]],
        "identity": [["0", "1"], ["1", "0"]],
        "zero": [["0", "0"], ["1", "0"]],
        "jump": [["0", "9/10"], ["9/40", "9/40"], ["9/10", "0"], ["1", "0"]],
        "jump-only": [["0", "3/4"], ["3/4", "0"], ["1", "0"]],
        "middle": [["0", "1"], ["1/5", "1/2"], ["1/2", "1/5"], ["1", "0"]],
        "jump-middle": [["0", "7/8"], ["1/8", "1/2"], ["1/2", "1/8"], ["7/8", "0"], ["1", "0"]],
        "two-levels": [["0", "1"], ["1/16", "9/16"], ["1/4", "1/4"], ["9/16", "1/16"], ["1", "0"]],
        "rr-x3": [["0", "1"], ["1/64", "37/64"], ["10/64", "10/64"], ["37/64", "1/64"], ["1", "0"]],
        "near-identity": [["0", "1"], ["499/1000", "500/1000"], ["500/1000", "499/1000"], ["1", "0"]],
        "tiny-jump": [["0", "999999/1000000"], ["1/4", "1/4"], ["999999/1000000", "0"], ["1", "0"]],
    }
    for name, points in curves.items():
        args = {"tradeoff": {"breakpoints": points}}
        yield _answered(f"decompose/{name}", "a symmetric curve as a choice of randomized responses that is told", args)


def _vulnerabilities() -> Iterator[Question]:
    gains = {
        "identity": [["1", "0"], ["0", "1"]],
        "lopsided": [["3/5", "0"], ["0", "1"]],
        "safe": [["1", "0"], ["0", "1"], ["2/3", "2/3"]],
    }
    for name in ("rr-3of4", "lopsided", "disjoint", "identical", "sevenths"):
        for gain, matrix in gains.items():
            args: dict[str, Any] = {"channel": CHANNELS[name][1], "gain": matrix}
            yield _answered(f"vulnerability/{name}/{gain}", f"{name} under a gain function, uniform prior", args)
        skewed = {"channel": CHANNELS[name][1], "gain": gains["identity"], "prior": ["1/5", "4/5"]}
        yield _answered(f"vulnerability/{name}/prior", f"{name} guessed under the prior (1/5, 4/5)", skewed)


def topics() -> list[Topic]:
    """The topics of this module."""
    made: list[tuple[str, str, str, list[Question]]] = [
        (
            "refinement/two_rows.json",
            "refines",
            "Whether one two-row channel is refined by another.",
            list(_refinements()),
        ),
        ("refinement/three_rows.json", "refines", "The same for three inputs.", list(_several_rows())),
        ("lattice/glb.json", "glb", "Greatest lower bounds.", list(_bounds("glb"))),
        ("lattice/lub.json", "lub", "Least upper bounds.", list(_bounds("lub"))),
        ("operators/canonical.json", "canonical", "Canonical forms.", list(_canonical())),
        ("operators/parallel.json", "parallel", "Parallel compositions, every column.", list(_products())),
        ("operators/visible.json", "visible", "Choices that are told.", list(_visible_choices())),
        ("operators/hidden.json", "hidden", "Choices that are not told.", list(_hidden_choices())),
        ("operators/post.json", "post", "Post-processing.", list(_posts())),
        ("operators/pre.json", "pre", "Pre-processing.", list(_pres())),
        ("operators/channel_of.json", "channel_of", "Channels of trade-off functions.", list(_curves())),
        (
            "operators/decompose.json",
            "decompose",
            "Decompositions of symmetric trade-off functions.",
            list(_decompositions()),
        ),
        ("operators/vulnerability.json", "vulnerability", "Expected gains.", list(_vulnerabilities())),
    ]
    return [Topic(path, op, summary, _SOURCES[op], questions) for path, op, summary, questions in made]
