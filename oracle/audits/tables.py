"""Reading what is to be audited: a channel, a table of many inputs, an expression, an interactive mechanism, CSV, TSV.

Whatever the form, the result is a :class:`Table`: one channel (a row for each input), the neighbouring pairs of
inputs that are meant, and two hashes, of the bytes as given and of the probabilities as parsed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oracle.audits.delimited import SEPARATORS, read_delimited
from oracle.channels.channel import Channel, parse_channel
from oracle.channels.formal_channel import FormalChannel
from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.experiments.base import Experiment
from oracle.interactive.reading import interactive_from, is_interactive, to_json
from oracle.interactive.simulation import Simulation, simulate
from oracle.interactive.tightness import Tightness
from oracle.interactive.tree import InteractiveMechanism
from oracle.json_text import canonical, digest, parse, read_bytes, refuse_unknown
from oracle.mechanisms.dp_events import expression_of_event, is_dp_event
from oracle.mechanisms.evaluate import Pair as Laws
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.nodes import Mechanism
from oracle.mechanisms.parse import mechanism_from
from oracle.theorems.bounds import ProfileBound

__all__ = ["Pair", "Source", "Table", "read_table", "table_from_bytes"]

Source = str | Path | Mapping[str, Any] | Channel | FormalChannel | Experiment | Mechanism | InteractiveMechanism
"""A path to a file, a JSON value, or a channel or mechanism as it is."""

Listed = Mapping[str, object]
"""``{"pairs": ...}`` as the source states them, or nothing."""

_UNNAMED = ([("P", "Q")], [("Q", "P")])
_FORMS = ("json", "csv", "tsv")
_NAME_LENGTH = 200
_MAX_STATES = 400_000
"""Most columns of the tight channels of all nodes of an interactive mechanism that is audited (some minutes)."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A neighbouring pair: the rows of its P and its Q, and what they are called."""

    rows: tuple[int, int]
    labels: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """What is to be audited.

    Attributes:
        channel: the probabilities; a row for each input (two rows exactly where they are irrational). For a
            mechanism that is no finite table, the pair of laws itself. For an interactive mechanism, its tight channel.
        pairs: the neighbouring pairs of inputs, at least one.
        name: the last part of the file's path, or what it is.
        form: json, csv, tsv or python.
        sha256: hash of the bytes as given; None for a value that came from Python.
        expression: the mechanism expression as understood, where there is one.
        data: the bytes as given, of a value from Python its JSON; None where it has no JSON form.
        given: whether the pairs were given beside the table.
        simulation: of an interactive mechanism its simulation by the tight channel; else None.
    """

    channel: Laws
    pairs: tuple[Pair, ...]
    name: str
    form: str
    sha256: str | None
    expression: Mapping[str, Any] | None = None
    data: bytes | None = field(default=None, repr=False, compare=False)
    given: bool = False
    simulation: Simulation | None = field(default=None, repr=False, compare=False)

    @property
    def parsed_sha256(self) -> str:
        """Hash of the probabilities as parsed, labels left out: the same for a table in CSV and in JSON.

        For a table of two rows it is the hash under which the checker names the channel. For an interactive mechanism
        it is that of the tree, labels included.
        """
        if self.simulation is not None:
            return self.simulation.mechanism.hash
        return probabilities_hash(self.channel)

    def pair_channel(self, pair: Pair) -> Laws:
        """The two-row channel of one of the pairs."""
        if isinstance(self.channel, Experiment):
            return self.channel
        if isinstance(self.channel, FormalChannel):
            return self.channel if pair.rows == (0, 1) else self.channel.swapped()
        if self.channel.shape[0] == 2 and pair.rows == (0, 1):
            return self.channel
        return self.channel.pair(*pair.rows)


def probabilities_hash(channel: Laws) -> str:
    """SHA-256 of the canonical JSON of ``{"matrix": ...}``, or of ``{"rows": ...}`` for irrational weights.

    For a pair of laws that is no finite table, that of its expression.
    """
    if isinstance(channel, Channel):
        return channel.hash
    if isinstance(channel, Experiment):
        return digest(channel.to_json())
    return digest({"rows": [[weight.to_json() for weight in row] for row in channel.rows]})


