"""Whether the statement of a certificate is true, by definition: all 2^n events, convex hulls, and ball arithmetic.

Nothing of the package under test is imported.  Documents given here were accepted, so they are well-formed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from flint import arb, ctx, fmpq

from tests.certificates.checker import divergence_truth, gdp_profile_truth, statistics_truth
from tests.certificates.checker.interactive_truth import event_views, is_simulated, view_laws

Row = list[Fraction]
Point = tuple[Fraction, Fraction]
ctx.prec = 600


def _rows(channel: Any) -> list[Row]:
    return [[Fraction(text) for text in row] for row in channel["matrix"]]


def _masses(channel: Any) -> list[Fraction]:
    return [sum(row, Fraction(0)) for row in _rows(channel)]


def _events(columns: int) -> Iterator[list[int]]:
    for mask in range(1 << columns):
        yield [k for k in range(columns) if mask >> k & 1]


def _errors(channel: Any) -> list[Point]:
    """(P(S), f - Q(S)) for every event S."""
    p, q = _rows(channel)
    mass = sum(q)
    return [(sum((p[k] for k in s), Fraction(0)), mass - sum(q[k] for k in s)) for s in _events(len(p))]


def _hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the lower convex hull, by increasing first coordinate."""
    lowest: dict[Fraction, Fraction] = {}
    for x, y in points:
        lowest[x] = min(y, lowest.get(x, y))
    hull: list[Point] = []
    for x, y in sorted(lowest.items()):
        while len(hull) > 1:
            (a, b), (c, d) = hull[-2:]
            if (d - b) * (x - a) < (y - b) * (c - a):
                break
            hull.pop()
        hull.append((x, y))
    return hull


def _at(corners: Sequence[Point], x: Fraction) -> Fraction:
    for (a, b), (c, d) in pairwise(corners):
        if a <= x <= c:
            return b + (d - b) * (x - a) / (c - a)
    raise AssertionError(f"{x} is outside the curve")


def _curve(document: Any) -> list[Point]:
    return [(Fraction(x), Fraction(y)) for x, y in document]


def _product(left: list[Row], by: Any) -> list[Row]:
    dense = [[Fraction(0)] * by["columns"] for _ in range(by["rows"])]
    for i, j, text in by["entries"]:
        assert dense[i][j] == 0
        dense[i][j] = Fraction(text)
    assert all(sum(row) == 1 and min(row) >= 0 for row in dense)
    return [
        [sum((a * row[j] for a, row in zip(line, dense, strict=True)), Fraction(0)) for j in range(by["columns"])]
        for line in left
    ]


def _below(left: Any, right: Any) -> bool:
    """Two rows: left refines to right iff T(left) <= T(right), looked at in every corner."""
    lower, upper = _hull(_errors(left)), _hull(_errors(right))
    return _masses(left) == _masses(right) and all(_at(lower, x) <= y for x, y in upper)


def refinement(d: Any) -> bool:
    """The witness is a witness; for two rows also the curves are in order."""
    witnessed = _product(_rows(d["left"]), d["witness"]) == _rows(d["right"])
    return witnessed and (len(d["left"]["matrix"]) != 2 or _below(d["left"], d["right"]))


def separating_level(d: Any) -> bool:
    """The curves are not in order, and the values are the sums."""
    h = Fraction(d["h"])
    values = [
        sum(max(Fraction(0), q - h * p) for p, q in zip(*_rows(d[name]), strict=True)) for name in ("left", "right")
    ]
    stated = [Fraction(d["left_value"]), Fraction(d["right_value"])]
    return _masses(d["left"]) == _masses(d["right"]) and not _below(d["left"], d["right"]) and values == stated


def separating_gain(d: Any) -> bool:
    """The values are the expected gains of the best actions, and left has less."""
    gain = [[Fraction(g) for g in action] for action in d["gain"]]
    values = []
    for name in ("left", "right"):
        columns = list(zip(*_rows(d[name]), strict=True))
        best = [max(sum(g * x for g, x in zip(action, column, strict=True)) for action in gain) for column in columns]
        values.append(sum(best, Fraction(0)) / len(columns[0]))
    stated = [Fraction(d["left_value"]), Fraction(d["right_value"])]
    return _masses(d["left"]) == _masses(d["right"]) and values == stated and values[0] < values[1]


def glb(d: Any) -> bool:
    """The curve is the lower convex hull of the members' curves."""
    points = [point for member in d["channels"] for point in _errors(member)]
    stated = [(Fraction(c["alpha"]), Fraction(c["beta"])) for c in d["corners"]]
    masses = {tuple(_masses(c)) for c in (d["glb"], *d["channels"])}
    return len(masses) == 1 and _hull(points) == _simplified(stated) and _hull(_errors(d["glb"])) == _simplified(stated)


