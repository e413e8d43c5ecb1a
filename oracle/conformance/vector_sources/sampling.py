"""Questions about subsampling: Poisson and of a fixed size, each with its neighbouring relation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from oracle.conformance.cases import Source
from oracle.conformance.truths import Rejects
from oracle.conformance.vector_sources.catalogue import CHANNELS, MIRONOV, SIDES, balle, flags_of, node
from oracle.conformance.vector_sources.drafts import Question, Topic, slug

__all__ = ["topics"]

F = Fraction

ZHU: Final = Source("zhu2022", "theorem 11", "https://arxiv.org/abs/2106.08567")
STEINKE: Final = Source("steinke2022", "privacy amplification by subsampling", "https://arxiv.org/abs/2210.00597")
WANG: Final = Source(
    "mironov2019", "the Rényi DP of the sampled Gaussian mechanism", "https://arxiv.org/abs/1908.10530"
)


def _poisson(rate: str, of: dict[str, Any], neighbours: str = "add_remove") -> dict[str, Any]:
    return node("poisson_subsample", rate=rate, neighbours=neighbours, of=of)


def _gaussian() -> Iterator[Question]:
    for rate, sigma in (("1/100", "1"), ("1/10", "1"), ("1/2", "2"), ("1", "1"), ("1/1000", "1/2"), ("0.01", "4")):
        for epsilon in ("0", "1/10", "1", "3"):
            for side in SIDES.values():
                args = {"channel": _poisson(rate, node("gaussian", sigma=sigma)), "epsilon": epsilon, "direction": side}
                name = f"poisson/gaussian-q{slug(rate)}-s{slug(sigma)}/eps-{slug(epsilon)}-{side}"
                words = f"Gaussian noise, sigma {sigma}, on a Poisson sample of rate {rate}"
                summary = f"{words}; delta at eps = {epsilon}, {side}"
                yield Question(name, summary, args, flags_of(args, "Subsampled", "DefinitionDependent"))
    incident = {"channel": _poisson("1/1000", node("gaussian", sigma="1")), "epsilon": "0"}
    summary = "the pair of a report that epsilon is 0 at delta = 1e-3, which is right: delta(0) is below 1e-3"
    flags = flags_of(incident, "IncidentEpsilonZero", "Subsampled")
    yield Question("poisson/tf-privacy-166/eps-0", summary, incident, flags)
    for rate, sigma, epsilon in (
        ("1e-9", "1", "1e-3"),
        ("1e-9", "1", "0"),
        ("1e-6", "1/10", "20"),
        ("1/100", "1/20", "150"),
    ):
        args = {"channel": _poisson(rate, node("gaussian", sigma=sigma)), "epsilon": epsilon}
        name = f"poisson/gaussian-q{slug(rate)}-s{slug(sigma)}-extreme/eps-{slug(epsilon)}"
        summary = f"Gaussian noise, sigma {sigma}, on a Poisson sample of rate {rate}; delta at eps = {epsilon}"
        yield Question(name, summary, args, flags_of(args, "Subsampled", "Cancellation"))


def _laplace() -> Iterator[Question]:
    for rate, scale in (("1/100", "1"), ("1/4", "1/2"), ("1/2", "2")):
        for epsilon in ("0", "1/100", "1/4", "1"):
            for side in ("forward", "backward"):
                args = {"channel": _poisson(rate, node("laplace", scale=scale)), "epsilon": epsilon, "direction": side}
                name = f"poisson/laplace-q{slug(rate)}-b{slug(scale)}/eps-{slug(epsilon)}-{side}"
                words = f"Laplace noise, scale {scale}, on a Poisson sample of rate {rate}"
                summary = f"{words}; delta at eps = {epsilon}, {side}"
                yield Question(name, summary, args, flags_of(args, "Subsampled", "DefinitionDependent"))


def _tables() -> Iterator[Question]:
    names = ("rr-3of4", "lopsided", "infinite-forward", "infinite-backward", "disjoint", "sevenths", "identical")
    for name in names:
        words, document = CHANNELS[name]
        for rate in ("1/5", "1/2"):
            for asked in ("1", "7/5", "2"):
                for side in ("forward", "backward"):
                    of = node("channel", **document)
                    args = {"channel": _poisson(rate, of), "exp_epsilon": asked, "direction": side}
                    summary = f"{words}, on a Poisson sample of rate {rate}; delta at e^eps = {asked}, {side}"
                    question = f"poisson/{name}-q{slug(rate)}/e{slug(asked)}-{side}"
                    yield Question(question, summary, args, flags_of(args, "Subsampled"))
    for rate in ("0", "1"):
        args = {"channel": _poisson(rate, node("channel", **CHANNELS["sixteenths"][1])), "exp_epsilon": "2"}
        summary = f"a pair of laws in sixteenths on a Poisson sample of rate {rate}; delta at e^eps = 2"
        flags = flags_of(args, "BoundaryParameter", "Subsampled")
        refused = {"BoundaryParameter": Rejects("the rate lies at the end of its range")}
        yield Question(f"poisson/sixteenths-q{rate}/e2", summary, args, flags, one_of=refused)


def _substitute() -> Iterator[Question]:
    for kind, field, scale in (("gaussian", "sigma", "1"), ("gaussian", "sigma", "3"), ("laplace", "scale", "1")):
        for rate in ("1/10", "1/2"):
            for epsilon in ("0", "1/10", "1/2", "1"):
                args = {"channel": _poisson(rate, node(kind, **{field: scale}), "substitute"), "epsilon": epsilon}
                name = f"poisson/substitute-{kind}-{slug(scale)}-q{slug(rate)}/eps-{slug(epsilon)}"
                words = f"{kind} noise, {field} {scale}, on a Poisson sample of rate {rate}"
                summary = f"{words}, a record replaced; delta at eps = {epsilon}"
                yield Question(name, summary, args, flags_of(args, "Subsampled", "DefinitionDependent"))


def _fixed() -> Iterator[Question]:
    for kind, field, scale in (("gaussian", "sigma", "1"), ("laplace", "scale", "1"), ("laplace", "scale", "5")):
        for source, sample in ((100, 1), (100, 10), (10, 5)):
            for way in ("without", "with"):
                for epsilon in ("0", "1/10", "1"):
                    sizes: dict[str, Any] = {"source": source, "sample": sample, "neighbours": "substitute"}
                    subject = node(f"subsample_{way}_replacement", **sizes, of=node(kind, **{field: scale}))
                    args = {"channel": subject, "epsilon": epsilon}
                    name = f"fixed-size/{way}-{kind}-{slug(scale)}-{sample}of{source}/eps-{slug(epsilon)}"
                    words = f"{kind} noise, {field} {scale}, on {sample} of {source} records {way} replacement"
                    summary = f"{words}; delta at eps = {epsilon}"
                    flags = flags_of(args, "Subsampled", "BoundByTheorem", "DefinitionDependent")
                    yield Question(name, summary, args, flags)


def _database(kind: str) -> dict[str, Any]:
    """A noisy count of a, with 3 outcomes, on the subsets of a small universe."""
    universe = ["a", "b", "c"]
    sets = [set(kept) for size in range(4) for kept in combinations(universe, size)]
    rows = {0: ["2/3", "1/6", "1/6"], 1: ["1/3", "1/2", "1/6"], 2: ["1/6", "1/3", "1/2"], 3: ["1/8", "1/8", "3/4"]}
    table = [{"database": sorted(members), "row": rows[len(members)]} for members in sets]
    return node("database", universe=universe, kind="set", neighbours=kind, table=table)


def _named() -> dict[str, Any]:
    """The answer depends on which records there are: for substitution."""
    universe = ["a", "b", "c", "d"]
    sets = [set(kept) for size in range(4) for kept in combinations(universe, size)]
    worth = {"a": 1, "b": 2, "c": 4, "d": 5}
    table = []
    for members in sets:
        total = sum(worth[record] for record in members)
        row = [F(1, 12) * (1 + (total + place) % 3) for place in range(3)]
        row[2] = 1 - row[0] - row[1]
        table.append({"database": sorted(members), "row": [str(mass) for mass in row]})
    return node("database", universe=universe, kind="set", neighbours="substitute", table=table)


def _white_box() -> Iterator[Question]:
    for rate in ("1/10", "1/2", "1"):
        for asked in ("1", "11/10", "3/2"):
            for side in SIDES.values():
                subject = _poisson(rate, _database("add_remove"))
                args = {"channel": subject, "exp_epsilon": asked, "direction": side}
                summary = (
                    f"a noisy count on a Poisson sample of rate {rate}, all databases; delta at e^eps = {asked}, {side}"
                )
                name = f"poisson/count-q{slug(rate)}/e{slug(asked)}-{side}"
                flags = flags_of(args, "Subsampled")
                yield Question(name, summary, args, flags, doubles=False)
    for sample in (1, 2):
        for asked in ("1", "11/10", "3/2"):
            sizes: dict[str, Any] = {"source": 3, "sample": sample, "neighbours": "substitute"}
            subject = node("subsample_without_replacement", **sizes, of=_named())
            args = {"channel": subject, "exp_epsilon": asked}
            summary = f"a table on {sample} of 3 records without replacement, all databases; delta at e^eps = {asked}"
            name = f"fixed-size/table-{sample}of3/e{slug(asked)}"
            yield Question(name, summary, args, flags_of(args, "Subsampled"), doubles=False)


def _epsilons() -> Iterator[Question]:
    for rate, sigma in (("1/100", "1"), ("1/10", "2")):
        for delta in ("1e-3", "1e-6", "1e-9"):
            for side in ("forward", "backward"):
                subject = _poisson(rate, node("gaussian", sigma=sigma))
                args = {"channel": subject, "delta": delta, "direction": side}
                words = f"Gaussian noise, sigma {sigma}, on a Poisson sample of rate {rate}"
                summary = f"{words}; least eps at delta = {delta}, {side}"
                name = f"epsilon/poisson-q{slug(rate)}-s{slug(sigma)}/d{slug(delta)}-{side}"
                yield Question(name, summary, args, flags_of(args, "Subsampled"))
    args = {"channel": _poisson("1/1000", node("gaussian", sigma="1")), "delta": "1e-3"}
    summary = "the least eps at delta = 1e-3, reported as a fault for being 0"
    flags = flags_of(args, "IncidentEpsilonZero", "DeltaAboveVariation", "Subsampled")
    yield Question("epsilon/tf-privacy-166/d1em3", summary, args, flags)


def _divergences() -> Iterator[Question]:
    for rate, sigma in (("1/100", "1"), ("1/10", "2"), ("1/2", "1")):
        for order in ("2", "3", "8", "32", "256"):
            args = {"channel": _poisson(rate, node("gaussian", sigma=sigma)), "order": order}
            summary = f"Gaussian noise, sigma {sigma}, on a Poisson sample of rate {rate}; Rényi order {order}, remove"
            name = f"renyi/poisson-q{slug(rate)}-s{slug(sigma)}/o{order}"
            yield Question(name, summary, args, flags_of(args, "Subsampled"))


def topics() -> list[Topic]:
    """The topics of this module."""
    return [
        Topic(
            "subsampling/poisson_gaussian.json",
            "delta",
            "delta of Gaussian noise on a Poisson sample; forward is the removal of a record.",
            (ZHU, balle("theorem 8")),
            list(_gaussian()),
        ),
        Topic(
            "subsampling/poisson_laplace.json",
            "delta",
            "delta of Laplace noise on a Poisson sample.",
            (ZHU,),
            list(_laplace()),
        ),
        Topic(
            "subsampling/poisson_tables.json",
            "delta",
            "delta of a table on a Poisson sample, both directions apart.",
            (balle("theorem 8"),),
            list(_tables()),
        ),
        Topic(
            "subsampling/poisson_substitute.json",
            "delta",
            "delta of noise on a Poisson sample where one record is replaced by another.",
            (STEINKE,),
            list(_substitute()),
        ),
        Topic(
            "subsampling/fixed_size.json",
            "delta",
            "The bound of theorems 9 and 10 for samples of a fixed size, one record replaced.",
            (balle("theorems 9 and 10"),),
            list(_fixed()),
        ),
        Topic(
            "subsampling/databases.json",
            "delta",
            "delta of tables over small databases, subsampled, the worst case over all neighbours.",
            (balle("section 2"),),
            list(_white_box()),
        ),
        Topic(
            "epsilon/subsampling.json", "epsilon", "The least epsilon on a Poisson sample.", (ZHU,), list(_epsilons())
        ),
        Topic(
            "renyi/subsampling.json",
            "renyi",
            "Rényi moments on a Poisson sample.",
            (WANG, MIRONOV),
            list(_divergences()),
        ),
    ]