def read_table(source: Source, pairs: Sequence[Sequence[str]] | None = None, form: str | None = None) -> Table:
    """Read what is to be audited.

    Args:
        source: a path, a JSON value (a channel, a table with "pairs", an expression), a channel, a mechanism node, or a
            DpEvent of dp-accounting.
        pairs: neighbouring pairs of input labels, where the source itself lists none.
        form: json, csv or tsv in the place of what the ending of the path says.

    Raises:
        InputError: for anything malformed, with its place; LimitError for numbers or tables beyond the limits.
        Declined: for a mechanism that is not offered.
    """
    if isinstance(source, (str, Path)):
        path = Path(source)
        ending = path.suffix.lower().removeprefix(".")
        known = form or (ending if ending in SEPARATORS else None)
        return table_from_bytes(read_bytes(path), str(source), pairs, name=path.name, form=known)
    if is_interactive(source):
        mechanism = interactive_from(source, "")
        document = to_json(mechanism) if isinstance(source, InteractiveMechanism) else source
        return _interactive(mechanism, "(Python value)", "python", canonical(document).encode(), pairs)
    channel, listed, expression = _from_value(source, "table")
    found = _pairs(channel, listed, pairs, "table")
    value = expression or ({**channel.to_json(), **listed} if isinstance(channel, Channel) else None)
    data = None if value is None else canonical(value).encode()
    return Table(channel, found, "(Python value)", "python", None, expression, data, given=bool(pairs))


def table_from_bytes(
    data: bytes, where: str, pairs: Sequence[Sequence[str]] | None = None, *, name: str = "", form: str | None = None
) -> Table:
    """Read the bytes of a file; *where* names it in errors. It is JSON unless *form* is csv or tsv."""
    if form is not None and form not in _FORMS:
        raise InputError("json, csv or tsv", shorten(form), "format")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("UTF-8 text", f"the byte 0x{data[error.start]:02x} at offset {error.start}", where) from None
    listed: Listed = {}
    expression: Mapping[str, Any] | None = None
    channel: Laws
    if form in SEPARATORS:
        channel = read_delimited(text, SEPARATORS[form], where)
    else:
        value = _json(text, where, guessed=form is None)
        if is_interactive(value):
            return _interactive(
                interactive_from(value, where), shorten(name or where, _NAME_LENGTH), "json", data, pairs
            )
        channel, listed, expression = _from_value(value, where)
    found, sha256 = _pairs(channel, listed, pairs, where), hashlib.sha256(data).hexdigest()
    named = shorten(name or where, _NAME_LENGTH)
    return Table(channel, found, named, form or "json", sha256, expression, data, given=bool(pairs))


def _interactive(
    mechanism: InteractiveMechanism, name: str, form: str, data: bytes, pairs: Sequence[Sequence[str]] | None
) -> Table:
    """The table of an interactive mechanism: its tight channel, on its own pair of inputs."""
    tight = Tightness(mechanism)
    states = sum(tight.at(node).shape[1] for node in mechanism.nodes)
    if states > _MAX_STATES:
        raise LimitError(f"tight channels of at most {_MAX_STATES} columns at all nodes", f"{states}", "interactive")
    _require_own_pair(pairs)
    sha256 = None if form == "python" else hashlib.sha256(data).hexdigest()
    own = (Pair((0, 1), ("P", "Q")),)
    return Table(tight.channel, own, name, form, sha256, None, data, bool(pairs), simulate(mechanism, tight))


def _json(text: str, where: str, *, guessed: bool) -> object:
    """Parse JSON; of what looks like lines of cells the error says how to have it read as such."""
    try:
        return parse(text, where)
    except LimitError:
        raise
    except InputError as error:
        lines = text.lstrip("\ufeff").split("\n", 1)
        if guessed and lines[0].lstrip()[:1] not in ("", "{", "[") and any(cut in lines[0] for cut in ",;\t"):
            got = f"{error.got} (CSV needs the ending .csv or .tsv, or --format)"
            raise InputError(error.expected, got, where) from None
        raise