def _simplified(corners: list[Point]) -> list[Point]:
    assert _hull(corners) == corners
    return corners


def lub(d: Any) -> bool:
    """The curve is the pointwise maximum: equal in every corner, and half-way between (both are linear or convex)."""
    members = [_hull(_errors(member)) for member in d["channels"]]
    bound = _hull(_errors(d["lub"]))
    xs = sorted({x for corners in (bound, *members) for x, _ in corners})
    xs += [(a + b) / 2 for a, b in pairwise(xs)]
    masses = {tuple(_masses(c)) for c in (d["lub"], *d["channels"])}
    return len(masses) == 1 and all(_at(bound, x) == max(_at(member, x) for member in members) for x in xs)


def tradeoff(d: Any) -> bool:
    """The corners are those of the hull of all events."""
    return _hull(_errors(d["channel"])) == [(Fraction(c["alpha"]), Fraction(c["beta"])) for c in d["corners"]]


def _ball(text: str | Fraction) -> arb:
    number = Fraction(text)
    return arb(fmpq(number.numerator, number.denominator))


def _level(claim: Any) -> arb | None:
    """e^epsilon, None for infinity."""
    if "epsilon" in claim:
        return _ball(claim["epsilon"]).exp()
    return None if claim["exp_epsilon"] == "inf" else _ball(claim["exp_epsilon"])


def _excess(p: Sequence[Any], q: Sequence[Any], level: arb | None, event: list[int]) -> arb | None:
    """P(S) - level Q(S) in balls; None for minus infinity."""
    large, small = (sum((row[k] for k in event), arb(0)) for row in (p, q))
    if level is None:
        return large if bool(small == 0) else None
    return large - level * small


def _violates(p: Sequence[Any], q: Sequence[Any], claim: Any, event: list[int]) -> bool:
    """The event certainly violates the claim (certainly: the balls are disjoint)."""
    excess = _excess(p, q, _level(claim), event)
    return excess is not None and bool(excess > _ball(claim["delta"]))


def _ordered(rows: list[Any], direction: str) -> list[list[Any]]:
    return {"forward": [rows], "backward": [rows[::-1]], "both": [rows, rows[::-1]]}[direction]


def _balls(channel: Any) -> list[list[arb]]:
    return [[_ball(cell) for cell in row] for row in _rows(channel)]


def dp_held(d: Any) -> bool:
    """No event violates the claim."""
    return _masses(d["channel"]) == [1, 1] and not any(
        _violates(p, q, d["claim"], s)
        for p, q in _ordered(_balls(d["channel"]), d["direction"])
        for s in _events(len(p))
    )


def dp_refuted(d: Any) -> bool:
    """The event violates the claim, and its masses are as stated."""
    p, q = _rows(d["channel"])
    masses = [sum((row[k] for k in d["event"]), Fraction(0)) for row in (p, q)]
    ((first, second),) = _ordered(_balls(d["channel"]), d["direction"])
    stated = masses == [Fraction(d["p"]), Fraction(d["q"])] and _masses(d["channel"]) == [1, 1]
    return stated and _violates(first, second, d["claim"], d["event"])


def _curve_events(d: Any) -> Iterator[tuple[Fraction, Fraction, list[int]]]:
    for null, other in _ordered(_rows(d["channel"]), d["direction"]):
        for s in _events(len(null)):
            yield sum((null[k] for k in s), Fraction(0)), 1 - sum(other[k] for k in s), s


def tradeoff_held(d: Any) -> bool:
    """Every event is on or above the curve."""
    curve = _curve(d["tradeoff"])
    return _hull(curve) == curve and all(_at(curve, x) <= y for x, y, _ in _curve_events(d))


def tradeoff_refuted(d: Any) -> bool:
    """The event is below the curve, and its errors are as stated."""
    curve = _curve(d["tradeoff"])
    stated = tuple(Fraction(d[name]) for name in ("alpha", "beta", "claimed"))
    found = [(x, y, _at(curve, x)) for x, y, s in _curve_events(d) if s == d["event"]]
    return _hull(curve) == curve and found == [stated] and stated[1] < stated[2]


def _weight(terms: Any) -> arb:
    total = arb(0)
    for term in terms:
        product = _ball(term["coefficient"]) * _ball(term["exp"]).exp()
        for base, root in term["roots"].items():
            product *= _ball(base) ** _ball(root)
        total += product
    return total


def formal_claim(d: Any) -> bool:
    """No event, or the stated event, certainly violates the claim, in balls of 600 bits."""
    weights = [[_weight(terms) for terms in row] for row in d["rows"]]
    assert not any(weight < 0 for row in weights for weight in row)
    rows = [[weight / sum(row, arb(0)) for weight in row] for row in weights]
    events = list(_events(len(rows[0]))) if d["holds"] else [d["event"]]
    broken = any(_broken(p, q, d["claim"], s) for p, q in _ordered(rows, d["direction"]) for s in events)
    return broken != d["holds"]


