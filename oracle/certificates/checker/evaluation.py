"""The `evaluation` certificate: a list of facts, each recomputed, that together make a counterexample.

An optional field `about` names what the facts are meant for; it is shown in quotes and proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from .claims import ONE_DIRECTION
from .curves import Law, curve, curve_hash, curve_value
from .matrices import (
    Channel,
    matrix,
    matrix_hash,
    partial_channel,
    require_dense_product,
    require_work,
    stochastic_channel,
    sum_pairs,
    total,
)
from .naming import Namer
from .normal import normal_sign
from .reading import (
    choice,
    event,
    fields,
    index,
    items,
    nonnegative,
    number,
    probability,
    require_equal,
)
from .series import exp_sign
from .verdict import Accepted, Rejected, quoted

_RELATIONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    "=": lambda left, right: left == right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "!=": lambda left, right: left != right,
}
_CONCLUSIONS = ("compare", "product", "equivalent")
_SHOWN_CONCLUSIONS = 12
_LONGEST_ABOUT = 80


class _Facts:
    """The facts read so far: their values, the ends of their brackets, the hashes of their subjects."""

    def __init__(self) -> None:
        self.values: list[Fraction | None] = []
        self.ends: list[dict[str, Fraction]] = []
        self.named: list[tuple[str, str]] = []

    def channel(self, fact: dict[str, object], name: str, where: str, *, rows: int | None) -> Channel:
        """Read a stochastic channel of a fact and note its hash."""
        channel = stochastic_channel(fact[name], f"{where}.{name}", rows)
        self.note(f"{where}.{name}", channel.digest)
        return channel

    def matrix(self, fact: dict[str, object], name: str, where: str) -> list[list[Fraction]]:
        """Read a matrix of a fact and note its hash."""
        rows = matrix(fact[name], f"{where}.{name}")
        self.note(f"{where}.{name}", matrix_hash(fact[name]))
        return rows

    def note(self, where: str, digest: str) -> None:
        """Name something the statement is about."""
        self.named.append((where.removeprefix("$."), digest))

    def reference(self, value: object, where: str) -> Fraction:
        """Read a REF: a number, the value of an earlier fact, or an end of an earlier bracket."""
        if not isinstance(value, dict):
            return number(value, where)
        with_end = "end" in value
        reference = fields(value, ("fact", "end") if with_end else ("fact",), where)
        k = index(reference["fact"], len(self.values), f"{where}.fact")
        if with_end:
            end = choice(reference["end"], ("lo", "hi"), f"{where}.end")
            if end not in self.ends[k]:
                raise Rejected("the fact referred to is not a bracket", where)
            return self.ends[k][end]
        found = self.values[k]
        if found is None:
            raise Rejected("the fact referred to has no value", where)
        return found


def _event_sum(facts: _Facts, fact: dict[str, object], where: str) -> Fraction:
    rows = facts.matrix(fact, "matrix", where)
    row = rows[index(fact["row"], len(rows), f"{where}.row")]
    return total(row[k] for k in event(fact["event"], len(row), f"{where}.event"))


def _curve_value(facts: _Facts, fact: dict[str, object], where: str) -> Fraction:
    if "tradeoff" in fact:
        corners = curve(fact["tradeoff"], f"{where}.tradeoff")
        facts.note(f"{where}.tradeoff", curve_hash(fact["tradeoff"]))
    else:
        corners = Law(facts.channel(fact, "channel", where, rows=2), f"{where}.channel").corners()
    return curve_value(corners, probability(fact["alpha"], f"{where}.alpha"))


def _hockey_stick(facts: _Facts, fact: dict[str, object], where: str) -> Fraction:
    channel = facts.channel(fact, "channel", where, rows=2)
    level = nonnegative(fact["level"], f"{where}.level")
    if choice(fact["direction"], ONE_DIRECTION, f"{where}.direction") == "forward":
        channel = Channel(channel.rows[::-1], channel.masses, channel.digest)
    return Law(channel, f"{where}.channel").hockey_stick(level)


def _expected_gain(action: Sequence[Fraction], column: Sequence[Fraction]) -> Fraction:
    """Return sum_x g[x] C[x][y]."""
    pairs = zip(action, column, strict=True)
    return Fraction(*sum_pairs((g.numerator * c.numerator, g.denominator * c.denominator) for g, c in pairs))


def _vulnerability(facts: _Facts, fact: dict[str, object], where: str) -> Fraction:
    """V_g = (1/rows) sum_y max_a sum_x g[a][x] C[x][y], the uniform prior."""
    channel = facts.channel(fact, "channel", where, rows=None)
    gain = facts.matrix(fact, "gain", where)
    if len(gain[0]) != len(channel.rows):
        raise Rejected(f"expected {len(channel.rows)} entries per action, got {len(gain[0])}", f"{where}.gain")
    require_work(len(gain) * len(channel.rows) * channel.columns, where)
    best = [max(_expected_gain(action, column) for action in gain) for column in zip(*channel.rows, strict=True)]
    return total(best) / len(channel.rows)


def _combination(facts: _Facts, fact: dict[str, object], where: str) -> Fraction:
    products = []
    for k, item in enumerate(items(fact["terms"], f"{where}.terms", 1)):
        place = f"{where}.terms[{k}]"
        term = items(item, place)
        if len(term) != 2:
            raise Rejected("expected [coefficient, reference]", place)
        products.append(number(term[0], f"{place}[0]") * facts.reference(term[1], f"{place}[1]"))
    return total(products)


def _product(facts: _Facts, fact: dict[str, object], where: str) -> None:
    left, right, product = (facts.matrix(fact, name, where) for name in ("left", "right", "product"))
    require_dense_product(left, right, product, where)


def _canonical(channel: Channel) -> dict[Fraction | None, tuple[Fraction, Fraction]]:
    """Return the summed columns by ratio q/p, None for p = 0 < q: equal exactly when the canonical forms are."""
    columns: dict[Fraction | None, list[tuple[Fraction, Fraction]]] = {}
    for p, q in zip(*channel.rows, strict=True):
        if p or q:
            columns.setdefault(q / p if p else None, []).append((p, q))
    return {ratio: (total(p for p, _ in merged), total(q for _, q in merged)) for ratio, merged in columns.items()}


def _equivalent(facts: _Facts, fact: dict[str, object], where: str) -> None:
    forms = []
    for name in ("left", "right"):
        channel = partial_channel(fact[name], f"{where}.{name}", 2)
        facts.note(f"{where}.{name}", channel.digest)
        forms.append(_canonical(channel))
    if forms[0] != forms[1]:
        raise Rejected("the canonical forms differ", where)


def _compare(facts: _Facts, fact: dict[str, object], where: str) -> None:
    left, right = (facts.reference(fact[name], f"{where}.{name}") for name in ("left", "right"))
    relation = choice(fact["relation"], _RELATIONS, f"{where}.relation")
    if not _RELATIONS[relation](left, right):
        raise Rejected("the comparison is false", where)


def _bracket(facts: _Facts, fact: dict[str, object], where: str) -> None:
    """Check lo <= f(argument) <= hi for exp, log and normal, which is Phi; lo <= ln x is proved as e^lo <= x."""
    function = choice(fact["function"], ("exp", "log", "normal"), f"{where}.function")
    argument = number(fact["argument"], f"{where}.argument")
    low, high = (number(fact[end], f"{where}.{end}") for end in ("lo", "hi"))
    if function == "log" and argument <= 0:
        raise Rejected("expected an argument > 0", f"{where}.argument")
    for bound, wanted, end in ((low, 1, "lo"), (high, -1, "hi")):
        if function == "exp":
            found = exp_sign(argument, bound, f"{where}.{end}")
        elif function == "normal":
            found = normal_sign(argument, bound, f"{where}.{end}")
        else:
            found = -exp_sign(bound, argument, f"{where}.{end}")
        if found * wanted < 0:
            raise Rejected(f"{end} is on the wrong side of the value", f"{where}.{end}")
    facts.ends[-1] = {"lo": low, "hi": high}


_Check = Callable[[_Facts, dict[str, object], str], Fraction | None]
_CHECKS: dict[str, tuple[tuple[str, ...], _Check]] = {
    "event_sum": (("matrix", "row", "event", "value"), _event_sum),
    "curve_value": (("channel", "alpha", "value"), _curve_value),
    "hockey_stick": (("channel", "level", "direction", "value"), _hockey_stick),
    "vulnerability": (("channel", "gain", "value"), _vulnerability),
    "product": (("left", "right", "product"), _product),
    "equivalent": (("left", "right"), _equivalent),
    "combination": (("terms", "value"), _combination),
    "compare": (("left", "relation", "right"), _compare),
    "bracket": (("function", "argument", "lo", "hi"), _bracket),
}


def _about(document: dict[str, object]) -> str:
    """Read the optional field `about`, a short printable text that the checker does not understand."""
    if "about" not in document:
        return ""
    text = document["about"]
    if not isinstance(text, str) or not 1 <= len(text) <= _LONGEST_ABOUT or not text.isprintable():
        raise Rejected(f"expected 1 to {_LONGEST_ABOUT} printable characters", "$.about")
    return f" About: {quoted(text)} (not checked)."


def _statement(checked: list[dict[str, object]], named: list[tuple[str, str]]) -> str:
    """Return what the comparisons, products and equivalences say."""
    conclusions = [k for k, fact in enumerate(checked) if fact["fact"] in _CONCLUSIONS]
    if not conclusions:
        raise Rejected(f"expected at least one fact of {', '.join(_CONCLUSIONS)}", "$.facts")
    names = Namer(checked, dict(named))
    listed = "; ".join(names.conclusion(k) for k in conclusions[:_SHOWN_CONCLUSIONS])
    if len(conclusions) > _SHOWN_CONCLUSIONS:
        listed += f"; and {len(conclusions) - _SHOWN_CONCLUSIONS} more"
    legend = names.legend()
    return f"All {len(checked)} facts hold, among them: {listed}{f'; where {legend}' if legend else ''}."


def check_evaluation(document: dict[str, object]) -> Accepted:
    """Check an `evaluation` certificate: every fact, at least one of them a comparison, product or equivalence."""
    about = _about(document)
    facts = _Facts()
    checked = []
    for k, item in enumerate(items(document["facts"], "$.facts", 1)):
        where = f"$.facts[{k}]"
        name = choice(item.get("fact") if isinstance(item, dict) else None, _CHECKS, f"{where}.fact")
        names, check = _CHECKS[name]
        if name == "curve_value" and isinstance(item, dict) and "tradeoff" in item:
            names = ("tradeoff", "alpha", "value")
        fact = fields(item, ("fact", *names), where)
        checked.append(fact)
        facts.ends.append({})
        value = check(facts, fact, where)
        if value is not None:
            require_equal(number(fact["value"], f"{where}.value"), value, f"the {name}", f"{where}.value")
        facts.values.append(value)
    return Accepted("evaluation", _statement(checked, facts.named) + about, tuple(facts.named))
