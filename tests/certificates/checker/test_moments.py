"""Certificates about Rényi orders and zCDP against the definitions in ball arithmetic."""

from __future__ import annotations

import json
import math
import time
from fractions import Fraction

import pytest
from flint import ctx
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, check
from oracle.certificates.checker.matrices import Channel
from oracle.certificates.checker.moments import Epsilon, Side, divergence_sign, renyi_claim
from tests.certificates.checker.divergence_documents import EQUAL, LEANING, ONE_SIDED, RESPONSE
from tests.certificates.checker.divergence_truth import _ball, _divergence
from tests.certificates.checker.documents import DOCUMENTS, certificate
from tests.certificates.checker.test_curves import WEIGHTS, two_rows

ctx.prec = 600
ORDERS = st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(4, 3), Fraction(2), Fraction(9), Fraction(300), None])


def side(document, direction="forward") -> Side:
    rows = [[Fraction(x) for x in row] for row in document["matrix"]]
    return Side(Channel(rows, (Fraction(1), Fraction(1)), ""), direction)


def changed(name, **fields):
    """A hand-made document with other fields and a new digest."""
    document = {**DOCUMENTS[name], **fields}
    kept = {k: v for k, v in document.items() if k not in ("certificate", "version", "digest")}
    return certificate(document["certificate"], **kept)


@settings(deadline=None, max_examples=60)
@given(WEIGHTS, ORDERS, st.sampled_from(["forward", "backward"]), st.integers(1, 40), st.booleans())
def test_the_sign_is_that_of_the_definition(columns, order, direction, tenths, logarithm):
    """Against epsilons of either kind, of any order, infinite divergences included."""
    channel = two_rows(columns)
    p, q = ([Fraction(x) for x in row] for row in channel["matrix"])
    truth = _divergence(p, q, order) if direction == "forward" else _divergence(q, p, order)
    value = Fraction(tenths, 10)
    epsilon = Epsilon(1 + value, None) if logarithm else Epsilon(None, value)
    claimed = _ball(1 + value).log() if logarithm else _ball(value)
    found = divergence_sign(side(channel, direction), order, epsilon, "$")
    assert found == (1 if truth > claimed else -1 if truth < claimed else 0)


def test_equalities_that_are_decided():
    """M_2 = 7/3, max p/q = 3, equal rows; a moment of many terms is exact too."""
    assert divergence_sign(side(RESPONSE), Fraction(2), Epsilon(Fraction(7, 3), None), "$") == 0
    assert divergence_sign(side(RESPONSE), None, Epsilon(Fraction(3), None), "$") == 0
    assert divergence_sign(side(EQUAL), Fraction(5, 2), Epsilon(None, Fraction(0)), "$") == 0
    assert divergence_sign(side(EQUAL), Fraction(5, 2), Epsilon(Fraction(1), None), "$") == 0
    assert divergence_sign(side(EQUAL), Fraction(5, 2), Epsilon(None, Fraction(1)), "$") == -1
    assert divergence_sign(side(ONE_SIDED, "backward"), None, Epsilon(None, None), "$") == -1


def test_repeated_columns_count_each():
    """Two columns of the same probabilities are one with twice the mass."""
    twice = {"matrix": [["3/8", "3/8", "1/8", "1/8"], ["1/8", "1/8", "3/8", "3/8"]]}
    for order in (Fraction(1), Fraction(2), Fraction(7, 2)):
        for epsilon in (Epsilon(Fraction(7, 3), None), Epsilon(None, Fraction(1, 2))):
            assert divergence_sign(side(twice), order, epsilon, "$") == divergence_sign(
                side(RESPONSE), order, epsilon, "$"
            )


@pytest.mark.slow
def test_what_is_too_close_is_rejected():
    """D_1 = (log 3)/2 against √3 as a level to 40,000 digits."""
    scale = 10**40_000
    root = Fraction(math.isqrt(3 * scale * scale), scale)
    with pytest.raises(Rejected, match="undecided at"):
        divergence_sign(side(RESPONSE), Fraction(1), Epsilon(root, None), "$")


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ({"order": "0", "epsilon": "1"}, "expected a number > 0"),
        ({"order": "-1", "epsilon": "1"}, "expected a number > 0"),
        ({"order": "2", "epsilon": "-1"}, "expected a number >= 0"),
        ({"order": "2", "exp_epsilon": "1/2"}, "expected a number >= 1"),
        ({"order": "2", "epsilon": "inf"}, "expected a canonical number string"),
        ({"order": "2"}, "missing field"),
        ({"order": "2", "epsilon": "1", "exp_epsilon": "3"}, "unknown field"),
        ({"order": 2, "epsilon": "1"}, "expected a canonical number string"),
    ],
)
def test_malformed_claims_are_rejected(claim, reason):
    """Each number is canonical and in its range."""
    with pytest.raises(Rejected, match=reason):
        renyi_claim(claim, "$")


