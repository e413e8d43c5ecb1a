"""A plain float64 implementation of the operations, as a first subject: NumPy and textbook formulas.

It is written as a careful library would write it, without the exact engine: numbers are rounded to binary64 when they
are read, columns are sorted by the quotient q/p, curves are cumulative sums, two ratios are equal when their quotients
are. Comparisons of curves allow 1e-12, since a float curve is rarely below another exactly. Every number of an answer
is the double itself in hexadecimal, so nothing is lost on the way out.

Not offered: expressions, labels, more than two rows where two are meant, ``satisfies`` and the witness of ``refines``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from oracle.errors import Declined, MissingExtraError

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise MissingExtraError("the float64 subject", "conformance") from None

__all__ = ["OPS", "TOLERANCE", "answer", "evaluate"]

TOLERANCE: Final = 1e-12
"""How far above another curve a curve may be and still count as below it."""

Array = NDArray[np.float64]
Args = Mapping[str, Any]
Points = list[tuple[float, float]]


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request of the protocol."""
    reply = {"id": request.get("id")}
    if request.get("op") not in OPS:
        return reply | {"declined": "not offered"}
    try:
        return reply | {"value": evaluate(request["op"], request.get("args", {}))}
    except Declined as reason:
        return reply | {"declined": str(reason)}
    except (KeyError, TypeError, ValueError, IndexError, ArithmeticError) as error:
        return reply | {"error": f"{type(error).__name__}: {error}"}


def evaluate(op: str, args: Args) -> Any:  # noqa: ANN401 - a JSON value
    """The value of an op, infinities and NaN of its arithmetic without a warning."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return OPS[op](args)


def _read(text: object) -> float:
    """The nearest double of a number."""
    if isinstance(text, str):
        if "x" in text.lower():
            return float.fromhex(text)
        return float(text) if text in {"inf", "-inf"} else float(Fraction(text))
    if isinstance(text, int):
        return float(text)
    raise TypeError(f"a number as text was expected, got {text!r}")


def _say(value: float) -> str:
    """A double exactly; both zeros are 0."""
    value = float(value)
    if value in {float("inf"), float("-inf")}:
        return str(value)
    return "0" if value == 0 else value.hex()


def _matrix(rows: Sequence[Sequence[object]]) -> Array:
    return np.array([[_read(v) for v in row] for row in rows], dtype=np.float64)


def _table(channel: Mapping[str, Any]) -> Array:
    if "matrix" not in channel:
        raise Declined("mechanism expressions are not offered")
    if "outputs" in channel or "inputs" in channel:
        raise Declined("labels are not offered")
    return _matrix(channel["matrix"])


def _pair(channel: Mapping[str, Any], direction: str = "forward") -> tuple[Array, Array]:
    table = _table(channel)
    if len(table) != 2:
        raise Declined("two rows are needed")
    return (table[0], table[1]) if direction == "forward" else (table[1], table[0])


def _say_table(table: Array) -> dict[str, Any]:
    return {"matrix": [[_say(v) for v in row] for row in table]}


def _merged(p: Array, q: Array) -> Array:
    """Zero columns dropped, sorted by q/p, columns of equal quotient added."""
    kept = p + q > 0
    p, q = p[kept], q[kept]
    ratios = np.where(p > 0, q / np.where(p > 0, p, 1.0), np.inf)
    order = np.argsort(ratios, kind="stable")
    _, starts = np.unique(ratios[order], return_index=True)
    return np.array([np.add.reduceat(p[order], starts), np.add.reduceat(q[order], starts)])


def _curve(p: Array, q: Array) -> Points:
    """T(p, q): cumulative sums from the largest quotient to the smallest."""
    columns = _merged(p, q)[:, ::-1]
    alphas = np.concatenate([[0.0], np.cumsum(columns[0])])
    betas = 1.0 - np.concatenate([[0.0], np.cumsum(columns[1])])
    points = list(zip(alphas.tolist(), betas.tolist(), strict=True))
    return points[1:] if columns[0][0] == 0 else points


def _columns(curve: Points) -> Array:
    """C(f): the segments from the last to the first, and the jump at 0."""
    alphas, betas = np.array(curve).T
    p, q = np.diff(alphas)[::-1], -np.diff(betas)[::-1]
    if betas[0] < 1:
        p, q = np.append(p, 0.0), np.append(q, 1.0 - betas[0])
    return _merged(p, q)


def _read_curve(tradeoff: Mapping[str, Any]) -> Points:
    return [(_read(a), _read(b)) for a, b in tradeoff["breakpoints"]]


def _values(curve: Points, alphas: Array) -> Array:
    xs, ys = np.array(curve).T
    values: Array = np.interp(alphas, xs, ys)
    return values


def _grid(curves: Sequence[Points]) -> Array:
    return np.unique(np.array([a for curve in curves for a, _ in curve]))


def _hull(points: Points) -> Points:
    """Lower convex hull, by Andrew's monotone chain."""
    hull: Points = []
    for x, y in sorted(points):
        if hull and hull[-1][0] == x:
            continue
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2], hull[-1]
            if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                break
            hull.pop()
        hull.append((x, y))
    return hull


