"""What a library refuses in its own words is declined; any other error stays one."""

from __future__ import annotations

import pytest

from oracle.conformance.adapters.refusals import declining
from oracle.errors import Declined


def test_a_refusal_is_declined_with_its_words() -> None:
    """The message of the library is the reason."""
    with pytest.raises(Declined, match="out of the window of 20"), declining("out of the window"):
        raise ValueError("epsilon is out of the window of 20")


@pytest.mark.parametrize("error", [ValueError("math domain error"), RuntimeError("out of the window")])
def test_a_failure_stays_a_failure(error: Exception) -> None:
    """Other words, or another error."""
    with pytest.raises(type(error)), declining("out of the window"):
        raise error
