"""Questions about additive noise and the other known mechanisms, run once."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from oracle.conformance.cases import Source
from oracle.conformance.vector_sources.catalogue import (
    BALLE_WANG,
    CANONNE,
    DONG,
    DWORK,
    GHOSH,
    KAIROUZ,
    MIRONOV,
    WARNER,
    balle,
    flags_of,
    node,
)
from oracle.conformance.vector_sources.drafts import Question, Topic, slug

__all__ = ["topics"]

F = Fraction

EXPONENTIAL: Final = Source("mcsherry2007", "the exponential mechanism", "https://doi.org/10.1109/FOCS.2007.66")


def _asked(prefix: str, name: str, words: str, subject: dict[str, Any], epsilon: str, *flags: str) -> Question:
    args = {"channel": subject, "epsilon": epsilon}
    summary = f"{words}; delta at eps = {epsilon}"
    return Question(f"{prefix}/{name}/eps-{slug(epsilon)}", summary, args, flags_of(args, *flags))


def _gaussian() -> Iterator[Question]:
    for sigma in ("1/2", "1", "2", "5", "0.8"):
        subject = node("gaussian", sigma=sigma)
        for epsilon in ("-1", "0", "1/10", "1/2", "1", "2", "5"):
            yield _asked("gaussian", f"s{slug(sigma)}", f"Gaussian noise, sigma {sigma}", subject, epsilon)
    for sensitivity in ("2", "1/4"):
        subject = node("gaussian", sigma="1", sensitivity=sensitivity)
        for epsilon in ("1/2", "1", "3"):
            words = f"Gaussian noise, sigma 1, sensitivity {sensitivity}"
            flag = "DefinitionDependent"
            yield _asked("gaussian", f"s1-d{slug(sensitivity)}", words, subject, epsilon, flag)


def _gaussian_tails() -> Iterator[Question]:
    extremes = [
        ("1", ("10", "20", "30", "36", "37", "38")),
        ("1/10", ("100", "200", "400", "500", "700")),
        ("1/20", ("500", "700", "710", "1000")),
        ("10", ("1", "2", "3", "4")),
        ("100", ("1/100", "1/10", "1/4", "1/3")),
        ("1000000", ("0", "1e-7", "1e-6", "1e-5")),
        ("1e-3", ("1000", "499000", "500000", "501000")),
    ]
    for sigma, epsilons in extremes:
        for epsilon in epsilons:
            tiny = F(epsilon) * F(sigma) - 1 / (2 * F(sigma)) > 12
            flags = ("Cancellation", "TinyDelta") if tiny else ("Cancellation",)
            words = f"Gaussian noise, sigma {sigma}"
            yield _asked("gaussian", f"s{slug(sigma)}-extreme", words, node("gaussian", sigma=sigma), epsilon, *flags)


def _laplace() -> Iterator[Question]:
    for scale in ("1/2", "1", "2", "3", "0.7"):
        for epsilon in ("-3", "-1/4", "0", "1/4", "1/2", "1", "2"):
            subject = node("laplace", scale=scale)
            tie = ("Threshold",) if F(epsilon) == 1 / F(scale) else ()
            yield _asked("laplace", f"b{slug(scale)}", f"Laplace noise, scale {scale}", subject, epsilon, *tie)
    for sensitivity, epsilon in (("2", "1"), ("2", "2"), ("1/3", "1/4"), ("1/3", "1/3")):
        subject = node("laplace", scale="1", sensitivity=sensitivity)
        words = f"Laplace noise, scale 1, sensitivity {sensitivity}"
        yield _asked("laplace", f"b1-d{slug(sensitivity)}", words, subject, epsilon, "DefinitionDependent")
    for scale, epsilon in (
        ("1/1000", "999"),
        ("1/1000", "1000"),
        ("1/1000", "700"),
        ("1000000", "0"),
        ("1000000", "1e-7"),
        ("1", "0.999999999999"),
        ("1", "0x1.fffffffffffffp-1"),
        ("1/800", "800"),
        ("1/800", "799"),
    ):
        name = f"b{slug(scale)}-extreme"
        yield _asked(
            "laplace", name, f"Laplace noise, scale {scale}", node("laplace", scale=scale), epsilon, "Cancellation"
        )


def _discrete_gaussian() -> Iterator[Question]:
    for sigma, sensitivity, epsilons in (
        ("1/2", "1", ("0", "1", "2", "4")),
        ("1", "1", ("0", "1/2", "1", "3", "10")),
        ("2", "1", ("-1", "0", "1/2", "2")),
        ("5", "1", ("0", "1/10", "1/2", "1")),
        ("3", "2", ("0", "1/2", "1", "3")),
        ("2.5", "1", ("1/4", "1", "12")),
        ("1/4", "1", ("1", "7", "8", "9", "24")),
    ):
        for epsilon in epsilons:
            subject = node("discrete_gaussian", sigma=sigma, sensitivity=sensitivity)
            words = f"discrete Gaussian noise, sigma {sigma}, sensitivity {sensitivity}"
            name = f"s{slug(sigma)}-d{slug(sensitivity)}"
            yield _asked("discrete-gaussian", name, words, subject, epsilon, "DiscreteNoise")


def _discrete_laplace() -> Iterator[Question]:
    for ratio in ("1/2", "1/3", "9/10", "1/1024"):
        for sensitivity in ("1", "2", "5"):
            subject = node("discrete_laplace", ratio=ratio, sensitivity=sensitivity)
            for level in ("1", "3/2", "2", "1024"):
                args = {"channel": subject, "exp_epsilon": level}
                words = f"discrete Laplace noise, e^(-1/scale) = {ratio}, sensitivity {sensitivity}"
                name = f"discrete-laplace/r{slug(ratio)}-d{sensitivity}/e{slug(level)}"
                flags = flags_of(args, "DiscreteNoise", "ExactOutcome")
                yield Question(name, f"{words}; delta at e^eps = {level}", args, flags)
    for scale in ("1", "2", "1/2", "10"):
        for epsilon in ("0", "1/10", "1/2", "1", "2"):
            subject = node("discrete_laplace", scale=scale)
            tie = ("Threshold",) if F(epsilon) == 1 / F(scale) else ()
            words = f"discrete Laplace noise, scale {scale}"
            yield _asked("discrete-laplace", f"b{slug(scale)}", words, subject, epsilon, "DiscreteNoise", *tie)


def _finite() -> Iterator[Question]:
    subjects: list[tuple[str, str, dict[str, Any]]] = []
    for level in ("3", "9", "1", "1000000"):
        words = f"randomized response, e^eps = {level}"
        subjects.append((f"rr-e{level}", words, node("randomized_response", exp_epsilon=level)))
    for k, level in ((3, "2"), (10, "3"), (1000, "5")):
        words = f"{k}-ary randomized response, e^eps = {level}"
        subjects.append((f"krr-{k}-e{level}", words, node("k_randomized_response", k=k, exp_epsilon=level)))
    for level, delta in (("2", "1/10"), ("3", "1/1000"), ("1", "1/4"), ("inf", "1/8")):
        subject = node("approximate_randomized_response", exp_epsilon=level, delta=delta)
        name = f"approximate-e{level}-d{slug(delta)}"
        subjects.append((name, f"the canonical pair of e^eps = {level}, delta = {delta}", subject))
    clamped = node("geometric", ratio="1/2", low=0, high=4, values=[1, 2])
    subjects.append(("geometric-clamped", "geometric noise on 1 and 2, clamped to 0..4", clamped))
    ends = node("geometric", ratio="1/3", low=0, high=3, values=[0, 3])
    subjects.append(("geometric-ends", "geometric noise on 0 and 3, clamped to 0..3", ends))
    scores = [["3", "1", "0"], ["2", "1", "1"]]
    votes = node("exponential", scores=scores, exp_epsilon="4")
    subjects.append(("exponential-votes", "the exponential mechanism, three candidates, e^eps = 4", votes))
    pairs = [{"exp_epsilon": "2", "delta": "1/10"}, {"exp_epsilon": "4", "delta": "1/100"}]
    several = node("guarantees", pairs=pairs)
    subjects.append(("guarantees", "(log 2, 1/10) and (log 4, 1/100) at once", several))
    for name, words, subject in subjects:
        for level in ("1", "3/2", "2", "3", "8"):
            args = {"channel": subject, "exp_epsilon": level}
            summary = f"{words}; delta at e^eps = {level}"
            doubles = name != "guarantees"  # the second way reads rational levels only
            yield Question(f"finite/{name}/e{slug(level)}", summary, args, flags_of(args), doubles=doubles)
    for epsilon in ("1/2", "1", "5", "40"):
        subject = node("randomized_response", epsilon=epsilon)
        for asked in ("0", "1/4", epsilon):
            tie = ("Threshold",) if asked == epsilon else ()
            words = f"randomized response, eps = {epsilon}"
            yield _asked("finite", f"rr-eps-{slug(epsilon)}", words, subject, asked, *tie)
    for scale, weights in (("1/2", [["0", "800"], ["800", "0"]]), ("1", [["1", "0"], ["0", "1"]])):
        subject = node("exponential", scores=weights, epsilon="2", sensitivity=scale)
        for epsilon in ("1/2", "1"):
            words = f"the exponential mechanism, scores 0 and {max(weights[0], key=F)}, sensitivity {scale}"
            flags = ("IncidentUnderflow",) if scale == "1/2" else ()
            yield _asked("finite", f"exponential-d{slug(scale)}", words, subject, epsilon, *flags)


def _epsilons() -> Iterator[Question]:
    subjects = [
        (
            "gaussian-s1",
            "Gaussian noise, sigma 1",
            node("gaussian", sigma="1"),
            ("0.4", "1e-3", "1e-6", "1e-12", "1e-40"),
        ),
        (
            "gaussian-s4",
            "Gaussian noise, sigma 4",
            node("gaussian", sigma="4"),
            ("0.2", "1/16", "1e-5", "1e-10", "1e-100"),
        ),
        ("gaussian-s1of4", "Gaussian noise, sigma 1/4", node("gaussian", sigma="1/4"), ("1/2", "1e-2", "1e-5", "1e-9")),
        ("gaussian-s1of30", "Gaussian noise, sigma 1/30", node("gaussian", sigma="1/30"), ("1/2", "1e-5", "1e-15")),
        ("laplace-b1", "Laplace noise, scale 1", node("laplace", scale="1"), ("0", "1e-6", "1/10", "1/4", "9/10")),
        ("laplace-b3", "Laplace noise, scale 3", node("laplace", scale="3"), ("0", "1e-9", "1/20", "1/5")),
        ("laplace-b1of900", "Laplace noise, scale 1/900", node("laplace", scale="1/900"), ("0", "1e-9", "1/2")),
        (
            "discrete-gaussian-s1",
            "discrete Gaussian noise, sigma 1",
            node("discrete_gaussian", sigma="1"),
            ("0", "1e-3", "1e-8", "1/4", "1/2"),
        ),
        (
            "discrete-gaussian-s3",
            "discrete Gaussian noise, sigma 3",
            node("discrete_gaussian", sigma="3"),
            ("1e-3", "1e-6", "1/10", "1/3"),
        ),
        (
            "discrete-laplace-r1of2",
            "discrete Laplace noise of ratio 1/2",
            node("discrete_laplace", ratio="1/2"),
            ("0", "1/100", "1/5", "1/3", "1/2"),
        ),
    ]
    for name, words, subject, deltas in subjects:
        for delta in deltas:
            args = {"channel": subject, "delta": delta}
            flags = ["TinyDelta"] if 0 < F(delta) < F(1, 10**30) else []
            flags += ["DeltaAboveVariation"] if F(delta) > F(2, 5) else []
            flags += ["DiscreteNoise"] if "discrete" in name else []
            summary = f"{words}; the least eps for delta = {delta}"
            yield Question(f"epsilon/{name}/d{slug(delta)}", summary, args, flags_of(args, *flags))


def _betas() -> Iterator[Question]:
    subjects = [
        ("gaussian-s1", "Gaussian noise, sigma 1", node("gaussian", sigma="1")),
        ("gaussian-s1of3", "Gaussian noise, sigma 1/3", node("gaussian", sigma="1/3")),
        ("gdp-1of2", "1/2-GDP", node("gaussian_dp", mu="1/2")),
        ("laplace-b1", "Laplace noise, scale 1", node("laplace", scale="1")),
        ("laplace-b1of3", "Laplace noise, scale 1/3", node("laplace", scale="1/3")),
        ("rr-eps-1", "randomized response, eps = 1", node("randomized_response", epsilon="1")),
        ("discrete-laplace-b1", "discrete Laplace noise, scale 1", node("discrete_laplace", scale="1")),
    ]
    for name, words, subject in subjects:
        for alpha in ("0", "1e-9", "1/20", "1/4", "1/2", "9/10", "1"):
            args = {"channel": subject, "alpha": alpha}
            flags = ("Cancellation",) if alpha == "1e-9" else ()
            summary = f"{words}; the least type II error at alpha = {alpha}"
            yield Question(f"tradeoff/{name}/a{slug(alpha)}", summary, args, flags_of(args, *flags))


def _divergences() -> Iterator[Question]:
    subjects = [
        ("gaussian-s1", "Gaussian noise, sigma 1", node("gaussian", sigma="1"), ("1/2", "1", "2", "3/2", "64")),
        ("gaussian-s5", "Gaussian noise, sigma 5", node("gaussian", sigma="5"), ("1", "2", "10", "1000")),
        ("laplace-b1", "Laplace noise, scale 1", node("laplace", scale="1"), ("1/2", "1/4", "1", "2", "32", "inf")),
        ("laplace-b4", "Laplace noise, scale 4", node("laplace", scale="4"), ("1", "2", "11/10", "500", "inf")),
        (
            "discrete-gaussian-s1",
            "discrete Gaussian noise, sigma 1",
            node("discrete_gaussian", sigma="1"),
            ("2", "3", "8"),
        ),
        ("rr-e3", "randomized response, e^eps = 3", node("randomized_response", exp_epsilon="3"), ("2", "3/2", "20")),
    ]
    for name, words, subject, orders in subjects:
        for order in orders:
            args = {"channel": subject, "order": order}
            yield Question(f"renyi/{name}/o{slug(order)}", f"{words}; Rényi order {order}", args, flags_of(args))


def _mus() -> Iterator[Question]:
    for sigma in ("1", "2", "3/7", "100"):
        args = {"channel": node("gaussian", sigma=sigma)}
        yield Question(
            f"mu/gaussian-s{slug(sigma)}", f"Gaussian noise, sigma {sigma}; the least mu", args, flags_of(args)
        )
    for times in (4, 3, 100):
        args = {"channel": node("repeat", times=times, of=node("gaussian", sigma="2"))}
        summary = f"{times} runs of Gaussian noise, sigma 2; the least mu"
        yield Question(f"mu/gaussian-s2-times-{times}", summary, args, flags_of(args))


def topics() -> list[Topic]:
    """The topics of this module."""
    laplace = (balle("theorem 3"), DWORK)
    return [
        Topic(
            "noise/gaussian.json",
            "delta",
            "delta of Gaussian noise.",
            (BALLE_WANG, balle("theorem 4")),
            list(_gaussian()),
        ),
        Topic(
            "noise/gaussian_extreme.json",
            "delta",
            "delta of Gaussian noise far in the tails, with tiny and with huge sigma.",
            (BALLE_WANG,),
            list(_gaussian_tails()),
        ),
        Topic("noise/laplace.json", "delta", "delta of Laplace noise.", laplace, list(_laplace())),
        Topic(
            "noise/discrete_gaussian.json",
            "delta",
            "delta of discrete Gaussian noise.",
            (CANONNE,),
            list(_discrete_gaussian()),
        ),
        Topic(
            "noise/discrete_laplace.json",
            "delta",
            "delta of two-sided geometric noise.",
            (GHOSH,),
            list(_discrete_laplace()),
        ),
        Topic(
            "noise/finite.json",
            "delta",
            "delta of randomized response, clamped noise, the exponential mechanism and pairs of guarantees.",
            (WARNER, KAIROUZ, GHOSH, EXPONENTIAL),
            list(_finite()),
        ),
        Topic("epsilon/noise.json", "epsilon", "The least epsilon of noise.", (BALLE_WANG, DWORK), list(_epsilons())),
        Topic("tradeoff/noise.json", "tradeoff", "Trade-off values of noise.", (DONG,), list(_betas())),
        Topic("renyi/noise.json", "renyi", "Rényi divergences of noise.", (MIRONOV,), list(_divergences())),
        Topic("mu/noise.json", "mu", "The least mu of Gaussian noise.", (DONG,), list(_mus())),
    ]
