"""fdp-oracle: a verified reference for differential privacy in exact rational arithmetic.

>>> import oracle
>>> oracle.delta({"mechanism": "randomized_response", "exp_epsilon": "3"}, exp_epsilon=2)
Fraction(1, 4)

One function for each operation of the request protocol, on channels, trade-off functions and mechanism
expressions; :func:`answer` for the protocol itself, :func:`audit` for a verdict with evidence and :func:`verify` for
the independent check of a certificate. Names are loaded on first use, and importing this file alone imports nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oracle.accounting import account
    from oracle.answers import answer
    from oracle.audits.doubles import audit_doubles, table_of_doubles
    from oracle.audits.opendp_claims import claim_of_measurement
    from oracle.audits.run import audit
    from oracle.calibration import calibrate
    from oracle.certificates.verify import verify
    from oracle.channels.channel import Channel
    from oracle.channels.tradeoff import TradeoffFunction
    from oracle.enclosures import Enclosure
    from oracle.errors import Declined, InputError, LimitError, OracleError, UndecidedError
    from oracle.exact import INFINITY, from_binary64
    from oracle.interactive.reading import parse_interactive
    from oracle.interactive.tree import InteractiveMechanism
    from oracle.mechanisms.dp_events import expression_of_event
    from oracle.mechanisms.parse import parse_mechanism
    from oracle.operations import (
        canonical,
        channel_of,
        concurrent,
        decompose,
        delta,
        epsilon,
        glb,
        hidden,
        hockey_stick,
        interactive_tradeoff,
        lub,
        mu,
        parallel,
        post,
        pre,
        refines,
        renyi,
        satisfies,
        simulate,
        tradeoff,
        tradeoff_corners,
        visible,
        vulnerability,
    )

__all__ = [
    "INFINITY",
    "Channel",
    "Declined",
    "Enclosure",
    "InputError",
    "InteractiveMechanism",
    "LimitError",
    "OracleError",
    "TradeoffFunction",
    "UndecidedError",
    "account",
    "answer",
    "audit",
    "audit_doubles",
    "calibrate",
    "canonical",
    "channel_of",
    "claim_of_measurement",
    "concurrent",
    "decompose",
    "delta",
    "epsilon",
    "expression_of_event",
    "from_binary64",
    "glb",
    "hidden",
    "hockey_stick",
    "interactive_tradeoff",
    "lub",
    "mu",
    "parallel",
    "parse_interactive",
    "parse_mechanism",
    "post",
    "pre",
    "refines",
    "renyi",
    "satisfies",
    "simulate",
    "table_of_doubles",
    "tradeoff",
    "tradeoff_corners",
    "verify",
    "visible",
    "vulnerability",
]

__version__ = "0.1.0"

_HOMES = {
    "INFINITY": "oracle.exact",
    "Channel": "oracle.channels.channel",
    "Declined": "oracle.errors",
    "Enclosure": "oracle.enclosures",
    "InputError": "oracle.errors",
    "InteractiveMechanism": "oracle.interactive.tree",
    "LimitError": "oracle.errors",
    "OracleError": "oracle.errors",
    "TradeoffFunction": "oracle.channels.tradeoff",
    "UndecidedError": "oracle.errors",
    "account": "oracle.accounting",
    "answer": "oracle.answers",
    "audit": "oracle.audits.run",
    "audit_doubles": "oracle.audits.doubles",
    "calibrate": "oracle.calibration",
    "claim_of_measurement": "oracle.audits.opendp_claims",
    "expression_of_event": "oracle.mechanisms.dp_events",
    "from_binary64": "oracle.exact",
    "parse_interactive": "oracle.interactive.reading",
    "parse_mechanism": "oracle.mechanisms.parse",
    "table_of_doubles": "oracle.audits.doubles",
    "verify": "oracle.certificates.verify",
}


def __getattr__(name: str) -> object:
    """Load a public name from its home on first use."""
    if name not in __all__:
        raise AttributeError(f"module 'oracle' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - importing this file imports nothing

    value: object = getattr(import_module(_HOMES.get(name, "oracle.operations")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
