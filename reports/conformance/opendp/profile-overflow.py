"""opendp 0.16.0: the delta of a Gaussian measurement with little noise cannot be asked.

Needs: pip install opendp==0.16.0
"""
# ruff: noqa: INP001, T201

import opendp.prelude as dp

dp.enable_features("contrib")
measurement = dp.m.make_gaussian(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=1e-3)
profile = dp.c.make_zCDP_to_approxDP(measurement).map(1.0)
try:
    answer = profile.delta(1000.0)
except dp.OpenDPException as error:
    answer = f"OpenDPException: {error.variant} {str(error.message).splitlines()[0]}"
print("answer:", answer)
print("truth: ", "between 0.9999999999999999999999999999 and 1")
