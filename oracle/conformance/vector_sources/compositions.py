"""Questions about compositions: many runs of one mechanism, and different mechanisms one after another."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from oracle.conformance.cases import Source
from oracle.conformance.truths import Rejects
from oracle.conformance.vector_sources.catalogue import CHANNELS, DONG, DRAWN, KAIROUZ, flags_of, node
from oracle.conformance.vector_sources.contours import second_contour, second_contour_of_epsilon
from oracle.conformance.vector_sources.drafts import Question, Topic, slug

__all__ = ["topics"]

F = Fraction

MURTAGH: Final = Source(
    "murtagh2016", "optimal composition of different mechanisms", "https://arxiv.org/abs/1507.03113"
)
GOPI: Final = Source("gopi2021", "composition of privacy loss random variables", "https://arxiv.org/abs/2106.02848")


def _repeat(times: int, of: dict[str, Any]) -> dict[str, Any]:
    return node("repeat", times=times, of=of)


def _randomized_response() -> Iterator[Question]:
    for level in ("3", "11/10"):
        for times in (1, 2, 3, 5, 10, 25, 100):
            subject = _repeat(times, node("randomized_response", exp_epsilon=level))
            for asked in ("1", "2", "9", "81"):
                args = {"channel": subject, "exp_epsilon": asked}
                more = ("ExactOutcome", *(("LargeComposition",) if times >= 25 else ()))
                words = f"{times} runs of randomized response, e^eps = {level}; delta at e^eps = {asked}"
                name = f"composition/rr-e{slug(level)}-x{times}/e{asked}"
                yield Question(name, words, args, flags_of(args, *more), doubles=times <= 10)
    for times, asked in ((1000, "5"), (1000, "20"), (400, "2"), (400, "30")):
        subject = _repeat(times, node("randomized_response", exp_epsilon="21/20"))
        args = {"channel": subject, "epsilon": asked}
        words = f"{times} runs of randomized response, e^eps = 21/20; delta at eps = {asked}"
        flags = flags_of(args, "LargeComposition")
        yield Question(f"composition/rr-e21of20-x{times}/eps-{asked}", words, args, flags, doubles=False)


def _approximate() -> Iterator[Question]:
    for level, delta in (("2", "1/100"), ("3/2", "1e-6")):
        for times in (2, 5, 20):
            subject = _repeat(times, node("approximate_randomized_response", exp_epsilon=level, delta=delta))
            for asked in ("1", "4", "inf"):
                args = {"channel": subject, "exp_epsilon": asked}
                words = (
                    f"{times} runs of the canonical pair of e^eps = {level}, delta = {delta}; delta at e^eps = {asked}"
                )
                name = f"composition/approximate-e{slug(level)}-d{slug(delta)}-x{times}/e{asked}"
                flags = flags_of(args, "ExactOutcome")
                yield Question(name, words, args, flags, doubles=times <= 5)


def _tables() -> Iterator[Question]:
    chosen = (
        "lopsided",
        "infinite-forward",
        "infinite-backward",
        "three-levels",
        "disjoint",
        "identical",
        "point-mass",
    )
    for name in chosen:
        words, document = CHANNELS[name]
        for times in (2, 4, 12):
            for asked, side in (("2", "forward"), ("2", "backward"), ("16", "both")):
                args = {"channel": _repeat(times, document), "exp_epsilon": asked, "direction": side}
                summary = f"{times} runs of: {words}; delta at e^eps = {asked}, {side}"
                question = f"composition/{name}-x{times}/e{asked}-{side}"
                incident = ("IncidentDisjoint",) if name == "disjoint" else ()
                yield Question(question, summary, args, flags_of(args, *incident), doubles=times <= 4)
    for name in ("disjoint", "infinite-forward", "tiny-mass", "tiny-mass-dyadic"):
        words, document = CHANNELS[name]
        args = {"channel": _repeat(60, document), "exp_epsilon": "inf"}
        summary = f"60 runs of: {words}; the mass at infinite loss"
        flags = flags_of(args, "LargeComposition")
        yield Question(f"composition/{name}-x60/einf", summary, args, flags, doubles=False)


def _pairs() -> Iterator[Question]:
    rr = node("randomized_response", exp_epsilon="2")
    three = node("k_randomized_response", k=3, exp_epsilon="3")
    lots = node("approximate_randomized_response", exp_epsilon="5/4", delta="1/1000")
    noise = node("geometric", ratio="1/2")
    tables = {name: DRAWN[name][1] for name in ("drawn-1", "drawn-2")}
    mixes = {
        "rr-krr": [rr, three],
        "rr-approximate": [rr, lots],
        "krr-geometric": [three, noise],
        "three-kinds": [rr, three, noise],
        "rr5-krr3": [_repeat(5, rr), _repeat(3, three)],
        "approximate4-geometric4": [_repeat(4, lots), _repeat(4, noise)],
        "drawn-1-2": [tables["drawn-1"], tables["drawn-2"]],
        "drawn-2-1": [tables["drawn-2"], tables["drawn-1"]],
        "nested": [_repeat(2, node("compose", of=[rr, noise])), three],
    }
    for name, parts in mixes.items():
        for asked in ("1", "2", "6"):
            of = [part if "mechanism" in part else node("channel", **part) for part in parts]
            args = {"channel": node("compose", of=of), "exp_epsilon": asked}
            summary = f"a composition of {len(parts)} kinds of mechanism ({name}); delta at e^eps = {asked}"
            yield Question(f"composition/{name}/e{asked}", summary, args, flags_of(args, "Heterogeneous"))
    args = {"channel": _repeat(0, rr), "exp_epsilon": "1"}
    refused = {"BoundaryParameter": Rejects("there is no run")}
    flags = flags_of(args, "BoundaryParameter")
    yield Question("composition/no-run/e1", "no run at all; delta at e^eps = 1", args, flags, one_of=refused)


def _gaussian() -> Iterator[Question]:
    for sigma, times in (("1", 4), ("3", 10), ("10", 100), ("50", 10000), ("2", 3)):
        subject = _repeat(times, node("gaussian", sigma=sigma))
        large = ("LargeComposition",) if times >= 100 else ()
        for epsilon in ("0", "1/2", "1", "4", "40"):
            args = {"channel": subject, "epsilon": epsilon}
            summary = f"{times} runs of Gaussian noise, sigma {sigma}; delta at eps = {epsilon}"
            name = f"composition/gaussian-s{sigma}-x{times}/eps-{slug(epsilon)}"
            yield Question(name, summary, args, flags_of(args, *large))
    mixed = node("compose", of=[node("gaussian", sigma="1"), node("gaussian", sigma="2"), node("gaussian", sigma="3")])
    for epsilon in ("1/2", "2"):
        args = {"channel": mixed, "epsilon": epsilon}
        summary = f"Gaussian noise of sigma 1, 2 and 3; delta at eps = {epsilon}"
        yield Question(
            f"composition/gaussian-1-2-3/eps-{slug(epsilon)}", summary, args, flags_of(args, "Heterogeneous")
        )


def _continuous() -> Iterator[Question]:
    """With a second way by the definition."""
    gaussian, laplace = node("gaussian", sigma="2"), node("laplace", scale="2")
    rr, lattice = node("randomized_response", exp_epsilon="2"), node("discrete_gaussian", sigma="2")
    mixes = {
        "gaussian-rr": [gaussian, rr],
        "gaussian4-rr3": [_repeat(4, gaussian), _repeat(3, rr)],
        "laplace-rr": [laplace, rr],
        "laplace-laplace": [laplace, node("laplace", scale="3")],
        "laplace-x2": [laplace, laplace],
        "discrete-gaussian-x4": [_repeat(4, lattice)],
        "discrete-gaussian-x2": [lattice, lattice],
        "gaussian-approximate": [gaussian, node("approximate_randomized_response", exp_epsilon="2", delta="1/50")],
    }
    for name, parts in mixes.items():
        for epsilon in ("0", "1/2", "1", "2"):
            args = {"channel": node("compose", of=parts), "epsilon": epsilon}
            summary = f"a composition ({name}) of Gaussian and Laplace noise and tables; delta at eps = {epsilon}"
            doubles = name not in ("discrete-gaussian-x4", "discrete-gaussian-x2", "laplace-rr", "gaussian-approximate")
            flags = flags_of(args, "Heterogeneous" if len(parts) > 1 else "DiscreteNoise")
            yield Question(f"composition/{name}/eps-{slug(epsilon)}", summary, args, flags, doubles=doubles)


def _long() -> Iterator[Question]:
    """With another line of the contour integral as the second way."""
    subjects = [
        (
            "laplace-b10-x50",
            "50 runs of Laplace noise, scale 10",
            _repeat(50, node("laplace", scale="10")),
            ("1/2", "1", "2"),
        ),
        (
            "laplace-b20-x100",
            "100 runs of Laplace noise, scale 20",
            _repeat(100, node("laplace", scale="20")),
            ("1/2", "1"),
        ),
    ]
    for sigma, rate, times in (("1", "1/100", 1000), ("2", "1/50", 300), ("0.8", "1/256", 500), ("5", "1/10", 100)):
        of = node("poisson_subsample", rate=rate, neighbours="add_remove", of=node("gaussian", sigma=sigma))
        words = f"{times} steps of DP-SGD, rate {rate}, noise multiplier {sigma}"
        subjects.append((f"dpsgd-q{slug(rate)}-s{slug(sigma)}-x{times}", words, _repeat(times, of), ("1/2", "1", "2")))
    for name, words, subject, epsilons in subjects:
        sides = ("forward", "backward", "both") if name.startswith("dpsgd") else ("both",)
        for epsilon in epsilons:
            for side in sides:
                args = {"channel": subject, "epsilon": epsilon, "direction": side}
                more = ("LargeComposition", *(("Subsampled",) if name.startswith("dpsgd") else ()))
                summary = f"{words}; delta at eps = {epsilon}, {side}"
                question = f"composition/{name}/eps-{slug(epsilon)}-{side}"
                flags = flags_of(args, *more)
                yield Question(question, summary, args, flags, confirm=second_contour, doubles=side == "both")


def _epsilons() -> Iterator[Question]:
    rr, gaussian = node("randomized_response", exp_epsilon="3"), node("gaussian", sigma="4")
    subjects = [
        ("rr-e3-x10", "10 runs of randomized response, e^eps = 3", _repeat(10, rr), ("0", "1e-6", "1/10", "1/2")),
        ("rr-e3-x40", "40 runs of randomized response, e^eps = 3", _repeat(40, rr), ("1e-9", "1/100")),
        ("gaussian-s4-x16", "16 runs of Gaussian noise, sigma 4", _repeat(16, gaussian), ("1e-3", "1e-6", "1e-18")),
        ("disjoint-x2", "2 runs of disjoint supports", _repeat(2, CHANNELS["disjoint"][1]), ("0", "1/2", "1")),
    ]
    for name, words, subject, deltas in subjects:
        for delta in deltas:
            args = {"channel": subject, "delta": delta}
            incident = ("IncidentDisjoint",) if name.startswith("disjoint") else ()
            summary = f"{words}; the least eps for delta = {delta}"
            flags = flags_of(args, *incident)
            yield Question(f"epsilon/{name}/d{slug(delta)}", summary, args, flags, doubles=not name.endswith("x40"))
    for sigma, rate, times in (("1", "1/100", 1000), ("2", "1/50", 300)):
        of = node("poisson_subsample", rate=rate, neighbours="add_remove", of=node("gaussian", sigma=sigma))
        for delta in ("1e-3", "1e-5", "1e-8"):
            args = {"channel": _repeat(times, of), "delta": delta}
            words = f"{times} steps of DP-SGD, rate {rate}, noise multiplier {sigma}"
            name = f"epsilon/dpsgd-q{slug(rate)}-s{sigma}-x{times}/d{slug(delta)}"
            flags = flags_of(args, "LargeComposition", "Subsampled")
            summary = f"{words}; the least eps for delta = {delta}"
            yield Question(name, summary, args, flags, confirm=second_contour_of_epsilon)


def _betas() -> Iterator[Question]:
    rr, gaussian = node("randomized_response", exp_epsilon="3"), node("gaussian", sigma="4")
    for times in (2, 5):
        args: dict[str, Any] = {"channel": _repeat(times, rr)}
        summary = f"{times} runs of randomized response, e^eps = 3; all corners"
        yield Question(f"tradeoff/rr-e3-x{times}/corners", summary, args, flags_of(args), doubles=False)
    subjects = [
        ("rr-e3-x10", "10 runs of randomized response, e^eps = 3", _repeat(10, rr)),
        ("gaussian-s4-x16", "16 runs of Gaussian noise, sigma 4", _repeat(16, gaussian)),
        ("infinite-x4", "4 runs of a pair with mass at infinite loss", _repeat(4, CHANNELS["infinite-forward"][1])),
    ]
    for name, words, subject in subjects:
        for alpha in ("0", "1e-6", "1/20", "1/2"):
            args = {"channel": subject, "alpha": alpha}
            summary = f"{words}; the least type II error at alpha = {alpha}"
            yield Question(f"tradeoff/{name}/a{slug(alpha)}", summary, args, flags_of(args))


def topics() -> list[Topic]:
    """The topics of this module."""
    return [
        Topic(
            "composition/randomized_response.json",
            "delta",
            "delta of many runs of randomized response: binomial sums.",
            (KAIROUZ,),
            list(_randomized_response()),
        ),
        Topic(
            "composition/approximate.json",
            "delta",
            "delta of many runs of the worst (epsilon, delta) pair: the optimal composition theorem.",
            (KAIROUZ,),
            list(_approximate()),
        ),
        Topic("composition/tables.json", "delta", "delta of many runs of a table.", (MURTAGH,), list(_tables())),
        Topic(
            "composition/heterogeneous.json",
            "delta",
            "delta of different finite mechanisms together.",
            (MURTAGH,),
            list(_pairs()),
        ),
        Topic(
            "composition/gaussian.json", "delta", "delta of several Gaussian mechanisms.", (GOPI,), list(_gaussian())
        ),
        Topic(
            "composition/mixed.json",
            "delta",
            "delta of continuous mechanisms together with tables.",
            (GOPI,),
            list(_continuous()),
        ),
        Topic("epsilon/compositions.json", "epsilon", "The least epsilon of compositions.", (GOPI,), list(_epsilons())),
        Topic("tradeoff/compositions.json", "tradeoff", "Trade-off values of compositions.", (DONG,), list(_betas())),
        Topic(
            "composition/long.json",
            "delta",
            "delta of long compositions of Laplace noise and of DP-SGD.",
            (GOPI,),
            list(_long()),
        ),
    ]