def _broken(p: list[arb], q: list[arb], claim: Any, event: list[int]) -> bool:
    if "tradeoff" not in claim:
        return _violates(p, q, claim, event)
    alpha, beta = sum((p[k] for k in event), arb(0)), 1 - sum((q[k] for k in event), arb(0))
    lines = [(b, (d - b) / (c - a), a) for (a, b), (c, d) in pairwise(_curve(claim["tradeoff"]))]
    return any(bool(beta < _ball(b) + _ball(slope) * (alpha - _ball(a))) for b, slope, a in lines)


def evaluation(d: Any) -> bool:
    """Every fact, by definition."""
    return all(_fact(fact, d["facts"][:k]) for k, fact in enumerate(d["facts"]))


def _reference(value: Any, earlier: list[Any]) -> Fraction:
    if isinstance(value, str):
        return Fraction(value)
    return Fraction(earlier[value["fact"]][value.get("end", "value")])


def _fact(fact: Any, earlier: list[Any]) -> bool:  # noqa: PLR0911 - one return for each type of fact
    match fact["fact"]:
        case "event_sum":
            row = fact["matrix"][fact["row"]]
            return sum((Fraction(row[k]) for k in fact["event"]), Fraction(0)) == Fraction(fact["value"])
        case "curve_value":
            corners = _curve(fact["tradeoff"]) if "tradeoff" in fact else _hull(_errors(fact["channel"]))
            return _at(corners, Fraction(fact["alpha"])) == Fraction(fact["value"])
        case "hockey_stick":
            ((p, q),) = _ordered(_rows(fact["channel"]), fact["direction"])
            a = Fraction(fact["level"])
            return max(sum(p[k] - a * q[k] for k in s) for s in _events(len(p))) == Fraction(fact["value"])
        case "vulnerability":
            rows, gain = _rows(fact["channel"]), _rows({"matrix": fact["gain"]})
            best = (
                max(sum(g * c for g, c in zip(a, column, strict=True)) for a in gain)
                for column in zip(*rows, strict=True)
            )
            return sum(best) / len(rows) == Fraction(fact["value"])
        case "product":
            left, right, product = (_rows({"matrix": fact[name]}) for name in ("left", "right", "product"))
            columns = list(zip(*right, strict=True))
            return [[sum(a * b for a, b in zip(r, c, strict=True)) for c in columns] for r in left] == product
        case "equivalent":
            return _below(fact["left"], fact["right"]) and _below(fact["right"], fact["left"])
        case "combination":
            value = sum(Fraction(c) * _reference(term, earlier) for c, term in fact["terms"])
            return value == Fraction(fact["value"])
        case "compare":
            left, right = (_reference(fact[name], earlier) for name in ("left", "right"))
            return {"<": left < right, "<=": left <= right, "=": left == right}.get(
                fact["relation"],
                {">": left > right, ">=": left >= right, "!=": left != right}.get(fact["relation"], False),
            )
        case "bracket":
            argument = _ball(fact["argument"])
            functions = {"exp": arb.exp, "log": arb.log, "normal": lambda x: (-x / arb(2).sqrt()).erfc() / 2}
            value = functions[fact["function"]](argument)
            return not bool(value < _ball(fact["lo"])) and not bool(value > _ball(fact["hi"]))
    return False


def _laws(d: Any) -> list[Row]:
    return [[Fraction(x) for x in d[name]] for name in ("first", "second")]


def _is_coupling(d: Any) -> bool:
    """The entries are positive, each place once, and have the two laws as marginals."""
    first, second = _laws(d)
    dense = {(i, j): Fraction(x) for i, j, x in d["entries"]}
    rows = [sum((x for (i, _), x in dense.items() if i == k), Fraction(0)) for k in range(len(first))]
    columns = [sum((x for (_, j), x in dense.items() if j == k), Fraction(0)) for k in range(len(second))]
    laws = sum(first) == sum(second) == 1
    positive = len(dense) == len(d["entries"]) and min(dense.values()) > 0
    return laws and positive and (rows, columns) == (first, second)


def _permitted(d: Any, i: int) -> set[int]:
    """The outcomes of positive mass in second that outcome i of first may meet."""
    second = _laws(d)[1]
    found = {j: Fraction(c) for j, c in enumerate(d["distances"][i]) if c != "inf" and second[j] > 0}
    return {j for j, c in found.items() if d["fact"] == "finite" or c == min(found.values())}