def _from_value(value: object, where: str) -> tuple[Laws, Listed, Mapping[str, Any] | None]:
    """The channel of a JSON value or Python object, its "pairs" if it has the key, and its expression."""
    if is_dp_event(value):
        value = expression_of_event(value, where)
    if isinstance(value, Experiment):
        return value, {}, value.to_json()
    if isinstance(value, FormalChannel):
        return value, {}, None
    if isinstance(value, Channel):
        if any(mass != 1 for mass in value.masses):
            raise InputError("rows that sum to 1", "a partial channel", where)
        return value, {}, None
    if isinstance(value, Mapping):
        if "mechanism" in value:
            mechanism = mechanism_from(value, where)
            return evaluate(mechanism, where), {}, mechanism.to_json()
        refuse_unknown(dict(value), ("matrix", "inputs", "outputs", "pairs"), where)
        channel = parse_channel({key: item for key, item in value.items() if key != "pairs"}, where)
        return channel, {key: item for key, item in value.items() if key == "pairs"}, None
    if isinstance(value, Mechanism):
        return evaluate(value, where), {}, value.to_json()
    raise InputError('a table {"matrix": [...]} or an expression {"mechanism": ...}', shorten(value), where)


def _pairs(channel: Laws, listed: Listed, given: Sequence[Sequence[str]] | None, where: str) -> tuple[Pair, ...]:
    """The pairs that are meant: those listed in the table or those given beside it, else the two rows."""
    if listed and given:
        raise InputError("the pairs in one place", '"pairs" in the table and --pair', where)
    if isinstance(channel, Experiment):
        return _own_pair(channel, given)
    inputs = channel.inputs
    if not listed and not given:
        if channel.shape[0] == 2:
            return (Pair((0, 1), ("P", "Q") if inputs is None else (inputs[0], inputs[1])),)
        if channel.shape[0] < 2:
            raise InputError("a row for each of at least two inputs", "one row", where)
        wanted = 'its neighbouring pairs of inputs: "pairs": [["A", "B"], ...] in the table, or --pair A B'
        raise InputError(wanted, f"{channel.shape[0]} inputs and no pairs", where)
    place, values = (f"{where}.pairs", listed["pairs"]) if listed else ("--pair", given)
    if inputs is None:
        if channel.shape[0] == 2 and [tuple(pair) for pair in given or ()] in _UNNAMED:
            return tuple(Pair((0, 1) if pair[0] == "P" else (1, 0), (pair[0], pair[1])) for pair in given or ())
        wanted = 'labels of the inputs ("inputs" in JSON, a header line in CSV), by which the pairs name them'
        raise InputError(wanted, "none", where)
    return _named_pairs(values, inputs, place)


def _named_pairs(values: object, inputs: Sequence[str], place: str) -> tuple[Pair, ...]:
    """The listed pairs by their labels, each once."""
    if not isinstance(values, (list, tuple)) or not values:
        raise InputError("a list of at least one pair of input labels", shorten(values), place)
    rows = {label: i for i, label in enumerate(inputs)}
    found: dict[frozenset[int], Pair] = {}
    for i, value in enumerate(values):
        pair = _pair(value, rows, f"{place}[{i}]")
        if frozenset(pair.rows) in found:
            shown = ", ".join(f'"{shorten(label)}"' for label in pair.labels)
            raise InputError("each pair once (both orders are meant)", f"{shown} again", f"{place}[{i}]")
        found[frozenset(pair.rows)] = pair
    return tuple(found.values())


def _own_pair(channel: Experiment, given: Sequence[Sequence[str]] | None) -> tuple[Pair, ...]:
    """The one pair of a mechanism that is no finite table; declined where only a bound is known of it."""
    if isinstance(channel, ProfileBound):
        name = channel.amplification.theorem
        raise Declined(f"of this mechanism only the bound of {name} is known; ask for delta, epsilon or satisfies")
    _require_own_pair(given)
    return (Pair((0, 1), ("P", "Q")),)


def _require_own_pair(given: Sequence[Sequence[str]] | None) -> None:
    if given and [tuple(pair) for pair in given] != [("P", "Q")]:
        raise InputError("no pairs, since the mechanism is one pair of laws", "pairs", "--pair")


def _pair(value: object, rows: Mapping[str, int], place: str) -> Pair:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not all(isinstance(item, str) for item in value):
        raise InputError("a pair of input labels", shorten(value), place)
    for label in value:
        if label not in rows:
            known = ", ".join(f'"{shorten(name)}"' for name in list(rows)[:10]) + (", ..." if len(rows) > 10 else "")
            raise InputError(f"the label of an input ({known})", f'"{shorten(label)}"', place)
    first, second = value
    if first == second:
        raise InputError("two different inputs", f'"{shorten(first)}" twice', place)
    return Pair((rows[first], rows[second]), (first, second))
