"""From a mechanism expression to its channel, exactly, within stated limits.

The result is a rational :class:`Channel` whenever every probability is rational, and otherwise a
:class:`FormalChannel`, whose comparisons are exact too. Choices and processing keep every column. What the columns of
a composition are depends on what is asked for. Where only the law matters (*merged*), a composition of two-row
channels merges equal likelihood ratios and is canonical. Where columns are identified by their position it is the whole
product: every column, zero columns too, in the lexicographic order of
:func:`~oracle.channels.operators.parallel`, the last part fastest. So it always is under a ``post`` or ``hidden``
node, and for more than two rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.channels.composition import compose
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.formal_operators import (
    formal_compose,
    formal_hidden,
    formal_parallel,
    formal_post,
    formal_pre,
    formal_visible,
)
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
from oracle.mechanisms.continuous import bag, composition_of_tables, experiment_of
from oracle.mechanisms.groups import without_groups
from oracle.mechanisms.nodes import (
    MAX_DEPTH,
    NAMES,
    Compose,
    Group,
    Hidden,
    Mechanism,
    Post,
    Pre,
    Repeat,
    Visible,
)
from oracle.mechanisms.primitives import Finite, columns, primitive, simplest
from oracle.mechanisms.relations import relation_of
from oracle.mechanisms.sampling import SAME, Subsample, group_bound, subsampled_table, uses_table

__all__ = ["MAX_COLUMNS", "Pair", "evaluate", "evaluate_composition", "evaluate_finite"]

MAX_COLUMNS: Final = 100_000
"""Most columns of an evaluated mechanism, unless the caller says otherwise."""


Pair = Finite | Experiment
"""A finite table, rational or formal, or a pair of laws that is none."""


def evaluate(mechanism: Mechanism, where: str = "", *, max_columns: int = MAX_COLUMNS, merged: bool = True) -> Pair:
    """The channel of a finite mechanism, the experiment of another; *where* is its place in errors.

    A composition of two-row tables that is itself too large a table is an experiment too, if its parts are within the
    limit.

    With *merged* the result stands for its law, and compositions may merge columns of equal likelihood ratio; without
    it every column of a composition is kept in its place (see the module's text).

    Raises:
        InputError: for parts that do not fit one another: other inputs, labels, shapes or neighbouring relations.
        Declined: for a combination that is not offered.
        LimitError: for more than *max_columns* columns or a table too large to hold, in any part or, where every
            column is kept, in all, and for mechanisms nested deeper than MAX_DEPTH; it names the place and the node.
    """
    return _evaluated(mechanism, where, max_columns=max_columns, merged=merged, large=True)


def _evaluated(mechanism: Mechanism, where: str, *, max_columns: int, merged: bool, large: bool) -> Pair:
    """The pair; with *large* also that of a composition too large for a table."""
    relation_of(mechanism, where)
    if isinstance(mechanism, Group) and not _is_scaled(mechanism):
        pair = evaluate(mechanism.of, _at(where, "of"), max_columns=max_columns)
        with _placed(mechanism, where):
            return group_bound(mechanism, pair)
    mechanism = without_groups(mechanism, where)
    # A scaled base is evaluated apart: results are kept by identity, for parts that live as long as the whole.
    experiment = experiment_of(mechanism, lambda of: _Evaluation(max_columns).channel(of, _at(where, "of"), 0))
    if experiment is not None:
        return experiment
    evaluation = _Evaluation(max_columns)
    try:
        return evaluation.channel(mechanism, where, 0, merged=merged)
    except LimitError:
        composition = evaluation.without_table(mechanism, where) if merged and large else None
        if composition is None:
            raise
        return composition


def evaluate_composition(mechanism: Mechanism, where: str = "") -> Pair:
    """The same as :func:`evaluate`, but a composition of rational tables is not made into one.

    Their accountant is exact too, and often faster; its answers come with the method.
    """
    relation_of(mechanism, where)
    resolved = mechanism if isinstance(mechanism, Group) else without_groups(mechanism, where)
    if isinstance(resolved, (Compose, Repeat)):
        found = _Evaluation(MAX_COLUMNS).without_table(resolved, where, rational=True)
        if found is not None:
            return found
    return evaluate(mechanism, where)


def _is_scaled(group: Group) -> bool:
    """Whether the group is a multiple of the sensitivity."""
    try:
        without_groups(group)
    except Declined:
        return False
    return True


def evaluate_finite(
    mechanism: Mechanism, where: str = "", *, max_columns: int = MAX_COLUMNS, merged: bool = True
) -> Finite:
    """The same, declined for a mechanism that is not a finite table."""
    pair = _evaluated(mechanism, where, max_columns=max_columns, merged=merged, large=False)
    if isinstance(pair, Experiment):
        name = NAMES[type(mechanism)]
        raise Declined(f"{_at(where, name)} is not a finite table, and this operation works on finite tables only")
    return pair


class _Evaluation:
    """One evaluation: its limit, and the channel of every part that is done, each evaluated once."""

    def __init__(self, max_columns: int) -> None:
        self.limit = max_columns
        self.known: dict[tuple[int, bool], Finite] = {}

    def channel(self, mechanism: Mechanism, where: str, depth: int, *, merged: bool = True) -> Finite:
        if depth > MAX_DEPTH:
            raise LimitError(f"at most {MAX_DEPTH} mechanisms inside one another", "more", where)
        key = id(mechanism), merged
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self._evaluated(mechanism, where, depth, merged=merged)
        return known

    def without_table(self, mechanism: Mechanism, where: str, *, rational: bool = False) -> Experiment | None:
        """A composition of pairs of finite laws as the accountant takes it; with *rational* only of rational ones.

        None for anything else, and where a part is too large.
        """
        if not isinstance(mechanism, (Compose, Repeat)):
            return None
        place = _at(where, "of")
        try:
            if not all(self.is_table(of, place) for of, _ in bag(mechanism)):
                return None
            tables = [self.channel(of, place, 0) for of, _ in bag(mechanism)]
            if any(table.shape[0] != 2 or (rational and not isinstance(table, Channel)) for table in tables):
                return None
            return composition_of_tables(mechanism, lambda of: self.channel(of, place, 0))
        except LimitError:
            return None

    def is_table(self, mechanism: Mechanism, where: str) -> bool:
        """Whether a mechanism is a finite table."""
        return experiment_of(mechanism, lambda of: self.channel(of, where, 0)) is None

    def _evaluated(self, mechanism: Mechanism, where: str, depth: int, *, merged: bool) -> Finite:
        # Hidden choice and post-processing identify columns by position. The other nodes act on each column alike,
        # so that the law of the result does not depend on whether equal ratios were merged below.
        below = merged and not isinstance(mechanism, (Hidden, Post))
        if isinstance(mechanism, (Compose, Repeat)):
            channel = self._composed(mechanism, where, depth, merged=merged)
        elif isinstance(mechanism, (Visible, Hidden)):
            left, right = (
                self.channel(part, _at(where, side), depth + 1, merged=below)
                for part, side in ((mechanism.left, "left"), (mechanism.right, "right"))
            )
            with _placed(mechanism, where):
                channel = _chosen(mechanism, left, right)
        elif isinstance(mechanism, (Post, Pre)):
            of = self.channel(mechanism.of, _at(where, "of"), depth + 1, merged=below)
            with _placed(mechanism, where):
                channel = _post(of, mechanism.matrix) if isinstance(mechanism, Post) else _pre(mechanism.matrix, of)
        elif isinstance(mechanism, Subsample):
            place = _at(where, "of")
            base = self.channel(mechanism.of, place, depth + 1, merged=below) if uses_table(mechanism) else SAME
            with _placed(mechanism, where):
                channel = subsampled_table(mechanism, base)
        else:
            self._check(columns(mechanism), mechanism, where)
            with _placed(mechanism, where):
                channel = primitive(mechanism)
        self._check(channel.shape[1], mechanism, where)
        return channel

    def _check(self, count: int, mechanism: Mechanism, where: str) -> None:
        if count > self.limit:
            raise LimitError(f"at most {self.limit} columns", size_text(count), _named(mechanism, where))

    def _composed(self, mechanism: Compose | Repeat, where: str, depth: int, *, merged: bool) -> Finite:
        """The parts are gathered through nested compositions, whose products are associative; merged, commutative."""
        leaves = list(self._leaves(mechanism, where, depth, merged=merged))
        rows = {channel.shape[0] for channel, _ in leaves}
        if len(rows) > 1:
            first, *others = (channel.shape[0] for channel, _ in leaves)
            other = next(count for count in others if count != first)
            raise InputError("parts with the same number of inputs", f"{first} and {other}", _at(where, "of"))
        inputs = common_inputs([channel for channel, _ in leaves])
        composed: Finite
        if not merged:
            composed = self._every_column(mechanism, leaves, where)
        elif rows != {2}:
            composed = self._every_column(mechanism, list(self._leaves(mechanism, where, depth, merged=False)), where)
        else:
            with _placed(mechanism, where):
                rational = [(channel, times) for channel, times in leaves if isinstance(channel, Channel)]
                if len(rational) < len(leaves):
                    composed = simplest(formal_compose([(_formal(channel), times) for channel, times in leaves]))
                else:
                    composed = compose(rational, max_columns=self.limit)
        composed.inputs = inputs
        return composed

    def _leaves(self, mechanism: Mechanism, where: str, depth: int, *, merged: bool) -> Iterator[tuple[Finite, int]]:
        """The channels that a composition is made of in the end, in their order, and how often each is taken."""
        if isinstance(mechanism, Repeat) and not mechanism.times and not self.is_table(mechanism.of, where):
            yield SAME, 1
        elif isinstance(mechanism, Repeat) and depth <= MAX_DEPTH:
            found = list(self._leaves(mechanism.of, _at(where, "of"), depth + 1, merged=merged))
            if merged or len(found) == 1:
                yield from ((channel, times * mechanism.times) for channel, times in found)
            else:
                yield self._repeated(mechanism, found, where), mechanism.times
        elif isinstance(mechanism, Compose) and depth <= MAX_DEPTH:
            for i, part in enumerate(mechanism.of):
                yield from self._leaves(part, f"{_at(where, 'of')}[{i}]", depth + 1, merged=merged)
        else:
            yield self.channel(mechanism, where, depth, merged=merged), 1

    def _repeated(self, mechanism: Repeat, parts: list[tuple[Finite, int]], where: str) -> Finite:
        """The product of the parts of what is repeated, which must have the same number of inputs."""
        if len({channel.shape[0] for channel, _ in parts}) > 1:
            raise InputError("parts with the same number of inputs", "different ones", _at(where, "of"))
        product = self._every_column(mechanism, parts, where)
        product.inputs = common_inputs([channel for channel, _ in parts])
        return product

    def _every_column(self, mechanism: Compose | Repeat, leaves: list[tuple[Finite, int]], where: str) -> Finite:
        """The parallel composition without merging; a part of one column tells nothing, however often it runs."""
        runs: list[Finite] = [Channel.trusted(((mpq(1),),) * leaves[0][0].shape[0])]
        count = 1
        for channel, times in leaves:
            for _ in range(times if channel.shape[1] > 1 else 0):
                count *= channel.shape[1]
                if count > self.limit:
                    expected = f"at most {self.limit} columns"
                    if channel.shape[0] == 2:
                        expected += ", all of which are kept in their places here (canonical merges equal ratios)"
                    raise LimitError(expected, f"at least {count}", _named(mechanism, where))
                runs.append(channel)
        with _placed(mechanism, where):
            rational = [channel for channel in runs if isinstance(channel, Channel)]
            if len(rational) == len(runs):
                return parallel(rational, max_columns=self.limit)
            return simplest(formal_parallel([_formal(channel) for channel in runs]))


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