def coupling(d: Any) -> bool:
    """A coupling, of least probability to differ (the total variation, over all events), or on permitted places."""
    if not _is_coupling(d):
        return False
    if d["fact"] == "nearest":
        return all(j in _permitted(d, i) for i, j, _ in d["entries"])
    first, second = _laws(d)
    variation = max(sum((first[k] - second[k] for k in s), Fraction(0)) for s in _events(len(first)))
    return sum((Fraction(x) for i, j, x in d["entries"] if i != j), Fraction(0)) == variation


def no_coupling(d: Any) -> bool:
    """The event has more mass than what it may meet, so that no flow carries it."""
    first, second = _laws(d)
    met = {j for i in d["event"] for j in _permitted(d, i)}
    masses = [sum((first[i] for i in d["event"]), Fraction(0)), sum((second[j] for j in met), Fraction(0))]
    stated = [Fraction(d["event_mass"]), Fraction(d["allowed_mass"])]
    return sum(first) == sum(second) == 1 and masses == stated and masses[0] > masses[1]


def transport(d: Any) -> bool:
    """The entries are a coupling of the stated cost, and no corner of the polytope of couplings costs less."""
    first, second = _laws(d)
    costs = [[None if c == "inf" else Fraction(c) for c in row] for row in d["costs"]]
    places = [(i, j) for i, row in enumerate(costs) for j, c in enumerate(row) if c is not None]
    if not _is_coupling(d) or any((i, j) not in places for i, j, _ in d["entries"]):
        return False
    corners = [_corner(first, second, chosen) for chosen in combinations(places, len(first) + len(second) - 1)]
    least = min(sum((x * costs[i][j] for (i, j), x in corner.items()), Fraction(0)) for corner in corners if corner)
    paid = sum((Fraction(x) * costs[i][j] for i, j, x in d["entries"]), Fraction(0))
    return paid == least == Fraction(d["value"])


def _corner(first: Row, second: Row, chosen: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Fraction] | None:
    """The coupling on a tree of places, leaves first; None if there is a cycle or a negative entry."""
    left, found, places = ([*first], [*second]), {}, set(chosen)
    while places:
        for side in (0, 1):
            lonely = [p for p in places if sum(q[side] == p[side] for q in places) == 1]
            if lonely:
                place = lonely[0]
                found[place] = left[side][place[side]]
                left[0][place[0]] -= found[place]
                left[1][place[1]] -= found[place]
                places.remove(place)
                break
        else:
            return None
    return found if min(found.values()) >= 0 and not any((*left[0], *left[1])) else None


def _seen_by_adversaries(d: Any) -> list[Any]:
    """The laws of each adversary's views, as channels."""
    return [{"matrix": [[str(view[row]) for view in views] for row in (0, 1)]} for views in view_laws(d)]


def simulation(d: Any) -> bool:
    """The kernels give every view its probabilities, and T(N) is the hull of the tests of all adversaries."""
    points = [point for channel in _seen_by_adversaries(d) for point in _errors(channel)]
    return is_simulated(d) and _hull(points) == _hull(_errors(d["states"][-1]))


def interactive_held(d: Any) -> bool:
    """The kernels give every view its probabilities, and no adversary's event violates the claim."""
    held = tradeoff_held if "tradeoff" in d["claim"] else divergence_truth.gdp_held if "mu" in d["claim"] else dp_held
    claim = {"claim": d["claim"], "direction": d["direction"], "tradeoff": d["claim"].get("tradeoff")}
    return is_simulated(d) and all(held({**claim, "channel": channel}) for channel in _seen_by_adversaries(d))


def interactive_refuted(d: Any) -> bool:
    """The views of the event have the stated masses, and violate the claim."""
    views = event_views(d, len(d["tests"]) - 1)
    p, q = (sum((view[row] for view in views if view[2]), Fraction(0)) for row in (0, 1))
    claim = {"claim": d["claim"], "direction": d["direction"], "tradeoff": d["claim"].get("tradeoff"), "event": [0]}
    event: Any = {
        **claim,
        "channel": {"matrix": [[str(p), str(1 - p)], [str(q), str(1 - q)]]},
        "p": d["p"],
        "q": d["q"],
    }
    if not {"tradeoff", "mu"} & d["claim"].keys():
        return dp_refuted(event)
    alpha, beta = (p, 1 - q) if d["direction"] == "forward" else (q, 1 - p)
    refuted = divergence_truth.gdp_refuted if "mu" in d["claim"] else tradeoff_refuted
    return (p, q) == (Fraction(d["p"]), Fraction(d["q"])) and refuted(
        {**event, "alpha": str(alpha), "beta": str(beta), "claimed": d["bound"]}
    )


def is_true(document: Any) -> bool:
    """The statement of a well-formed certificate is true."""
    kind = document["certificate"]
    places = (globals(), vars(divergence_truth), vars(gdp_profile_truth), vars(statistics_truth))
    holds: bool = next(place[kind] for place in places if kind in place)(document)
    return holds
