"""dp-accounting 0.6.0: a delta that is not 0 is answered with 0.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

import dp_accounting
from dp_accounting.rdp import RdpAccountant

accountant = RdpAccountant().compose(dp_accounting.GaussianDpEvent(0.1))
print("answer:", accountant.get_delta(500.0))
print("truth: ", "between 3.04536396890025e-443 and 3.04536396890026e-443")
