"""Cases as data: which are dyadic, and their two forms."""

from __future__ import annotations

import pytest

from oracle.conformance.case_records import is_dyadic
from tests.conformance.small_suite import RESPONSE, case, file


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"epsilon": "1/2"}, True),
        ({"epsilon": "0.1"}, False),
        ({"epsilon": "log(2)"}, False),
        ({"epsilon": "inf", "direction": "both"}, True),
        ({"epsilon": "0x1.999999999999ap-4"}, True),
        ({"epsilon": "1e400"}, False),
        ({"epsilon": "1e-400"}, False),
        ({"channel": RESPONSE}, True),
        ({"channel": {"matrix": [["1/3", "2/3"], ["1", "0"]]}}, False),
        ({"channel": {"mechanism": "gaussian", "sigma": "?"}}, True),
        ({"channel": {"mechanism": "repeat", "times": 10, "of": RESPONSE}}, True),
        ({"epsilon": str(2**53 + 1)}, False),
    ],
)
def test_dyadic_means_that_every_number_is_a_double(args, expected):
    """Logarithms are none, the infinities are; words are no numbers."""
    assert is_dyadic(args) is expected


def test_a_case_in_both_forms():
    """The doubles where they are given, the question itself where it is dyadic, else nothing."""
    doubles = {"args": {"epsilon": "0x1.8p-1"}, "expected": {"exact": "1"}}
    given, dyadic, neither = file(
        "delta/x.json",
        "delta",
        case("a", {"epsilon": "log(2)"}, {"exact": "0"}, binary64=doubles),
        case("b", {"epsilon": "1/2"}, {"exact": "0"}),
        case("c", {"epsilon": "1/3"}, {"exact": "0"}),
    ).cases
    assert given.request() == {"id": "a", "op": "delta", "args": {"epsilon": "log(2)"}}
    assert given.request("binary64") == {"id": "a", "op": "delta", "args": {"epsilon": "0x1.8p-1"}}
    assert given.truth("binary64") != given.truth()
    assert dyadic.request("binary64") == dyadic.request()
    assert dyadic.truth("binary64") == dyadic.truth()
    assert neither.request("binary64") is None
