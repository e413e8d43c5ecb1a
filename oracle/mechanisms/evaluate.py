"""From a mechanism expression to its channel, exactly, within stated limits.

The result is a rational :class:`Channel` whenever every probability is rational, and otherwise a
:class:`FormalChannel`, whose comparisons are exact too. Choices and processing keep every column; a composition of
two-row channels merges equal likelihood ratios and is canonical, a composition of more rows keeps every column.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.channels.composition import compose
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.formal_operators import formal_compose, formal_hidden, formal_post, formal_pre, formal_visible
from oracle.channels.operators import (
    common_inputs,
    hidden,
    parallel,
    post_process,
    pre_process,
    require_same_inputs,
    size_text,
    visible,
)
from oracle.errors import Declined, InputError, LimitError
from oracle.experiments.base import Experiment
from oracle.mechanisms.continuous import experiment_of
from oracle.mechanisms.groups import without_groups
from oracle.mechanisms.nodes import (
    MAX_DEPTH,
    NAMES,
    Compose,
    Hidden,
    Mechanism,
    Post,
    Pre,
    Repeat,
    Visible,
)
from oracle.mechanisms.primitives import Finite, columns, primitive, simplest

__all__ = ["MAX_COLUMNS", "Pair", "evaluate", "evaluate_finite"]

MAX_COLUMNS: Final = 100_000
"""Most columns of an evaluated mechanism, unless the caller says otherwise."""


Pair = Finite | Experiment
"""A finite table, rational or formal, or a pair of laws that is none."""


def evaluate(mechanism: Mechanism, where: str = "", *, max_columns: int = MAX_COLUMNS) -> Pair:
    """The channel of a finite mechanism, the experiment of another; *where* is its place in errors.

    Raises:
        InputError: for parts that do not fit one another: other inputs, labels or shapes.
        Declined: for a combination that is not offered.
        LimitError: for more than *max_columns* columns or a table too large to hold, in any part, and for
            mechanisms nested deeper than MAX_DEPTH; it names the place and the node.
    """
    mechanism = without_groups(mechanism, where)
    experiment = experiment_of(mechanism)
    return _Evaluation(max_columns).channel(mechanism, where, 0) if experiment is None else experiment


def evaluate_finite(mechanism: Mechanism, where: str = "", *, max_columns: int = MAX_COLUMNS) -> Finite:
    """The same, declined for a mechanism that is not a finite table."""
    pair = evaluate(mechanism, where, max_columns=max_columns)
    if isinstance(pair, Experiment):
        name = NAMES[type(mechanism)]
        raise Declined(f"{_at(where, name)} is not a finite table, and this operation works on finite tables only")
    return pair


class _Evaluation:
    """One evaluation: its limit, and the channel of every part that is done, each evaluated once."""

    def __init__(self, max_columns: int) -> None:
        self.limit = max_columns
        self.known: dict[int, Finite] = {}

    def channel(self, mechanism: Mechanism, where: str, depth: int) -> Finite:
        if depth > MAX_DEPTH:
            raise LimitError(f"at most {MAX_DEPTH} mechanisms inside one another", "more", where)
        known = self.known.get(id(mechanism))
        if known is None:
            known = self.known[id(mechanism)] = self._evaluated(mechanism, where, depth)
        return known

    def _evaluated(self, mechanism: Mechanism, where: str, depth: int) -> Finite:
        if isinstance(mechanism, (Compose, Repeat)):
            channel = self._composed(mechanism, where, depth)
        elif isinstance(mechanism, (Visible, Hidden)):
            left, right = (
                self.channel(part, _at(where, side), depth + 1)
                for part, side in ((mechanism.left, "left"), (mechanism.right, "right"))
            )
            with _placed(mechanism, where):
                channel = _chosen(mechanism, left, right)
        elif isinstance(mechanism, (Post, Pre)):
            of = self.channel(mechanism.of, _at(where, "of"), depth + 1)
            with _placed(mechanism, where):
                channel = _post(of, mechanism.matrix) if isinstance(mechanism, Post) else _pre(mechanism.matrix, of)
        else:
            self._check(columns(mechanism), mechanism, where)
            with _placed(mechanism, where):
                channel = primitive(mechanism)
        self._check(channel.shape[1], mechanism, where)
        return channel

    def _check(self, count: int, mechanism: Mechanism, where: str) -> None:
        if count > self.limit:
            raise LimitError(f"at most {self.limit} columns", size_text(count), _named(mechanism, where))

    def _composed(self, mechanism: Compose | Repeat, where: str, depth: int) -> Finite:
        """The parts are gathered through nested compositions where all have two rows, since order is nothing then."""
        leaves = list(self._leaves(mechanism, where, depth, 1))
        rows = {channel.shape[0] for channel, _ in leaves}
        if len(rows) > 1:
            first, *others = (channel.shape[0] for channel, _ in leaves)
            other = next(count for count in others if count != first)
            raise InputError("parts with the same number of inputs", f"{first} and {other}", _at(where, "of"))
        inputs = common_inputs([channel for channel, _ in leaves])
        with _placed(mechanism, where):
            rational = [(channel, times) for channel, times in leaves if isinstance(channel, Channel)]
            composed: Finite
            if len(rational) < len(leaves):
                composed = simplest(formal_compose([(_formal(channel), times) for channel, times in leaves]))
            elif rows == {2}:
                composed = compose(rational, max_columns=self.limit)
            else:
                composed = self._every_column(mechanism, where, depth)
        composed.inputs = inputs
        return composed

    def _leaves(self, mechanism: Mechanism, where: str, depth: int, times: int) -> Iterator[tuple[Finite, int]]:
        """The channels that a composition is made of in the end, and how often each is taken."""
        if isinstance(mechanism, Repeat) and depth <= MAX_DEPTH:
            yield from self._leaves(mechanism.of, _at(where, "of"), depth + 1, times * mechanism.times)
        elif isinstance(mechanism, Compose) and depth <= MAX_DEPTH:
            for i, part in enumerate(mechanism.of):
                yield from self._leaves(part, f"{_at(where, 'of')}[{i}]", depth + 1, times)
        else:
            yield self.channel(mechanism, where, depth), times

    def _every_column(self, mechanism: Compose | Repeat, where: str, depth: int) -> Channel:
        """The parallel composition without merging; a part of one column tells nothing, however often it runs."""
        place = _at(where, "of")
        if isinstance(mechanism, Repeat):
            parts = [(self.channel(mechanism.of, place, depth + 1), mechanism.times)]
        else:
            parts = [(self.channel(part, f"{place}[{i}]", depth + 1), 1) for i, part in enumerate(mechanism.of)]
        runs: list[Channel] = [Channel.trusted(((mpq(1),),) * parts[0][0].shape[0])]
        count = 1
        for channel, times in parts:
            if not isinstance(channel, Channel):
                raise InputError("parts with the same number of inputs", "2 and another", place)
            for _ in range(times if channel.shape[1] > 1 else 0):
                count *= channel.shape[1]
                if count > self.limit:
                    raise LimitError(f"at most {self.limit} columns", f"at least {count}", _named(mechanism, where))
                runs.append(channel)
        return parallel(runs, max_columns=self.limit)


def _at(where: str, field: str) -> str:
    return f"{where}.{field}" if where else field


def _named(mechanism: Mechanism, where: str) -> str:
    """The place and the name of a node, for a limit."""
    name = NAMES[type(mechanism)]
    return f"{where} ({name})" if where else name


@contextmanager
def _placed(mechanism: Mechanism, where: str) -> Iterator[None]:
    """Give an error of an operator its place in the expression; a limit names the node."""
    try:
        yield
    except LimitError as error:
        raise LimitError(error.expected, error.got, _named(mechanism, where)) from None
    except InputError as error:
        place = _at(where, error.where) if error.where else where
        raise InputError(error.expected, error.got, place) from None


def _formal(channel: Finite) -> FormalChannel:
    return channel if isinstance(channel, FormalChannel) else FormalChannel.from_channel(channel)


def _chosen(mechanism: Visible | Hidden, left: Finite, right: Finite) -> Finite:
    rational, formal = (visible, formal_visible) if isinstance(mechanism, Visible) else (hidden, formal_hidden)
    if isinstance(left, Channel) and isinstance(right, Channel):
        return rational(mechanism.r, left, right)
    require_same_inputs((left, right), ("left", "right"))
    return simplest(formal(mechanism.r, _formal(left), _formal(right)))


def _post(channel: Finite, matrix: Rows) -> Finite:
    if isinstance(channel, Channel):
        return post_process(channel, matrix)
    return simplest(formal_post(channel, matrix))


def _pre(matrix: Rows, channel: Finite) -> Finite:
    if isinstance(channel, Channel):
        return pre_process(matrix, channel)
    return simplest(formal_pre(matrix, channel))
