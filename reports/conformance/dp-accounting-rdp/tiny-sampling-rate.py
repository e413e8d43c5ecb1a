"""dp-accounting 0.6.0: delta of a tiny sampling rate raises an error.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

import dp_accounting
from dp_accounting.rdp import RdpAccountant

accountant = RdpAccountant()
accountant.compose(dp_accounting.PoissonSampledDpEvent(1e-9, dp_accounting.GaussianDpEvent(1.0)))
try:
    answer = accountant.get_delta(0.0)
except ValueError as error:
    answer = f"ValueError: {error}"
print("answer:", answer)
print("truth: ", "between 3.829249225480262e-10 and 3.829249225480263e-10")
