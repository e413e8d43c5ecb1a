"""The values of results about a Rényi order are computed again: what is off is rejected, whatever its kind."""

from __future__ import annotations

import pytest

from oracle.certificates.checker import Rejected
from oracle.certificates.checker.divergences import check_divergence
from tests.certificates.checker.divergence_documents import EQUAL, LEANING, ONE_SIDED, RESPONSE

BOTH = ("forward", "backward")


def check(channel, claim, tight, slack, *, sides=BOTH, digits=12):
    check_divergence({"channel": channel, "claim": claim}, {"tight": tight, "slack": slack}, sides, digits, "$")


@pytest.mark.parametrize(
    ("channel", "claim", "tight", "slack", "sides"),
    [
        # log(7/3) = 0.847297860387203613...
        (
            RESPONSE,
            {"order": "2", "epsilon": "1"},
            {"lo": "0.8472978603872", "hi": "0.8472978603873"},
            {"lo": "0.1527021396127", "hi": "0.1527021396128"},
            BOTH,
        ),
        (RESPONSE, {"order": "2", "exp_epsilon": "7/3"}, {"lo": "0.8472978603872", "hi": "0.8472978603873"}, "0", BOTH),
        (
            RESPONSE,
            {"order": "2", "exp_epsilon": "inf"},
            {"lo": "0.8472978603872", "hi": "0.8472978603873"},
            "inf",
            BOTH,
        ),
        # D_(1/2) = -2 log(√3/2) = 0.287682072451780927..., D_1 = 0.549306144334054845..., D_inf = log 3.
        (
            RESPONSE,
            {"order": "1/2", "epsilon": "1"},
            {"lo": "0.2876820724517", "hi": "0.2876820724518"},
            {"lo": "0.7123179275482", "hi": "0.7123179275483"},
            BOTH,
        ),
        (
            RESPONSE,
            {"order": "1", "epsilon": "1"},
            {"lo": "0.5493061443340", "hi": "0.5493061443341"},
            {"lo": "0.4506938556659", "hi": "0.4506938556660"},
            ("forward",),
        ),
        (LEANING, {"order": "inf", "exp_epsilon": "4"}, {"lo": "1.38629436111", "hi": "1.38629436112"}, "0", BOTH),
        (EQUAL, {"order": "2", "epsilon": "1"}, "0", "1", BOTH),
        (EQUAL, {"order": "2", "epsilon": "0"}, "0", "0", BOTH),
        (ONE_SIDED, {"order": "2", "epsilon": "1"}, "inf", "-inf", BOTH),
        (ONE_SIDED, {"order": "2", "exp_epsilon": "inf"}, "inf", "0", BOTH),
    ],
)
def test_right_values_are_accepted_and_shifted_ones_are_not(channel, claim, tight, slack, sides):
    """Each of the two values, moved a little or replaced by the other kind."""
    check(channel, claim, tight, slack, sides=sides, digits=11)
    for other in _others(tight):
        with pytest.raises(Rejected):
            check(channel, claim, other, slack, sides=sides, digits=11)
    for other in _others(slack):
        with pytest.raises(Rejected):
            check(channel, claim, tight, other, sides=sides, digits=11)


def _others(value):
    if isinstance(value, dict):
        return [{"lo": value["lo"] + "9", "hi": value["hi"] + "9"} | {"lo": value["hi"]}, "inf", "1/7"]
    return [{"inf": "-inf", "-inf": "0"}.get(value, "inf"), "1/7"]


def test_an_enclosure_that_is_too_wide_is_rejected():
    """Fewer digits than the report says."""
    with pytest.raises(Rejected, match="wider than 12 digits"):
        check(RESPONSE, {"order": "2", "epsilon": "1"}, {"lo": "0.8", "hi": "0.9"}, {"lo": "0.1", "hi": "0.2"})
