"""The rows of every file of fixtures/mechanisms, each derived from the description of its mechanism.

Nothing of the package is imported.
"""

from __future__ import annotations

from fractions import Fraction

from tests.vectors import by_definition as definition

__all__ = ["CONTINUOUS", "EXPONENTS", "HALF", "ROWS"]

Rows = list[list[Fraction]]

QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)
VOTES = [[2, 1, 0], [1, 1, 0], [1, 2, 0]]


def bits(word: str, one: Fraction, zero: Fraction) -> list[Fraction]:
    """The law of independent bits: a bit of *word* is reported as 1 with probability *one* or *zero*."""
    return definition.product(*([1 - mass, mass] for mass in (one if bit == "1" else zero for bit in word)))


def rappor_report_bit(before: int) -> Fraction:
    """P(reported 1): the permanent step, f = 1/2, then 1 with probability q = 3/4 after a 1, p = 1/2 after a 0."""
    f, p, q = HALF, HALF, 3 * QUARTER
    permanent_one = f / 2 + (1 - f) * before
    return permanent_one * q + (1 - permanent_one) * p


def truncated_laplace() -> Rows:
    """Counts 0 and 1 on the outcomes -5..6."""
    return [definition.truncated_discrete_laplace(count, 5, HALF, range(-5, 7)) for count in (0, 1)]


def clamped_geometric(counts: range) -> Rows:
    """Counts on 0..4."""
    return [definition.geometric_row(count, 0, 4, HALF) for count in counts]


def votes(counts: list[list[int]]) -> Rows:
    """The exponential mechanism with weight 2 for a vote."""
    return [definition.exponential([Fraction(n) for n in row], Fraction(2)) for row in counts]


def worst_case(level: Fraction, delta: Fraction) -> Rows:
    """Every (log level, delta)-private pair is a post-processing of this one."""
    a = (1 - delta) / (1 + level)
    row = [delta, a * level, a, Fraction(0)]
    return [row, row[::-1]]


def replaced(rows: Rows, keep: Fraction, outputs: range) -> Rows:
    """The outcome is kept with probability *keep*, otherwise a uniform one of *outputs*."""
    share = (1 - keep) / len(outputs)
    return [[keep * mass + (share if y in outputs else 0) for y, mass in enumerate(row)] for row in rows]


def with_noise(rows: Rows) -> Rows:
    """Geometric noise of ratio 1/2 added to the number of the outcome, clamped to the range."""
    last = len(rows[0]) - 1
    return definition.multiply(rows, [definition.geometric_row(y, 0, last, HALF) for y in range(last + 1)])


def composed(rows: Rows, times: int) -> Rows:
    """All tuples of outcomes, those of one likelihood ratio together."""
    p, q = (definition.product(*[law] * times) for law in rows)
    return definition.merged_by_ratio(p, q)


PURIFIED = replaced(worst_case(Fraction(3), Fraction(1, 10)), 3 * QUARTER, range(4))
INSIDE = worst_case(Fraction(3), Fraction(1, 19))
REVEALED = [
    [Fraction(1, 20), *(Fraction(19, 20) * mass for mass in INSIDE[0]), Fraction(0)],
    [Fraction(0), *(Fraction(19, 20) * mass for mass in INSIDE[1]), Fraction(1, 20)],
]
PARTLY_PURIFIED = replaced(REVEALED, Fraction(60, 79), range(1, 5))
WARNER = definition.randomized_response(3 * QUARTER)
UNARY = [bits("10", HALF, QUARTER), bits("01", HALF, QUARTER)]
TRUTH_OR_ANY = 3 * QUARTER + QUARTER * 3 * QUARTER

ROWS: dict[str, Rows] = {
    "warner_randomized_response.json": WARNER,
    "warner_randomized_response.csv": WARNER,
    "rappor_permanent.json": [bits(word, 3 * QUARTER, QUARTER) for word in ("1100", "0011")],
    "rappor_one_report.json": [bits(word, rappor_report_bit(1), rappor_report_bit(0)) for word in ("1100", "0011")],
    "k_randomized_response_table.json": definition.k_randomized_response(4, Fraction(3)),
    "k_randomized_response.json": definition.k_randomized_response(4, Fraction(3))[:2],
    "truncated_geometric_table.json": clamped_geometric(range(5)),
    "truncated_geometric.json": clamped_geometric(range(1, 3)),
    "truncated_geometric.tsv": clamped_geometric(range(1, 3)),
    "exponential_votes.json": votes(VOTES),
    "exponential.json": votes([VOTES[0], VOTES[2]]),
    "permute_and_flip_votes.json": [definition.permute_and_flip(row, Fraction(2)) for row in VOTES],
    "opendp_480_randomized_response_bool.json": definition.randomized_response(TRUTH_OR_ANY),
    "truncated_discrete_laplace.json": truncated_laplace(),
    "diffprivlib_105_no_noise.json": definition.randomized_response(Fraction(1)),
    "approximate_randomized_response.json": [[Fraction(n, 40) for n in row] for row in ([4, 27, 9, 0], [0, 9, 27, 4])],
    "optimised_unary_encoding.json": UNARY,
    "optimised_unary_encoding.csv": UNARY,
    "purification_covering.json": with_noise(PURIFIED),
    "purification_covering_sorted.json": with_noise(definition.merged_by_ratio(*PURIFIED)),
    "purification_noncovering_before_noise.json": PARTLY_PURIFIED,
    "purification_noncovering.json": with_noise(PARTLY_PURIFIED),
    "subsampled_approximate_randomized_response.json": definition.multiply(
        [[Fraction(1), Fraction(0)], [Fraction(4, 5), Fraction(1, 5)]], worst_case(Fraction(19, 7), Fraction(1, 10))
    ),
    "composed_approximate_randomized_response.json": composed(worst_case(Fraction(2), Fraction(1, 20)), 2),
    "randomized_response_tenfold.json": composed(WARNER, 10),
}
"""The rows of every file with rational probabilities, each derived from the mechanism."""

EXPONENTS: dict[str, list[list[int]]] = {
    "randomized_response.json": [[1, 0], [0, 1]],
    "exponential_irrational.json": [VOTES[0], VOTES[2]],
}
"""Files whose weights are powers of t = e^(1/2): the powers."""

CONTINUOUS: dict[str, tuple[Fraction, Fraction]] = {
    "tf_privacy_166_subsampled_gaussian.json": (Fraction(105, 100_000), Fraction(1)),
}
"""Files of Gaussian pairs that are sampled with a rate: the rate, and the distance of the means over sigma."""

COMPOSED = (
    "dp_sgd.json",
    "laplace_eightfold.json",
    "survey_and_gaussian.json",
    "discrete_gaussian_sixteenfold.json",
)
"""Files of compositions with a continuous or infinite part; see test_composed_fixtures.py."""
