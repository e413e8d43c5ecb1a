"""The symbolic proofs run, refuse what is false, and agree with exact channels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sympy
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import hidden, post_process, pre_process, visible
from oracle.channels.refinement import refine
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve
from oracle.channels.worst_case import approximate_dp_channel
from oracle.laws import closed_forms as forms
from oracle.laws import symbolic
from oracle.laws.harness import run_claim
from oracle.laws.papers import PAPERS, claims_of
from oracle.laws.proving import Derivation, Domain, Proof, ProofError
from oracle.laws.record import ClaimRecord
from oracle.laws.strategies import two_row_channels
from oracle.laws.symbolic import PROOFS, prove

UNIFORM = Channel([["1/4"] * 4] * 2)


def unit(*, low: bool = True, high: bool = True) -> st.SearchStrategy[mpq]:
    """Rationals in [0, 1], without an end that is not wanted."""
    free = st.builds(lambda a, b: mpq(min(a, b), max(a, b)), st.integers(0, 9), st.integers(1, 9))
    return free.filter(lambda x: (low or x > 0) and (high or x < 1))


def levels() -> st.SearchStrategy[mpq]:
    return st.builds(lambda a, b: 1 + mpq(a, b), st.integers(0, 12), st.integers(1, 5))


def channel(columns: list[tuple[mpq, mpq]]) -> Channel:
    return Channel(list(zip(*columns, strict=True)))


@pytest.mark.parametrize("name", PROOFS)
def test_every_proof_is_confirmed(name: str) -> None:
    """A proof has its own name, a statement, claims and steps."""
    proof = prove(name)
    assert proof.name == name
    assert proof.statement.startswith("For ")
    assert proof.claims
    assert proof.steps


def test_a_false_identity_is_refused() -> None:
    """The sub-sampled curve is not the original one."""
    E, delta, gamma = sympy.symbols("E delta gamma")
    wrong = forms.approximate_dp_corners(E, delta)
    with pytest.raises(ProofError, match="the sides differ"):
        Derivation().identities("wrong", forms.subsampled_corners(E, delta, gamma), wrong)


def test_the_printed_column_order_bound_is_refused() -> None:
    """1/(1-2δ) + (1-r)(1-δ)δ/(0.25 r) does not decide the order of D's columns."""
    E, delta, r = sympy.symbols("E delta r")
    outer, inner, *_ = forms.purified_columns(E, delta, r)
    order = outer[0] * inner[1] - outer[1] * inner[0]
    printed = 1 / (1 - 2 * delta) + 4 * (1 - r) * (1 - delta) * delta / r
    factor = r / (1 + E) * (1 - r) / 4 * (1 - 2 * delta)
    Derivation().identity("right", order, factor * (E - forms.column_order_bound(delta, r)))
    with pytest.raises(ProofError):
        Derivation().identity("printed", order, factor * (E - printed))


def test_a_false_sign_is_refused() -> None:
    """The gain at B is not strict at γ = 1, and E - 2 has no sign for E >= 1."""
    domain = Domain()
    E, delta, gamma = domain.at_least("E", 1), domain.between("delta", above=True), domain.between("gamma")
    with pytest.raises(ProofError, match="not proved"):
        Derivation().positive("strict", forms.gain_at_b(E, delta, gamma), domain)
    with pytest.raises(ProofError, match="not proved"):
        Derivation().positive("no sign", E - 2, domain, strictly=False)
    with pytest.raises(ProofError, match="not proved"):
        Derivation().positive("negative", -E, domain, strictly=False)


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_claims_link_to_their_proofs(paper: str) -> None:
    """Every record names exactly the proofs that are about it."""
    about = {name: prove(name).claims for name in PROOFS}
    for claim in claims_of(paper):
        assert set(claim.proofs) == {name for name, claims in about.items() if claim.id in claims}, claim.id