def _upper(f: Points, g: Points) -> Points:
    """Pointwise maximum, with the crossings between two grid points."""
    alphas = _grid([f, g])
    a, b = _values(f, alphas), _values(g, alphas)
    points = list(zip(alphas.tolist(), np.maximum(a, b).tolist(), strict=True))
    for k, gap in enumerate(a - b):
        after = (a - b)[k + 1] if k + 1 < len(alphas) else 0.0
        if gap * after < 0:
            share = gap / (gap - after)
            x = alphas[k] + share * (alphas[k + 1] - alphas[k])
            points.append((float(x), float(a[k] + share * (a[k + 1] - a[k]))))
    return _hull(points)


def _hello(_: Args) -> dict[str, Any]:
    claims = {name: "nearest" for name in OPS if name not in {"hello", "echo"}}
    identity = {"name": "float64", "version": f"NumPy {np.__version__}", "protocol": 1}
    return {**identity, "ops": list(OPS), "claims": claims, "accepts": ["exp_epsilon", "epsilon", "binary64"]}


def _echo(args: Args) -> list[str]:
    return [_say(_read(v)) for v in args["values"]]


def _canonical(args: Args) -> dict[str, Any]:
    return _say_table(_merged(*_pair(args["channel"])))


def _tradeoff(args: Args) -> dict[str, Any]:
    curve = _curve(*_pair(args["channel"], args.get("direction", "forward")))
    value: dict[str, Any] = {"breakpoints": [[_say(a), _say(b)] for a, b in curve]}
    if "alpha" in args:
        value["beta"] = _say(_values(curve, np.array([_read(args["alpha"])]))[0])
    return value


def _channel_of(args: Args) -> dict[str, Any]:
    return _say_table(_columns(_read_curve(args["tradeoff"])))


def _refines(args: Args) -> dict[str, Any]:
    f, g = _curve(*_pair(args["left"])), _curve(*_pair(args["right"]))
    alphas = _grid([f, g])
    return {"holds": bool(np.all(_values(f, alphas) <= _values(g, alphas) + TOLERANCE))}


def _curves(args: Args) -> list[Points]:
    return [_curve(*_pair(channel)) for channel in args["channels"]]


def _glb(args: Args) -> dict[str, Any]:
    curves = _curves(args)
    alphas = _grid(curves)
    least = np.minimum.reduce([_values(curve, alphas) for curve in curves])
    return _say_table(_columns(_hull(list(zip(alphas.tolist(), least.tolist(), strict=True)))))


def _lub(args: Args) -> dict[str, Any]:
    first, *rest = _curves(args)
    for curve in rest:
        first = _upper(first, curve)
    return _say_table(_columns(first))


