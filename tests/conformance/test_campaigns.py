"""Campaigns have the results of the built-in map, wherever they run and whatever dies on the way."""

from __future__ import annotations

import os
import sys
from functools import partial
from math import isqrt
from operator import add

import pytest

from oracle.conformance import campaigns
from oracle.conformance.campaigns import campaign, cluster, local
from oracle.errors import IncompleteError, InputError, MissingExtraError


def refuse(number: int) -> int:
    """A task that fails with an error of ours."""
    raise InputError("a smaller number", number, "tasks[3]")


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    """In this process and in local ones, for two functions after each other."""
    with campaign(workers=workers) as mapper:
        assert list(mapper(isqrt, range(50))) == [isqrt(n) for n in range(50)]
        assert list(mapper(partial(add, 1), [3, 1, 2])) == [4, 2, 3]
        assert list(mapper(isqrt, [])) == []


def test_the_error_of_a_task_keeps_its_facts() -> None:
    """Across processes too."""
    with local(2) as mapper, pytest.raises(InputError) as caught:
        list(mapper(refuse, [1]))
    assert (caught.value.expected, caught.value.got, caught.value.where) == ("a smaller number", "1", "tasks[3]")
    assert str(caught.value) == "tasks[3]: expected a smaller number, got 1"


def test_a_local_process_that_dies_is_said_so() -> None:
    """Not waited for, and no result is made up."""
    with local(2) as mapper, pytest.raises(IncompleteError, match="a local process died"):
        list(mapper(os._exit, [0]))


def test_a_cluster_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError) as caught, campaign("tcp://127.0.0.1:8786"):
        pass
    assert caught.value.extras == ("cluster",)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["", "somewhere", "http://127.0.0.1:80", "tcp://127.0.0.1:1", "tcp://127.0.0.1:0"])
def test_an_address_at_which_no_scheduler_answers_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has the address and the reason."""
    pytest.importorskip("distributed")
    monkeypatch.setattr(campaigns, "_SECONDS_TO_ANSWER", 1)
    with pytest.raises(InputError) as caught, cluster(address):
        pass
    assert caught.value.where == "--dask"
    assert caught.value.expected.startswith("the address of a Dask scheduler that answers")
    assert f'"{address}" (' in caught.value.got
