"""Accounts: delta or epsilon of a mechanism with the method, the record of how it was had, and checks of it.

>>> import oracle
>>> steps = {"mechanism": "repeat", "times": 10, "of": {"mechanism": "randomized_response", "exp_epsilon": "3"}}
>>> oracle.account(steps, exp_epsilon=9).entries[0]["method"]
'lattice polynomial'

An account is a JSON document (``oracle schema account``): the mechanism as understood, what was asked, and an entry for
each question with its value, the method, the facts on which it rests in each direction, and the cross-checks asked for
(:mod:`oracle.accountant.cross_check`). It is a record that can be run again, not a certificate.
"""

from oracle.accounting.curve import PROFILE_HEADING, PROFILE_RUN, profile_lines, profile_rows, profile_runs
from oracle.accounting.entry import (
    bounds_entry,
    coarse_entries,
    entries,
    epsilon_facts,
    evidence,
    exactly,
    method_of,
    pair_of,
)
from oracle.accounting.question import Question, Questions, questions
from oracle.accounting.record import Account, account, account_of

__all__ = [
    "PROFILE_HEADING",
    "PROFILE_RUN",
    "Account",
    "Question",
    "Questions",
    "account",
    "account_of",
    "bounds_entry",
    "coarse_entries",
    "entries",
    "epsilon_facts",
    "evidence",
    "exactly",
    "method_of",
    "pair_of",
    "profile_lines",
    "profile_rows",
    "profile_runs",
    "questions",
]