@pytest.mark.parametrize(
    ("name", "fields", "reason"),
    [
        ("renyi_held: order 3/2", {"claim": {"order": "3/2", "epsilon": "7/10"}}, "exceeds epsilon in direction"),
        ("renyi_held: order infinity", {"direction": "both"}, "exceeds epsilon in direction forward"),
        ("renyi_refuted: order 1/2", {"claim": {"order": "1/2", "epsilon": "1/3"}}, "does not exceed epsilon"),
        ("renyi_refuted: infinite", {"claim": {"order": "2", "exp_epsilon": "inf"}}, "does not exceed epsilon"),
        ("renyi_refuted: infinite", {"direction": "forward"}, "does not exceed epsilon"),
        ("zcdp_held: randomized response", {"claim": {"rho": "59/100"}}, "chord of this cell is not below"),
        (
            "zcdp_held: randomized response",
            {"cells": {"forward": [["11/10", "1/20"], ["5/4", "1/6"], ["11/6", "7/10"]]}},
            "is below the logarithm of the moment",
        ),
        (
            "zcdp_held: randomized response",
            {"cells": {"forward": [["11/10", "3/50"], ["5/4", "1/6"], ["9/5", "7/10"]]}},
            "the largest loss exceeds rho times the last order",
        ),
        (
            "zcdp_held: randomized response",
            {"cells": {"forward": [["5/4", "1/6"], ["11/10", "3/50"], ["11/6", "7/10"]]}},
            "chord|strictly increasing",
        ),
        ("zcdp_held: randomized response", {"cells": {"forward": [["1", "0"]]}}, "strictly increasing orders above 1"),
        ("zcdp_held: randomized response", {"cells": {"forward": [["2"]]}}, r"expected \[order, bound\]"),
        ("zcdp_held: randomized response", {"cells": {}}, "missing field"),
        ("zcdp_held: randomized response", {"direction": "both"}, "missing field"),
        (
            "zcdp_held: by the largest loss",
            {"channel": EQUAL, "cells": {"forward": [["2", "1"]], "backward": []}},
            "no cells",
        ),
        ("zcdp_held: by the largest loss", {"channel": ONE_SIDED}, "the divergence is infinite"),
        ("zcdp_held: by the largest loss", {"claim": {"rho": "1"}}, "the largest loss exceeds"),
        ("zcdp_refuted: order 1", {"claim": {"rho": "11/20"}}, "does not exceed rho"),
        ("zcdp_refuted: order 1", {"order": "9/10"}, "expected an order >= 1"),
        ("zcdp_refuted: order 5/4", {"order": "3"}, "does not exceed rho"),
        ("zcdp_refuted: order 1", {"claim": {"rho": "-1"}}, "expected a number >= 0"),
    ],
)
def test_what_proves_nothing_is_rejected(name, fields, reason):
    """With the reason."""
    with pytest.raises(Rejected, match=reason):
        check(changed(name, **fields))


def test_zero_rho():
    """Only for equal rows."""
    held = certificate(
        "zcdp_held", channel=EQUAL, claim={"rho": "0"}, direction="both", cells={"forward": [], "backward": []}
    )
    assert check(held).kind == "zcdp_held"
    with pytest.raises(Rejected):
        check(certificate("zcdp_held", channel=LEANING, claim={"rho": "0"}, direction="forward", cells={"forward": []}))


def test_large_moments_are_bracketed_and_large_lists_refused():
    """Order 10^6, and more cells times columns than the limit, in bearable time."""
    assert divergence_sign(side(RESPONSE), Fraction(10**6), Epsilon(Fraction(3), None), "$") == -1
    assert divergence_sign(side(RESPONSE), Fraction(10**6), Epsilon(Fraction(299, 100), None), "$") == 1
    cells = [[str(mpq(k + 2)), "0"] for k in range(200_001)]
    document = certificate(
        "zcdp_held", channel=RESPONSE, claim={"rho": "1"}, direction="forward", cells={"forward": cells}
    )
    with pytest.raises(Rejected, match="too large"):
        check(document)


@pytest.mark.parametrize(
    ("kind", "fields", "where"),
    [
        ("renyi_held", {"claim": {"order": "LONG", "epsilon": "2"}, "direction": "both"}, "$.claim"),
        ("renyi_held", {"claim": {"order": "1/LONG", "epsilon": "2"}, "direction": "both"}, "$.claim"),
        ("renyi_refuted", {"claim": {"order": "LONG", "epsilon": "1"}, "direction": "forward"}, "$.claim"),
        ("zcdp_refuted", {"claim": {"rho": "1/LONG"}, "direction": "forward", "order": "LONG"}, "$.order"),
        ("zcdp_held", {"claim": {"rho": "1"}, "direction": "forward", "cells": {"forward": [["LONG", "LONG"]]}}, "$"),
    ],
)
def test_orders_are_limited_as_where_they_are_made(kind, fields, where):
    """An order of a hundred thousand digits is rejected at once, with that reason."""
    text = json.dumps({"channel": RESPONSE, **fields}).replace("LONG", "1" + "0" * 100_000)
    before = time.process_time()
    with pytest.raises(Rejected, match="too long an order: more than 4096 bits") as caught:
        check(certificate(kind, **json.loads(text)))
    assert caught.value.where == where
    assert time.process_time() - before < 2


def test_a_long_order_of_an_infinite_divergence_is_decided():
    """Nothing is bracketed there."""
    claim = {"order": "1" + "0" * 2000, "epsilon": "7"}
    found = [certificate("renyi_refuted", channel=ONE_SIDED, claim=claim, direction=d) for d in ("forward", "backward")]
    with pytest.raises(Rejected, match="too long an order"):
        check(found[0])
    assert check(found[1]).kind == "renyi_refuted"
