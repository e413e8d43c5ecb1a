"""dp-accounting 0.6.0: no noise is found for epsilon = 0.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import accountant
from dp_accounting.pld.common import DifferentialPrivacyParameters

try:
    answer = accountant.get_smallest_gaussian_noise(DifferentialPrivacyParameters(0.0, 0.1), 1, 1.0)
except ZeroDivisionError as error:
    answer = f"ZeroDivisionError: {error}"
print("answer:", answer)
print("truth: ", "between 3.978948280545273180 and 3.978948280545273181")
