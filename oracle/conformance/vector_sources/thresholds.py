"""Claims exactly at the truth, just below and just above it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from oracle.conformance.vector_sources.catalogue import CHANNELS, DONG, DWORK, MIRONOV, flags_of, node
from oracle.conformance.vector_sources.drafts import Question, Topic

__all__ = ["topics"]

F = Fraction

_HAIR: Final = F(1, 10**15)


def _asked(name: str, words: str, subject: dict[str, Any], claim: dict[str, Any], *flags: str) -> Question:
    args = {"channel": subject, "claim": claim}
    return Question(f"threshold/{name}", words, args, flags_of(args, "Threshold", *flags))


def _around(name: str, subject: dict[str, Any], level: str, delta: Fraction) -> Iterator[Question]:
    """Delta is the truth at that level."""
    for word, value in (("at", delta), ("below", delta - _HAIR), ("above", delta + _HAIR)):
        if 0 <= value <= 1:
            claim = {"exp_epsilon": level, "delta": str(value)}
            words = f"{name}: e^eps = {level} with delta {word} the truth {delta} (by 1e-15 or exactly)"
            yield _asked(f"{name}/e{level.replace('/', 'of')}-delta-{word}", words, subject, claim)


def _approximate() -> Iterator[Question]:
    rr, lopsided, several = (CHANNELS[name][1] for name in ("rr-3of4", "lopsided", "approximate-rr"))
    yield from _around("rr-3of4", rr, "3", F(0))
    yield from _around("rr-3of4", rr, "2", F(1, 4))
    yield from _around("rr-3of4", rr, "1", F(1, 2))
    yield from _around("lopsided", lopsided, "2", F(3, 10))
    yield from _around("lopsided", lopsided, "5", F(0))
    yield from _around("approximate-rr", several, "3", F(1, 10))
    yield from _around("tiny-mass", CHANNELS["tiny-mass"][1], "1", F(1, 10**12))
    yield from _around("disjoint", CHANNELS["disjoint"][1], "1000000", F(1))
    yield from _around("identical", CHANNELS["identical"][1], "1", F(0))
    composed = node("repeat", times=10, of=node("randomized_response", exp_epsilon="3"))
    yield from _around("rr-x10", composed, "81", F(16119, 32768))
    for name, epsilon in (("at", "log(3)"), ("below", "1.0986122886681096"), ("above", "1.0986122886681099")):
        words = f"randomized response with e^eps = 3, pure eps {name} log 3"
        yield _asked(f"rr-e3/pure-{name}", words, node("randomized_response", exp_epsilon="3"), {"epsilon": epsilon})
    for kind, subject in (
        ("laplace", node("laplace", scale="2")),
        ("discrete-laplace", node("discrete_laplace", scale="2")),
        ("rr-eps", node("randomized_response", epsilon="1/2")),
        ("exponential", node("exponential", scores=[["1", "0"], ["0", "1"]], epsilon="1/2")),
        ("krr", node("k_randomized_response", k=7, epsilon="1/2")),
    ):
        for word, epsilon in (("at", "1/2"), ("below", "0.499999999999999"), ("above", "0.500000000000001")):
            words = f"{kind} of eps = 1/2, pure eps {word} 1/2"
            yield _asked(f"{kind}/pure-{word}", words, subject, {"epsilon": epsilon})
    gaussian = node("gaussian", sigma="1")
    for word, delta in (("below", "0.126936737506643"), ("above", "0.126936737506644"), ("pure", "0")):
        words = f"Gaussian noise, sigma 1, eps = 1, delta {word} (the truth is 0.12693673750664394...)"
        yield _asked(f"gaussian-s1/delta-{word}", words, gaussian, {"epsilon": "1", "delta": delta})
    far = node("laplace", scale="1/700")
    for word, epsilon in (("at", "700"), ("below", "699.9999999999")):
        yield _asked(
            f"laplace-700/{word}", f"Laplace noise of eps = 700, pure eps {word} it", far, {"epsilon": epsilon}
        )
    # Sensitivity counted in another convention: noise for 1 does not do for 2.
    half = node("laplace", scale="2", sensitivity="2")
    for word, epsilon in (("claimed", "1/2"), ("true", "1")):
        words = f"Laplace noise, scale 2, sensitivity 2: eps = {epsilon}"
        yield _asked(
            f"laplace-sensitivity-2/{word}",
            words,
            half,
            {"epsilon": epsilon},
            "DefinitionDependent",
            "IncidentFactorTwo",
        )
    bits = node("repeat", times=8, of=node("randomized_response", exp_epsilon="3"))
    last = node("compose", of=[node("repeat", times=7, of=node("randomized_response", exp_epsilon="3")), _NOISELESS])
    for word, subject in (("all-noisy", bits), ("last-bit-plain", last)):
        words = f"a vector of 8 bits by randomized response ({word}): e^eps = 3^8"
        yield _asked(f"bit-vector/{word}", words, subject, {"exp_epsilon": "6561"}, "IncidentBitVector")
    plain = node("channel", matrix=[["1", "0"], ["0", "1"]])
    words = "no noise at all, as with a sensitivity of 0 by mistake: pure eps = 1"
    yield _asked("no-noise/eps-1", words, plain, {"epsilon": "1"}, "IncidentNoNoise")


_NOISELESS: Final = node("channel", matrix=[["1", "0"], ["0", "1"]])


def _others() -> Iterator[Question]:
    for word, mu in (("at", "1/2"), ("below", "0.4999999999"), ("above", "0.5000000001")):
        words = f"Gaussian noise, sigma 2, mu {word} 1/2"
        yield _asked(f"gaussian-s2/mu-{word}", words, node("gaussian", sigma="2"), {"mu": mu})
    for word, mu in (("below", "1.3489795003921633"), ("above", "1.3489795003921637")):
        words = f"randomized response, truth 3/4, mu {word} 2 Phi^-1(3/4)"
        yield _asked(f"rr-3of4/mu-{word}", words, CHANNELS["rr-3of4"][1], {"mu": mu})
    yield _asked(
        "approximate-rr/mu", "mass at infinite loss is mu-GDP for no mu", CHANNELS["approximate-rr"][1], {"mu": "1000"}
    )
    curve = [["0", "1"], ["1/4", "1/4"], ["1", "0"]]
    above = [["0", "1"], ["1/4", "1/4"], ["1/2", "1/6"], ["1", "0"]]
    over = [["0", "1"], ["1/4", "250000000001/1000000000000"], ["1", "0"]]
    for word, points in (("at", curve), ("the-same", above), ("over", over)):
        claim = {"tradeoff": {"breakpoints": points}}
        yield _asked(
            f"rr-3of4/curve-{word}",
            f"randomized response against a curve {word} its own",
            CHANNELS["rr-3of4"][1],
            claim,
        )
    one_way = {"tradeoff": {"breakpoints": [["0", "1"], ["1/10", "1/2"], ["1", "0"]]}}
    yield _asked(
        "lopsided/curve", "a curve that one direction meets and the other does not", CHANNELS["lopsided"][1], one_way
    )
    for word, epsilon in (("at", "1"), ("below", "0.999999999999"), ("above", "1.000000000001")):
        words = f"Gaussian noise, sigma 1, Rényi order 2 with epsilon {word} 1"
        yield _asked(
            f"gaussian-s1/order-2-{word}", words, node("gaussian", sigma="1"), {"order": "2", "epsilon": epsilon}
        )
    for word, epsilon in (("below", "0.8472978603872"), ("above", "0.8472978603873")):
        words = f"randomized response, truth 3/4, Rényi order 2 with epsilon {word} log(7/3)"
        yield _asked(f"rr-3of4/order-2-{word}", words, CHANNELS["rr-3of4"][1], {"order": "2", "epsilon": epsilon})


def topics() -> list[Topic]:
    """The topics of this module."""
    return [
        Topic(
            "thresholds/approximate.json",
            "satisfies",
            "Whether a claim of (epsilon, delta) holds, at the truth and next to it; equality holds.",
            (DWORK,),
            list(_approximate()),
        ),
        Topic(
            "thresholds/others.json",
            "satisfies",
            "The same for claims of mu, of a curve and of a Rényi order.",
            (DONG, MIRONOV),
            list(_others()),
        ),
    ]
