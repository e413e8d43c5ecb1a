"""How a question is put to a subject: exact or in doubles, a level under the name it accepts."""

from __future__ import annotations

import pytest

from oracle.conformance.forms import as_binary64, form_for
from oracle.conformance.protocol import Hello, read_hello
from oracle.errors import InputError

BASE = {"name": "lib", "version": "1", "protocol": 1, "ops": ["delta"]}


def hello_of(*epsilon: str, numbers: str = "rational") -> Hello:
    return read_hello({**BASE, "accepts": {"epsilon": list(epsilon), "numbers": numbers}})


def test_a_level_is_renamed_without_being_changed() -> None:
    """exp_epsilon becomes a logarithm, a logarithm its argument; a plain epsilon has no exact other name."""
    only_epsilon, only_level = hello_of("epsilon"), hello_of("exp_epsilon")
    sent = form_for(
        only_epsilon, {"channel": {"mechanism": "randomized_response", "exp_epsilon": "3"}, "delta": "0"}, None
    )
    assert sent is not None
    assert sent.args["channel"] == {"mechanism": "randomized_response", "epsilon": "log(3)"}
    for level, epsilon in (("1", "0"), ("inf", "inf"), ("0", "-inf")):
        named = form_for(only_epsilon, {"exp_epsilon": level}, None)
        assert named is not None
        assert named.args == {"epsilon": epsilon}
    back = form_for(only_level, {"epsilon": "ln(9/4)"}, None)
    assert back is not None
    assert back.args == {"exp_epsilon": "9/4"}
    assert form_for(only_level, {"epsilon": "1/2"}, None) is None


def test_doubles_are_sent_as_they_are_or_in_the_binary64_form() -> None:
    """Dyadic args go in hexadecimal with the rational truth, others in their binary64 form or not at all."""
    hello = hello_of("epsilon", numbers="binary64")
    dyadic = form_for(hello, {"matrix": [["3/4", "1/4"]], "epsilon": "0.5", "times": 3}, {"epsilon": "0x1p-1"})
    assert dyadic is not None
    assert not dyadic.binary64
    assert dyadic.args == {
        "matrix": [["0x1.8000000000000p-1", "0x1.0000000000000p-2"]],
        "epsilon": "0x1.0000000000000p-1",
        "times": 3,
    }
    doubles = {"epsilon": "0x1.199999999999ap+0"}
    other = form_for(hello, {"epsilon": "1.1"}, doubles)
    assert other is not None
    assert other.binary64
    assert other.args == doubles
    assert form_for(hello, {"epsilon": "1.1"}, None) is None
    level = form_for(hello, {"exp_epsilon": "3"}, doubles)
    assert level is not None
    assert level.binary64


def test_every_number_goes_as_a_double_in_hexadecimal() -> None:
    """Ratios of the binary64 form too; a number of it that is no double leaves no form to ask in."""
    hello = hello_of("epsilon", numbers="binary64")
    asked = form_for(hello, {"epsilon": "1.1"}, {"matrix": [["55/256", "201/256"]], "epsilon": "1", "times": 2})
    assert asked is not None
    assert asked.args == {
        "matrix": [["0x1.b800000000000p-3", "0x1.9200000000000p-1"]],
        "epsilon": "0x1.0000000000000p+0",
        "times": 2,
    }
    assert form_for(hello, {"epsilon": "1.1"}, {"epsilon": "1/3"}) is None


def test_the_logarithm_of_nothing_is_not_renamed() -> None:
    """log(0) has no answer, and e^epsilon = 0 has one."""
    for text in ("log(0)", "ln(-1)"):
        assert form_for(hello_of("exp_epsilon"), {"epsilon": text}, None) is None


def test_labels_and_words_are_no_numbers() -> None:
    """Labels such as "1/3" and words stay what they are."""
    channel = {"matrix": [["1", "0"]], "outputs": ["1/3", "b"], "mechanism": "channel"}
    assert as_binary64(channel)["outputs"] == ["1/3", "b"]
    assert as_binary64({"direction": "both", "x": "inf", "y": "?"}) == {"direction": "both", "x": "inf", "y": "?"}
    with pytest.raises(InputError):
        as_binary64(["1/3"])
