"""What is kept of the latest mechanism: it changes no answer, and is gone where an answer was cut short."""

from __future__ import annotations

import pytest

from oracle import operations
from oracle.answers import answer
from oracle.operations import latest
from oracle.time_limits import TooLongError


def ask(op: str, **args: object) -> dict[str, object]:
    return answer({"id": "q", "op": op, "args": args})


MECHANISMS = [
    {"mechanism": "repeat", "times": 8, "of": {"mechanism": "k_randomized_response", "k": 5, "epsilon": "1/3"}},
    {"mechanism": "compose", "of": [{"mechanism": "laplace", "scale": "2"}, {"mechanism": "gaussian", "sigma": "3"}]},
    {"mechanism": "repeat", "times": 4, "of": {"mechanism": "discrete_gaussian", "sigma": "2"}},
    {"mechanism": "group", "size": 3, "of": {"mechanism": "discrete_gaussian", "sigma": "2"}},
]
QUESTIONS = [
    *[("delta", {"epsilon": level, "digits": digits}) for level in ("1/2", "3") for digits in (6, 12, 20)],
    *[("epsilon", {"delta": delta, "direction": side}) for delta in ("1/100", "1e-9") for side in ("both", "forward")],
    ("tradeoff", {"alpha": "1/10"}),
    ("tradeoff", {"alpha": "1/10", "digits": 8}),
    ("renyi", {"order": "2"}),
    ("mu", {}),
    ("satisfies", {"claim": {"epsilon": "1", "delta": "1/10"}}),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism["mechanism"])
def test_an_answer_does_not_depend_on_what_was_asked_before(mechanism: dict[str, object]) -> None:
    """What is kept of a mechanism makes the next answer quicker, and never another one."""
    alone = []
    for op, args in QUESTIONS:
        ask("delta", channel={"mechanism": "gaussian", "sigma": "1"}, epsilon="1")
        alone.append(ask(op, channel=mechanism, **args))
    for order in (range(len(QUESTIONS)), range(len(QUESTIONS) - 1, -1, -1)):
        for n in order:
            op, args = QUESTIONS[n]
            assert ask(op, channel=mechanism, **args) == alone[n]


def test_what_is_kept_of_a_mechanism_is_forgotten_where_an_answer_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was being derived then may be unfinished."""
    made = []
    pair_of = latest.pair_of
    monkeypatch.setattr(latest, "pair_of", lambda *told: made.append(told) or pair_of(*told))
    mechanism = {"mechanism": "gaussian", "sigma": "1/7"}

    def cut_short(*_: object, **__: object) -> None:
        raise TooLongError

    ask("delta", channel=mechanism, epsilon="1")
    ask("delta", channel=mechanism, epsilon="2")
    assert len(made) == 1
    with monkeypatch.context() as patched:
        patched.setattr(operations, "delta", cut_short)
        with pytest.raises(TooLongError):
            ask("delta", channel=mechanism, epsilon="1")
    ask("delta", channel=mechanism, epsilon="1")
    assert len(made) == 2
