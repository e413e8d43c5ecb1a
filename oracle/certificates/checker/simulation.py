"""Certificates about interactive mechanisms: simulated by one pair of laws, a claim held, a claim refuted.

Simulation.  `states` has a two-row channel N_v for each node v, and `kernels` row-stochastic matrices:
  query node   for each option with child c a W with N_v . W = N_c;
  answer node  one W with N_v . W = J_v, J_v having a column (p_b u, q_b w) for each branch b, in order, and each
               column (u, w) of the channel of its child.
They are a program that imitates the mechanism without knowing the input x.  It is given one sample of row x of N, the
channel of the root, and carries it.  When the adversary chooses an option it draws a new column with W from the row of
the one it carries; at an answer node it draws a branch and a column, says the branch and carries the column.

Claim: for every adversary and every history h that ends in node v, the probability that h was said and column j is
carried is pi_x(h) N_v[x][j], where pi_x(h) is the product of the probabilities, on input x, of the answers in h.  At
the root it is N[x][j].  An option is chosen from h and the adversary's own coins only, so given h it is independent of
the column, and sum_i pi_x(h) N_v[x][i] W[i][j] = pi_x(h) N_c[x][j].  After an answer, sum_i pi_x(h) N_v[x][i] W[i][(b,
j)] = pi_x(h) p_b N_c[x][j] = pi_x(h b) N_c[x][j] (with q_b for the second input).  Summed over j, as the rows of N_v
sum to 1, h has probability pi_x(h), which is what the mechanism itself gives it.  So every adversary's view has the
same law in both worlds, for both inputs; and a view is a post-processing of one sample of N.

Hence T(view) >= T(N) for every adversary, and whatever claim holds of N holds of every view.

Tightness, kind `simulation`: T(N) is the largest trade-off function below those of all views.  Beside the kernels,
  leaf          the rows of N_v are equal;
  query node    each corner of T(N_v) is a corner of T(N_c) for some option c;
  answer node   each column of J_v is drawn from at most one column of N_v.
Let H_h(N) = sum max(0, q - h p), h >= 0.  The line of slope -h that supports T from below is 1 - H_h - h alpha, so a
convex curve lies below T(view) for all views exactly when its lines lie below 1 - sup H_h(view) - h alpha.  It is
therefore enough that H_h(N_v) = sup H_h(view), over the adversaries of what starts at v, for every h.  No view has
more, by the simulation.  The rest is by induction from the leaves, where H_h = max(0, 1 - h) is that of the one view
there is.
  Query node: H_h(N_v) = max 1 - beta - h alpha over the corners of T(N_v), and where it is attained some T(N_c) has the
  same corner, so H_h(N_v) <= max_c H_h(N_c), which is the supremum over the adversaries that choose c.
  Answer node: when column j of J_v is drawn from column i alone, it is W[i][j] times it.  As row i of W sums to 1,
  column i of N_v is the sum of parallel columns of J_v, and max(0, .) is additive on these: H_h(N_v) = H_h(J_v).  With
  q_b > 0 branch b contributes sum max(0, q_b w - h p_b u) = q_b H_{h p_b/q_b}(N_b), and else nothing.  What is done
  after one branch does not bind what is done after another, so that the sum of the suprema is the supremum.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .claims import ONE_DIRECTION, PrivacyClaim, check_dp_held, check_tradeoff_held, privacy_claim
from .curves import Law, Point, curve, curve_hash, curve_text, curve_value
from .gaussian import check_gdp_held, gaussian_claim, require_violated
from .matrices import Channel, Witness, require_product, stochastic_channel, witness
from .reading import choice, fields, items, nonnegative_or_infinite, number, probability, require_equal
from .trees import Branch, Tree, tests, tree
from .verdict import Accepted, Rejected, brief

_Document = dict[str, object]


@dataclass(frozen=True, slots=True)
class _Simulation:
    """The tree, the channel N_v of each node, and its kernels."""

    of: Tree
    states: list[Channel]
    kernels: list[list[Witness]]

    @property
    def channel(self) -> Channel:
        """N, the channel of the root."""
        return self.states[-1]


def _simulated(document: _Document) -> _Simulation:
    """Check `nodes`, `states` and `kernels`."""
    of = tree(document["nodes"], "$.nodes")
    listed = items(document["states"], "$.states")
    kernels = items(document["kernels"], "$.kernels")
    for name, given in (("states", listed), ("kernels", kernels)):
        if len(given) != len(of.nodes):
            raise Rejected(f"expected {len(of.nodes)} items, one for each node", f"$.{name}")
    states = [stochastic_channel(item, f"$.states[{i}]", 2) for i, item in enumerate(listed)]
    found: list[list[Witness]] = []
    for i, node in enumerate(of.nodes):
        place = f"$.kernels[{i}]"
        targets = [] if node is None else _targets(node, states)
        given = items(kernels[i], place)
        if len(given) != len(targets):
            raise Rejected(f"expected {len(targets)} witnesses", place)
        found.append([])
        for k, (item, target) in enumerate(zip(given, targets, strict=True)):
            by = witness(item, states[i].columns, len(target[0]), f"{place}[{k}]")
            require_product(states[i].rows, by, target, f"{place}[{k}]")
            found[i].append(by)
    return _Simulation(of, states, found)


def _targets(node: list[int] | list[Branch], states: list[Channel]) -> list[list[list[Fraction]]]:
    """What the kernels of a node must produce: N_c for each option, or J_v."""
    joint: list[list[Fraction]] = [[], []]
    options: list[list[list[Fraction]]] = []
    for item in node:
        if not isinstance(item, Branch):
            options.append(states[item].rows)
            continue
        first, second = states[item.child].rows
        joint[0] += [item.p * value for value in first]
        joint[1] += [item.q * value for value in second]
    return options or [joint]


def _require_tight(found: _Simulation) -> None:
    """Check that T(N_v) is at every node the largest below those of all views."""
    corners: dict[int, set[Point]] = {}

    def corners_at(i: int) -> set[Point]:
        if i not in corners:
            corners[i] = set(Law(found.states[i], f"$.states[{i}]").corners())
        return corners[i]

    for i, node in enumerate(found.of.nodes):
        rows = found.states[i].rows
        if node is None:
            if rows[0] != rows[1]:
                raise Rejected("expected equal rows: at a leaf there is nothing to be learned", f"$.states[{i}]")
            continue
        options = {item for item in node if not isinstance(item, Branch)}
        if not options:
            if any(len(column) > 1 for column in found.kernels[i][0].by_column):
                raise Rejected("expected each answer and column to be drawn from one column", f"$.kernels[{i}][0]")
        elif any(found.states[c].rows == rows for c in options):
            continue
        elif not corners_at(i) <= set().union(*map(corners_at, options)):
            raise Rejected("a corner of the trade-off function is a corner of no option", f"$.states[{i}]")


def check_simulation(document: _Document) -> Accepted:
    """Check a `simulation` certificate: see the text of the module."""
    found = _simulated(document)
    _require_tight(found)
    corners = Law(found.channel, "$.states").corners()
    return Accepted(
        "simulation",
        f"For every adversary the view of the {_named(found.of)} is, on both inputs, distributed as a post-processing"
        f" of one sample of N, and T(N), with {len(corners)} corners, is the largest trade-off function below those of"
        " all views.",
        _of(found),
    )


def _named(of: Tree) -> str:
    return f"interactive mechanism of {len(of.nodes)} nodes"


def _of(found: _Simulation) -> tuple[tuple[str, str], ...]:
    return (("interactive", found.of.digest), ("N", found.channel.digest))


def _tradeoff_claim(document: _Document) -> object | None:
    """The CURVE of a claim {"tradeoff": CURVE}, or None for a claim of another form."""
    claim = document["claim"]
    if isinstance(claim, dict) and "tradeoff" in claim:
        return fields(claim, ("tradeoff",), "$.claim")["tradeoff"]
    return None


def _is_gaussian(document: _Document) -> bool:
    return isinstance(document["claim"], dict) and "mu" in document["claim"]


def check_interactive_held(document: _Document) -> Accepted:
    """Check an `interactive_held` certificate: the mechanism is simulated by N, and N satisfies the claim.

    The evidence is that of `dp_held` (a level and a witness), of `tradeoff_held` (witnesses) or of `gdp_held`
    (thresholds), for the channel N.
    """
    found = _simulated(document)
    states = items(document["states"], "$.states")
    parts: _Document = {"channel": states[-1], "direction": document["direction"]}
    corners = _tradeoff_claim(document)
    if _is_gaussian(document):
        evidence = fields(document["evidence"], ("thresholds",), "$.evidence")
        inner = check_gdp_held({**parts, **evidence, "claim": document["claim"]})
    elif corners is None:
        evidence = fields(document["evidence"], ("level", "witness"), "$.evidence")
        inner = check_dp_held({**parts, **evidence, "claim": document["claim"]})
    else:
        evidence = fields(document["evidence"], ("witnesses",), "$.evidence")
        inner = check_tradeoff_held({**parts, **evidence, "tradeoff": corners})
    said = inner.statement.removeprefix("The channel is ")
    return Accepted(
        "interactive_held",
        f"For every adversary the view of the {_named(found.of)} is {said[:-1]}; each is, on both inputs, distributed"
        " as a post-processing of one sample of N, of which this holds.",
        (*_of(found), *inner.channels[1:]),
    )


def check_interactive_refuted(document: _Document) -> Accepted:
    """Check an `interactive_refuted` certificate: the event of the last test violates the claim.

    (epsilon, delta): `bound` is a level U >= e^epsilon with P(S) - U Q(S) > delta (backward: Q(S) - U P(S)), so that
    P(S) - e^epsilon Q(S) > delta; "inf" needs Q(S) = 0.  Trade-off: rejecting on S has errors alpha = P(S) and beta =
    1 - Q(S) (backward: exchanged), and `bound` is f(alpha) > beta.  mu: `bound` is a threshold t with Phi(t) <= 1 -
    alpha and Phi(t - mu) > beta for the same errors, so that G_mu(alpha) >= Phi(t - mu) > beta.
    """
    of = tree(document["nodes"], "$.nodes")
    direction = choice(document["direction"], ONE_DIRECTION, "$.direction")
    node, p, q = tests(document["tests"], of, "$.tests")[-1]
    if node != len(of.nodes) - 1:
        raise Rejected("expected a test of the root as the last one", "$.tests")
    for name, value in (("p", p), ("q", q)):
        require_equal(probability(document[name], f"$.{name}"), value, "the mass of the event", f"$.{name}")
    first, second = (p, q) if direction == "forward" else (q, p)
    names = ("P(S)", "Q(S)") if direction == "forward" else ("Q(S)", "P(S)")
    corners = _tradeoff_claim(document)
    named: tuple[tuple[str, str], ...] = (("interactive", of.digest),)
    if _is_gaussian(document):
        mu = gaussian_claim(document["claim"], "$.claim")
        require_violated(number(document["bound"], "$.bound"), mu, first, 1 - second, "$.bound")
        said = f"mu-Gaussian differentially private with mu = {_mu(document)}, direction {direction}"
        said = f"{said}: 1 - {names[1]} < G_mu({names[0]})"
    elif corners is None:
        claim = privacy_claim(document["claim"], "$.claim")
        _require_excess(claim, nonnegative_or_infinite(document["bound"], "$.bound"), first, second)
        said = f"differentially private with {claim.text}, direction {direction}: {names[0]} > e^eps {names[1]} + delta"
    else:
        claimed = curve_value(curve(corners, "$.claim.tradeoff"), first)
        require_equal(probability(document["bound"], "$.bound"), claimed, "the claimed value", "$.bound")
        if claimed <= 1 - second:
            raise Rejected("the event does not violate the claim", "$.tests")
        said = (
            f"f-differentially private, direction {direction}: 1 - {names[1]} < f({names[0]}) ="
            f" {brief(str(document['bound']))}, f being {curve_text(corners)}"
        )
        named += (("tradeoff", curve_hash(corners)),)
    masses = f"P(S) = {brief(str(document['p']))} and Q(S) = {brief(str(document['q']))}"
    return Accepted(
        "interactive_refuted",
        f"The {_named(of)} is not {said}, S being the event of the views of the stated adversary, {masses}.",
        named,
    )


def _mu(document: _Document) -> str:
    return brief(str(fields(document["claim"], ("mu",), "$.claim")["mu"]))


def _require_excess(claim: PrivacyClaim, level: Fraction | None, large: Fraction, small: Fraction) -> None:
    if level is None:
        if small != 0:
            raise Rejected('the bound "inf" needs an event of mass 0 on the other input', "$.tests")
        excess = large
    elif claim.compare_level(level, "$.bound") > 0:
        raise Rejected("the bound is below e^epsilon of the claim", "$.bound")
    else:
        excess = large - level * small
    if excess <= claim.delta:
        raise Rejected("the event does not violate the claim", "$.tests")