def _parallel(args: Args) -> dict[str, Any]:
    first, *rest = [_table(channel) for channel in args["channels"]]
    for table in rest:
        first = np.array([np.outer(a, b).ravel() for a, b in zip(first, table, strict=True)])
    return _say_table(first)


def _visible(args: Args) -> dict[str, Any]:
    r = _read(args["r"])
    return _say_table(np.hstack([r * _table(args["left"]), (1 - r) * _table(args["right"])]))


def _hidden(args: Args) -> dict[str, Any]:
    r = _read(args["r"])
    return _say_table(r * _table(args["left"]) + (1 - r) * _table(args["right"]))


def _pre(args: Args) -> dict[str, Any]:
    return _say_table(_matrix(args["pre"]) @ _table(args["channel"]))


def _post(args: Args) -> dict[str, Any]:
    return _say_table(_table(args["channel"]) @ _matrix(args["post"]))


def _level(args: Args) -> float:
    return _read(args["exp_epsilon"]) if "exp_epsilon" in args else float(np.exp(_read(args["epsilon"])))


def _divergence(p: Array, q: Array, level: float) -> float:
    return float(p[q == 0].sum() if np.isinf(level) else np.maximum(0.0, p - level * q).sum())


def _by_direction(args: Args, default: str, measure: Callable[[Array, Array], float]) -> float:
    direction = args.get("direction", default)
    sides = ("forward", "backward") if direction == "both" else (direction,)
    return max(measure(*_pair(args["channel"], side)) for side in sides)


def _hockey_stick(args: Args) -> str:
    return _say(_by_direction(args, "forward", lambda p, q: _divergence(p, q, _level(args))))


def _delta(args: Args) -> str:
    return _say(_by_direction(args, "both", lambda p, q: _divergence(p, q, _level(args))))


def _least_level(p: Array, q: Array, delta: float) -> float:
    """The least a >= 1 with P(S) - a Q(S) <= delta for every S; the sets of largest p/q decide."""
    columns = _merged(q, p)[:, ::-1]
    under, over = np.cumsum(columns[0]), np.cumsum(columns[1])
    levels = np.where(under > 0, (over - delta) / np.where(under > 0, under, 1.0), np.where(over > delta, np.inf, 1.0))
    return float(max(1.0, levels.max()))


def _epsilon(args: Args) -> dict[str, str]:
    delta = _read(args["delta"])
    level = _by_direction(args, "both", lambda p, q: _least_level(p, q, delta))
    epsilon = _say(np.log(level))
    return {"exp_epsilon": _say(level), "lo": epsilon, "hi": epsilon}


def _vulnerability(args: Args) -> str:
    table, gain = _table(args["channel"]), _matrix(args["gain"])
    rows = len(table)
    prior = np.array([_read(v) for v in args["prior"]]) if "prior" in args else np.full(rows, 1 / rows)
    return _say((gain @ (prior[:, None] * table)).max(axis=0).sum())


def _decompose(args: Args) -> list[dict[str, str]]:
    p, q = _columns(_read_curve(args["tradeoff"]))
    half = len(p) // 2
    levels = np.where(q > 0, p / np.where(q > 0, q, 1.0), np.inf)
    parts = [{"weight": _say(p[n] + q[n]), "exp_epsilon": _say(levels[n])} for n in range(half)]
    if len(p) % 2:
        parts.append({"weight": _say(p[half]), "exp_epsilon": "1"})
    return parts


OPS: Final[Mapping[str, Callable[[Args], Any]]] = {
    "hello": _hello,
    "echo": _echo,
    "canonical": _canonical,
    "tradeoff": _tradeoff,
    "channel_of": _channel_of,
    "refines": _refines,
    "glb": _glb,
    "lub": _lub,
    "parallel": _parallel,
    "visible": _visible,
    "hidden": _hidden,
    "pre": _pre,
    "post": _post,
    "hockey_stick": _hockey_stick,
    "delta": _delta,
    "epsilon": _epsilon,
    "vulnerability": _vulnerability,
    "decompose": _decompose,
}
"""What is offered."""