def test_a_claim_whose_proof_fails_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness runs the proofs of a claim; a step that fails is a problem."""
    claim = ClaimRecord("X", "t", "s", "f", "section 1", "holds", proofs=("gain-at-b",))
    good = run_claim(claim)
    assert (good.rederived, good.cases, good.problems) == ("holds", 1, ())

    def wrong() -> Proof:
        steps = Derivation()
        steps.identity("one is two", 1, 2)
        return steps.done("gain-at-b", "wrong", ["X"])

    monkeypatch.setitem(symbolic.PROOFS, "gain-at-b", wrong)
    bad = run_claim(claim)
    assert bad.rederived == "unconfirmed"
    assert "the sides differ" in bad.problems[0]


def test_reading_the_table_of_proofs_loads_no_sympy() -> None:
    """It loads when a proof runs."""
    code = "import sys, oracle.laws.symbolic as s; print('sympy' in sys.modules, len(s.PROOFS))"
    root = Path(__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", str(len(PROOFS))]


@settings(deadline=None)
@given(levels(), unit())
def test_canonical_channel_and_curve_agree_with_the_engine(E: mpq, delta: mpq) -> None:
    """The closed columns and corners are those of the worst-case channel."""
    assert channel(forms.approximate_dp_columns(E, delta)) == approximate_dp_channel(E, delta)
    assert tradeoff_of(approximate_dp_channel(E, delta)) == approximate_dp_curve(E, delta)
    identity = Channel([["1", "0"], ["0", "1"]])
    chosen = visible(delta, identity, approximate_dp_channel(E, mpq(0)))
    assert tradeoff_of(chosen) == approximate_dp_curve(E, delta)


@settings(deadline=None)
@given(levels(), unit(low=False, high=False), unit())
def test_subsampled_corners_agree_with_the_engine(E: mpq, delta: mpq, gamma: mpq) -> None:
    """A, B, C, D are the corners of P·C, and the gain at B is what the curve gains."""
    P = ((mpq(1), mpq(0)), (1 - gamma, gamma))
    curve = tradeoff_of(pre_process(P, approximate_dp_channel(E, delta)))
    points = forms.subsampled_corners(E, delta, gamma)
    assert curve == TradeoffFunction(points)
    if E > 1 and gamma > 0:
        assert list(curve.corners) == points
    a = (1 - delta) / (1 + E)
    assert curve.at(a) - approximate_dp_curve(E, delta).at(a) == forms.gain_at_b(E, delta, gamma)


@settings(deadline=None)
@given(two_row_channels(), unit(), unit())
def test_preprocessing_line_agrees_with_the_engine(M: Channel, gamma: mpq, alpha: mpq) -> None:
    """T(P·M)(α) = γ T(M)(α) + (1-γ)(1-α)."""
    P = ((mpq(1), mpq(0)), (1 - gamma, gamma))
    mixed = gamma * tradeoff_of(M).at(alpha) + (1 - gamma) * (1 - alpha)
    assert tradeoff_of(pre_process(P, M)).at(alpha) == mixed


@settings(deadline=None)
@given(levels(), unit(), unit(low=False, high=False))
def test_column_order_agrees_with_the_engine(E: mpq, delta: mpq, r: mpq) -> None:
    """The middle columns of C are strictly extreme in D exactly under the proved condition."""
    D = hidden(r, approximate_dp_channel(E, delta), UNIFORM)
    ratios = [p / q for p, q in zip(*D.rows, strict=True)]
    extreme = ratios[1] > max(ratios[0], ratios[2], ratios[3])
    assert extreme == (2 * delta < 1 and forms.column_order_bound(delta, r) < E)


@settings(deadline=None)
@given(levels(), unit(), unit(high=False), unit(high=False), levels())
def test_thresholds_agree_with_the_engine(E: mpq, delta: mpq, r: mpq, ratio: mpq, level: mpq) -> None:
    """Pure privacy at a level, decided by refinement, is what the thresholds say."""
    D = channel(forms.purified_columns(E, delta, r))
    least = max(p / q for p, q in zip(*D.rows, strict=True))
    a, u = (1 - delta) / (1 + E), (1 - r) / 4
    assert least == max(1 + 4 * r * delta / (1 - r), (r * a * E + u) / (r * a + u))
    response = approximate_dp_channel(level, mpq(0))
    assert refine(response, D).holds == (level >= least)
    if r == 0 or (2 * delta < 1 and forms.column_order_bound(delta, r) < E):
        G = tuple(tuple(row) for row in forms.geometric_matrix(4, ratio))
        Z = post_process(D, G)
        assert refine(response, Z).holds == (level >= forms.purification_threshold(E, delta, r, ratio))


def test_worked_values_of_purification() -> None:
    """The paper's numbers: E = 3, δ = 1/10, r = 3/4, ratio 1/2."""
    E, delta, r = mpq(3), mpq(1, 10), mpq(3, 4)
    assert mpq(13, 5) == forms.column_order_bound(delta, r)
    assert mpq(291, 157) == forms.purification_threshold(E, delta, r, mpq(1, 2))
    assert [p for p, _ in forms.purified_columns(E, delta, r)] == [mpq(91, 160), mpq(11, 80), mpq(1, 16), mpq(37, 160)]


def test_composition_of_closed_columns_is_exact() -> None:
    """The closed columns make a channel that the rest of the engine takes: Fig. 6's square."""
    square = compose([(channel(forms.approximate_dp_columns(mpq(2), mpq(1, 20))), 2)])
    assert tradeoff_of(square).corners[1] == (mpq(361, 3600), mpq(361, 720))
