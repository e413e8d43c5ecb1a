"""Exact statistics for audits from samples: what counts and one-run games prove, and with which confidence.

Every statement is verified in integers or balls; doubles propose bounds and nothing else. Counts refute a claim or
leave it undecided: they never prove that it holds.
"""

from oracle.statistics.bayes import credible_exp_epsilon, curve_credibility, region_credibility
from oracle.statistics.best_threshold import corrected_critical, nominal_critical, null_rejection
from oracle.statistics.binomial import (
    binomial_lower_tail,
    binomial_tail_bounds,
    binomial_upper_tail,
    binomial_weights,
    compare_binomial_tail,
)
from oracle.statistics.clopper_pearson import default_grid, lower_bound, upper_bound
from oracle.statistics.counts import CanaryScores, CountTable, PairCounts
from oracle.statistics.coverage import (
    Size,
    approximate_dp_boundary,
    gaussian_boundary,
    rejection_of_best_outcome,
    rejection_of_split_outcome,
    response_share,
    size_of_counts,
    size_of_one_run,
    stopped_rejection,
    worst_miss,
)
from oracle.statistics.e_values import EValueVerdict, capital, judge_pairs, largest_bet
from oracle.statistics.events import (
    Count,
    CountVerdict,
    EventCounts,
    Inequality,
    JointBounds,
    event_bounds,
    exp_epsilon_bound,
    judge_counts,
)
from oracle.statistics.hypergeometric import (
    fisher_p_value,
    hypergeometric_lower_tail,
    hypergeometric_tail_bounds,
    hypergeometric_upper_tail,
)
from oracle.statistics.one_run import OneRun, largest_refuted_exp_epsilon, one_run_p_value
from oracle.statistics.one_run_curves import CurveRefutation, curve_refutation, least_total_mass
from oracle.statistics.one_run_verdicts import OneRunVerdict, judge_one_run, one_run_refutes_curve
from oracle.statistics.planning import CountTest, Violation, least_allowed, least_found, least_found_in_one_run
from oracle.statistics.selection import DECLARED, Selection, parse_confidence, parse_selection, tail_levels

__all__ = [
    "DECLARED",
    "CanaryScores",
    "Count",
    "CountTable",
    "CountTest",
    "CountVerdict",
    "CurveRefutation",
    "EValueVerdict",
    "EventCounts",
    "Inequality",
    "JointBounds",
    "OneRun",
    "OneRunVerdict",
    "PairCounts",
    "Selection",
    "Size",
    "Violation",
    "approximate_dp_boundary",
    "binomial_lower_tail",
    "binomial_tail_bounds",
    "binomial_upper_tail",
    "binomial_weights",
    "capital",
    "compare_binomial_tail",
    "corrected_critical",
    "credible_exp_epsilon",
    "curve_credibility",
    "curve_refutation",
    "default_grid",
    "event_bounds",
    "exp_epsilon_bound",
    "fisher_p_value",
    "gaussian_boundary",
    "hypergeometric_lower_tail",
    "hypergeometric_tail_bounds",
    "hypergeometric_upper_tail",
    "judge_counts",
    "judge_one_run",
    "judge_pairs",
    "largest_bet",
    "largest_refuted_exp_epsilon",
    "least_allowed",
    "least_found",
    "least_found_in_one_run",
    "least_total_mass",
    "lower_bound",
    "nominal_critical",
    "null_rejection",
    "one_run_p_value",
    "one_run_refutes_curve",
    "parse_confidence",
    "parse_selection",
    "region_credibility",
    "rejection_of_best_outcome",
    "rejection_of_split_outcome",
    "response_share",
    "size_of_counts",
    "size_of_one_run",
    "stopped_rejection",
    "tail_levels",
    "upper_bound",
    "worst_miss",
]
