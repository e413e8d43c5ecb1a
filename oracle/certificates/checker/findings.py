"""One result of an audit report, held against its certificate and the values of its pair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .claims import ONE_DIRECTION, PrivacyClaim
from .divergences import check_divergence
from .evidence import check_evidence
from .matrices import stochastic_channel
from .measures import (
    PairValues,
    is_too_large,
    logarithm,
    measured,
    require_corners,
    require_value,
    sides_of,
)
from .quantiles import check_least_mu
from .reading import canonical_hash, choice, fields, index, number
from .stated import Claim, DivergenceClaim, about, read_claim
from .verdict import Rejected

Document = dict[str, object]
# A value or an infinity, as pairs that compare: (-1, 0), (0, value) and (1, 0).
Extended = tuple[int, Fraction]
Range = tuple[Extended, Extended]

_ZERO: Extended = (0, Fraction(0))
_INFINITE: Extended = (1, Fraction(0))
_NEGATIVE_INFINITE: Extended = (-1, Fraction(0))
_OUTCOMES = (False, "undecided", True)
_COMMON = ("about", "claim", "pair", "holds", "equality", "slack", "evidence")
_OWN = {
    "approximate_dp": ("tight_exp_epsilon", "tight_epsilon", "tight_delta", "level_is_least"),
    "tradeoff": ("least_gap",),
    "divergence": ("tight",),
}
_OF_CLAIMS = ("dp", "tradeoff", "gdp", "renyi", "zcdp")
_INTERACTIVE = ("interactive_held", "interactive_refuted")
_DECIDING = tuple(f"{name}_{outcome}" for name in _OF_CLAIMS for outcome in ("held", "refuted"))


@dataclass(frozen=True, slots=True)
class Finding:
    """A checked result; `holds` is True, False or "undecided"."""

    index: int
    claim: int
    pair: int
    holds: object
    equality: bool
    slack: Range
    result: Document


def rank(holds: object) -> int:
    """Return the place of an outcome in the order of results: refuted, undecided, holds."""
    return _OUTCOMES.index(holds)


def word(outcomes: Iterable[object]) -> str:
    """Return the verdict on several outcomes."""
    return ("refuted", "undecided", "holds")[min(rank(outcome) for outcome in outcomes)]


def ends(value: object, where: str) -> Range:
    """Read a value of a report as its two ends; "inf" and "-inf" are two."""
    if isinstance(value, str) and value in ("inf", "-inf"):
        infinite = _INFINITE if value == "inf" else _NEGATIVE_INFINITE
        return infinite, infinite
    low, high = measured(value, where)
    return (0, low), (0, high)


def combined(values: Sequence[object], places: Sequence[str], *, largest: bool) -> Range:
    """Return the ends of the largest or the smallest of several values."""
    found = [ends(value, where) for value, where in zip(values, places, strict=True)]
    choose = max if largest else min
    return choose(low for low, _ in found), choose(high for _, high in found)


class Reader:
    """Reads the results of a report, each with its certificate or record."""

    def __init__(
        self,
        document: Document,
        claims: Sequence[Document],
        pairs: Sequence[Document],
        evidence: dict[str, Sequence[object]],
        channel: object = None,
    ) -> None:
        self._direction = str(document["direction"])
        self._digits = int(str(document["digits"]))
        self._evidence = evidence
        self._pairs = pairs
        self._used = dict.fromkeys(evidence, 0)
        self._claims = [read_claim(claim["parsed"], f"$.claims[{k}].parsed") for k, claim in enumerate(claims)]
        self._parsed = [claim["parsed"] for claim in claims]
        self._values: dict[int, PairValues | None] = {}
        # The tight channel of an interactive mechanism; a certificate of a claim on any other has its own.
        self._channel = channel
        source = document["input"]
        self._table = source.get("table") if isinstance(source, dict) else None

    def finding(self, value: object, k: int) -> Finding:
        """Check a result."""
        where = f"$.results[{k}]"
        kind = choice(value.get("about") if isinstance(value, dict) else None, _OWN, f"{where}.about")
        held = "record" if isinstance(value, dict) and "record" in value else "certificate"
        result = fields(value, (*_COMMON, *_OWN[kind], held), where)
        claim = self._claims[index(result["claim"], len(self._claims), f"{where}.claim")]
        pair = index(result["pair"], len(self._pairs), f"{where}.pair")
        if kind != about(claim):
            raise Rejected("is not about its claim", f"{where}.about")
        holds, stated = result["holds"], result[held]
        if not (isinstance(holds, bool) or holds == "undecided") or type(stated) is not int:
            raise Rejected("expected an outcome and the index of a certificate or record", where)
        if stated != self._used[held] or stated >= len(self._evidence[held]):
            raise Rejected(f"expected every {held} once, in the order of the results", f"{where}.{held}")
        self._used[held] += 1
        document = self._evidence[held][stated]
        if not isinstance(document, dict) or held not in document:
            raise Rejected(f"is no {held}", f"$.{held}s[{stated}]")
        self._matches(document, result, f"$.{held}s[{stated}]")
        if held == "certificate" and document["certificate"] != "formal_claim":
            self._computed(document, claim, result, where)
        elif "least_gap" in result:
            gap = fields(result["least_gap"], ("alpha", "direction"), f"{where}.least_gap")
            choice(gap["direction"], ONE_DIRECTION, f"{where}.least_gap.direction")
            if gap["alpha"] is not None:
                measured(gap["alpha"], f"{where}.least_gap.alpha")
        self._consistent(claim, result, where)
        check_evidence(result["evidence"], document, claim, (self._table, self._digits), f"{where}.evidence")
        slack = ends(result["slack"], f"{where}.slack")
        return Finding(k, int(str(result["claim"])), pair, holds, result["equality"] is True, slack, result)

    def _matches(self, document: Document, result: Document, where: str) -> None:
        """The certificate or record is about the claim, direction, pair and outcome of its result."""
        parsed, holds = self._parsed[int(str(result["claim"]))], result["holds"]
        pair = self._pairs[int(str(result["pair"]))]
        curve_claim = parsed["tradeoff"]["breakpoints"] if isinstance(parsed, dict) and "tradeoff" in parsed else None
        kind = document.get("certificate")
        if kind is None:
            own, about, outcome = document.get("claim"), parsed, document.get("holds")
            found: object = canonical_hash(document.get("mechanism"))
        elif kind == "formal_claim":
            own, about, outcome = (
                document["claim"],
                parsed if curve_claim is None else {"tradeoff": curve_claim},
                document["holds"],
            )
            found = canonical_hash({"rows": document["rows"]})
        elif kind in _INTERACTIVE:
            # That it is about the tree of the report was checked before.
            own, about = document["claim"], parsed if curve_claim is None else {"tradeoff": curve_claim}
            outcome, found = str(kind).endswith("_held"), pair["sha256"]
        elif kind in _DECIDING:
            own, about = (document["claim"], parsed) if curve_claim is None else (document.get("tradeoff"), curve_claim)
            outcome, found = str(kind).endswith("_held"), canonical_hash(document["channel"])
        else:
            raise Rejected("is of a kind that decides no claim", f"{where}.certificate")
        if canonical_hash(own) != canonical_hash(about):
            raise Rejected("is about another claim than its result", where)
        if outcome is not holds and outcome != holds:
            raise Rejected("decides otherwise than its result says", where)
        meant = (self._direction,) if holds is not False or kind is None else sides_of(self._direction)
        if document["direction"] not in meant:
            raise Rejected("is about another direction than the report", f"{where}.direction")
        if found != pair["sha256"]:
            raise Rejected("is about another channel than the pair of its result", where)

    def _computed(self, document: Document, claim: Claim, result: Document, where: str) -> None:
        """Compute the values of a rational pair, and of the claim for it, again."""
        pair, sides = int(str(result["pair"])), sides_of(self._direction)
        if pair not in self._values:
            self._values[pair] = self._pair(document, pair)
        values = self._values[pair]
        if values is None:
            return
        if isinstance(claim, PrivacyClaim):
            self._computed_level(values, claim, result, where)
        elif isinstance(claim, DivergenceClaim):
            if claim.quantity == "order":
                check_divergence(document, result, sides, self._digits, where)
            elif claim.quantity == "mu" and claim.claimed is not None:
                check_least_mu(values.curves["forward"], claim.claimed, result, self._digits, where)
        else:
            slack, alpha, side = values.least_gap(sides, claim)
            gap = fields(result["least_gap"], ("alpha", "direction"), f"{where}.least_gap")
            require_value(result["slack"], slack, f"{where}.slack")
            require_value(gap["alpha"], alpha, f"{where}.least_gap.alpha")
            if gap["direction"] != side:
                raise Rejected("is not the direction of the least gap", f"{where}.least_gap.direction")

    def _computed_level(self, values: PairValues, claim: PrivacyClaim, result: Document, where: str) -> None:
        """The tight values and the slack of a claim of epsilon and delta."""
        sides = sides_of(self._direction)
        level = values.least_level(sides, claim.delta)
        stated = ends(result["tight_exp_epsilon"], f"{where}.tight_exp_epsilon")[0]
        if stated != (_INFINITE if level is None else (0, level)):
            raise Rejected("is not what follows from the channel", f"{where}.tight_exp_epsilon")
        if level is None:
            if result["tight_epsilon"] != "inf":
                raise Rejected('expected "inf"', f"{where}.tight_epsilon")
        else:
            require_value(result["tight_epsilon"], logarithm(level), f"{where}.tight_epsilon", self._digits)
        delta = values.delta(sides, claim, where)
        require_value(result["tight_delta"], delta, f"{where}.tight_delta", self._digits)
        if isinstance(delta, Fraction):
            require_value(result["slack"], claim.delta - delta, f"{where}.slack")
        else:
            bracket, claimed = delta, claim.delta

            def rest(bits: int) -> tuple[Fraction, Fraction]:
                low, high = bracket(bits)
                return claimed - high, claimed - low

            require_value(result["slack"], rest, f"{where}.slack", self._digits)

    @property
    def uncomputed(self) -> list[int]:
        """The pairs whose values are too large to compute again."""
        return sorted(pair for pair, values in self._values.items() if values is None)

    def _pair(self, document: Document, k: int) -> PairValues | None:
        where, pair = f"$.pairs[{k}]", self._pairs[k]
        known = document["channel"] if self._channel is None else self._channel
        channel = stochastic_channel(known, "$.channel", 2)
        if is_too_large(channel):
            return None
        values = PairValues(channel, where)
        require_value(pair["total_variation"], values.total_variation, f"{where}.total_variation")
        require_value(pair["bayes_error"], (1 - values.total_variation) / 2, f"{where}.bayes_error")
        symmetric = values.curves["forward"] == values.curves["backward"]
        if pair["symmetric"] is not symmetric:
            raise Rejected("is not what follows from the channel", f"{where}.symmetric")
        corners = fields(pair["tradeoff"], ("forward", "backward"), f"{where}.tradeoff")
        if corners["forward"] is None and corners["backward"] is None:
            return values  # left out as too long, which states nothing
        require_corners(corners["forward"], values.curves["forward"], f"{where}.tradeoff.forward")
        if not symmetric:
            require_corners(corners["backward"], values.curves["backward"], f"{where}.tradeoff.backward")
        elif corners["backward"] is not None:
            raise Rejected("expected null, both curves being the same", f"{where}.tradeoff.backward")
        return values

    def _consistent(self, claim: Claim, result: Document, where: str) -> None:
        """What one part of a result says of another, whether or not its values are certified."""
        low, high = ends(result["slack"], f"{where}.slack")
        if (result["holds"] is True and high < _ZERO) or (result["holds"] is False and low >= _ZERO):
            raise Rejected("has the sign of another outcome", f"{where}.slack")
        attained = result["holds"] is True and low == high == _ZERO
        if isinstance(claim, DivergenceClaim) and claim.claimed is not None:
            _require_rest(claim.claimed, ends(result["tight"], f"{where}.tight"), (low, high), f"{where}.slack")
        if isinstance(claim, PrivacyClaim):
            least = _is_least(claim, result, where)
            if result["level_is_least"] is not least:
                raise Rejected("does not follow from the tight values", f"{where}.level_is_least")
            attained = attained and (claim.delta > 0 or least)
        if result["equality"] is not attained:
            raise Rejected("does not follow from the slack", f"{where}.equality")


def _require_rest(claimed: Fraction, tight: Range, slack: Range, where: str) -> None:
    """Reject a slack that cannot be what is claimed less the tight value."""
    (below, low), (above, high) = tight
    infinite = _NEGATIVE_INFINITE if below or above else None
    least, most = (infinite, infinite) if infinite else ((0, claimed - high), (0, claimed - low))
    if slack[0] > most or slack[1] < least:
        raise Rejected("is not what is claimed less the tight value", where)


def _is_least(claim: PrivacyClaim, result: Document, where: str) -> bool:
    """Whether the claimed epsilon is the stated least one; the level of epsilon = 0 is 1."""
    level, epsilon = result["tight_exp_epsilon"], result["tight_epsilon"]
    if claim.epsilon:
        return level is None and isinstance(epsilon, str) and number(epsilon, f"{where}.tight_epsilon") == claim.epsilon
    if level is None:
        ends(epsilon, f"{where}.tight_epsilon")
        return False
    claimed = Fraction(1) if claim.epsilon is not None else claim.exp_epsilon
    return ends(level, f"{where}.tight_exp_epsilon")[0] == (_INFINITE if claimed is None else (0, claimed))
