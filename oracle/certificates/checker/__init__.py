"""The independent checker of certificate documents, version 1.

It needs the standard library only and shares no code with the producers of certificates.  `check` takes a parsed
document, `check_text` its JSON; both return `Accepted`, or raise `Rejected` and nothing else.  `check_all` also takes
an audit report.  The arithmetic is exact throughout; exp, log and roots enter through rational brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .claims import check_dp_held, check_dp_refuted, check_tradeoff_held, check_tradeoff_refuted
from .concentrated import check_zcdp_held, check_zcdp_refuted
from .couplings import check_coupling, check_no_coupling, check_transport
from .curves import check_tradeoff
from .e_values import check_e_value_refutation
from .evaluation import check_evaluation
from .formal import check_formal_claim
from .gaussian import check_gdp_held, check_gdp_refuted
from .gdp_profile import check_gdp_profile, check_gdp_profile_refuted
from .lattice import check_glb, check_lub
from .moments import check_renyi_held, check_renyi_refuted
from .reading import choice, fields, items, parse, require_digest, require_plain
from .records import lone_record
from .refinement import check_refinement, check_separating_gain, check_separating_level
from .report import check_report as _check_report
from .simulation import check_interactive_held, check_interactive_refuted, check_simulation
from .statistics_counts import check_count_refutation
from .statistics_one_run import check_one_run_refutation
from .verdict import Accepted, Rejected, Unverified

__all__ = ["KINDS", "Accepted", "Rejected", "Unverified", "check", "check_all", "check_report", "check_text"]

_Check = Callable[[dict[str, object]], Accepted]
_STATED = ("channel", "claim", "direction")
_CLAIM = (*_STATED, "level")
_LAWS = ("first", "second")
_SIMULATION = ("nodes", "states", "kernels")
_SAMPLED = ("claim", "selection", "confidence")
_KINDS: dict[str, tuple[tuple[str, ...], _Check]] = {
    "refinement": (("left", "right", "witness"), check_refinement),
    "separating_level": (("left", "right", "h", "left_value", "right_value"), check_separating_level),
    "separating_gain": (("left", "right", "gain", "left_value", "right_value"), check_separating_gain),
    "glb": (("channels", "glb", "witnesses", "corners"), check_glb),
    "lub": (("channels", "lub", "witnesses", "levels"), check_lub),
    "tradeoff": (("channel", "corners"), check_tradeoff),
    "dp_held": ((*_CLAIM, "witness"), check_dp_held),
    "dp_refuted": ((*_CLAIM, "event", "p", "q"), check_dp_refuted),
    "tradeoff_held": (("channel", "tradeoff", "direction", "witnesses"), check_tradeoff_held),
    "tradeoff_refuted": (
        ("channel", "tradeoff", "direction", "event", "alpha", "beta", "claimed"),
        check_tradeoff_refuted,
    ),
    "gdp_held": ((*_STATED, "thresholds"), check_gdp_held),
    "gdp_refuted": ((*_STATED, "event", "alpha", "beta", "threshold"), check_gdp_refuted),
    "gdp_profile": (("profile", "mu", "cells"), check_gdp_profile),
    "gdp_profile_refuted": (("profile", "mu", "at", "turning"), check_gdp_profile_refuted),
    "renyi_held": (_STATED, check_renyi_held),
    "renyi_refuted": (_STATED, check_renyi_refuted),
    "zcdp_held": ((*_STATED, "cells"), check_zcdp_held),
    "zcdp_refuted": ((*_STATED, "order"), check_zcdp_refuted),
    "formal_claim": (("rows", "claim", "direction", "holds", "event"), check_formal_claim),
    "evaluation": (("facts",), check_evaluation),
    "coupling": ((*_LAWS, "fact", "distances", "entries"), check_coupling),
    "no_coupling": ((*_LAWS, "fact", "distances", "event", "event_mass", "allowed_mass"), check_no_coupling),
    "transport": (
        (*_LAWS, "costs", "entries", "value", "first_potentials", "second_potentials"),
        check_transport,
    ),
    "simulation": (_SIMULATION, check_simulation),
    "interactive_held": ((*_SIMULATION, "claim", "direction", "evidence"), check_interactive_held),
    "interactive_refuted": (
        ("nodes", "tests", "claim", "direction", "bound", "p", "q"),
        check_interactive_refuted,
    ),
    "count_refutation": (
        (*_SAMPLED, "direction", "counts", "larger", "statements", "lower", "upper", "grid", "region", "violation"),
        check_count_refutation,
    ),
    "e_value_refutation": (
        (*_SAMPLED, "counts", "larger", "bet", "level", "threshold"),
        check_e_value_refutation,
    ),
    "one_run_refutation": ((*_SAMPLED, "run", "p_value", "violation"), check_one_run_refutation),
}
KINDS = tuple(_KINDS)
_OPTIONAL = {"evaluation": "about"}
_VERSION = 1


def check(document: object) -> Accepted:
    """Check one parsed certificate document; raise `Rejected` unless it proves its statement."""
    with _failing_closed():
        return _check(document)


@contextmanager
def _failing_closed() -> Iterator[None]:
    """Turn every fault into `Rejected`."""
    try:
        yield
    except Rejected:
        raise
    except (MemoryError, RecursionError):
        raise Rejected("too large or nested too deeply") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        # No path to this is known; whatever it is, nothing was proved.
        raise Rejected(f"internal: {type(error).__name__}") from error


def _check(document: object) -> Accepted:
    require_plain(document)
    if not isinstance(document, dict):
        raise Rejected("expected an object")
    if "record" in document and "certificate" not in document:
        raise Rejected("this is a record of enclosures, not a certificate: nothing in it is proved", "$.record")
    kind = choice(document.get("certificate"), _KINDS, "$.certificate")
    names, checker = _KINDS[kind]
    optional = [_OPTIONAL[kind]] if kind in _OPTIONAL and _OPTIONAL[kind] in document else []
    fields(document, ("certificate", "version", "digest", *names, *optional), "$")
    version = document["version"]
    if type(version) is not int or version != _VERSION:
        raise Rejected(f"expected version {_VERSION}", "$.version")
    require_digest(document)
    return checker(document)


def _parse(data: bytes | str) -> object:
    try:
        return parse(data)
    except (MemoryError, RecursionError):
        raise Rejected("too large or nested too deeply") from None


def check_text(data: bytes | str) -> Accepted:
    """Check one certificate as JSON text in UTF-8; raise `Rejected` unless it proves its statement."""
    return check(_parse(data))


Outcome = Accepted | Rejected | Unverified


def check_all(data: bytes | str) -> list[tuple[int | None, Outcome]]:
    """Check a certificate, an audit report, or an object that holds nothing but a list `certificates`; never raise.

    Returns pairs (index in `certificates` or None, outcome).  An audit report as a whole comes first, with index None;
    its certificates follow if it is accepted.  Records have no certificate: they are `Unverified`.
    """
    try:
        document = _parse(data)
        if not isinstance(document, dict) or "certificate" in document:
            return [(None, check(document))]
        if "report" in document:
            whole, accepted = check_report(document)
            return [(None, whole), *enumerate(accepted)]
        if set(document) != {"certificates"}:
            return [(None, _other(document))]
        certificates = items(document["certificates"], "$.certificates", 1)
    except Rejected as rejected:
        return [(None, rejected)]
    outcomes: list[tuple[int | None, Outcome]] = []
    for k, certificate in enumerate(certificates):
        try:
            outcomes.append((k, check(certificate)))
        except Rejected as rejected:
            where = f"$.certificates[{k}]{rejected.where.removeprefix('$')}"
            outcomes.append((k, Rejected(rejected.reason, where)))
    return outcomes


def check_report(document: dict[str, object]) -> tuple[Accepted | Unverified, list[Accepted]]:
    """Check a parsed audit report; return its outcome and that of each certificate, or raise `Rejected`."""
    with _failing_closed():
        return _check_report(document, check)


def _other(document: dict[str, object]) -> Outcome:
    """What is no certificate and no report: a record, or something that was taken for one."""
    if "record" in document:
        with _failing_closed():
            return lone_record(document)
    for key, what in (("matrix", "a table"), ("mechanism", "a mechanism expression")):
        if key in document:
            raise Rejected(f"this is {what}, not a certificate: use oracle audit")
    raise Rejected("expected a certificate or an audit report")
