"""dp-accounting 0.6.0: a delta that is no probability is answered with an epsilon.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

import dp_accounting
from dp_accounting.rdp import RdpAccountant

accountant = RdpAccountant().compose(dp_accounting.GaussianDpEvent(1.0))
print("answer:", accountant.get_epsilon(1.1))
print("truth: ", "no answer: a delta lies between 0 and 1")
