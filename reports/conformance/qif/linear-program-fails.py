"""qif 1.6.0: a refinement in rational arithmetic is not decided.

Needs: pip install qif==1.6.0 numpy
"""
# ruff: noqa: INP001, T201

from fractions import Fraction

import numpy as np
import qif


def channel(*rows: str) -> np.ndarray:
    """An array of exact probabilities."""
    return np.array([[Fraction(x) for x in row.split()] for row in rows], dtype=object)


left = channel("33/128 117/512 13/256 7/128 69/512 35/128", "121/512 83/512 17/128 125/512 63/512 13/128")
right = channel("243164063/500000000 50781249/1000000000 7/128 69/512 35/128", "51/128 17/128 125/512 63/512 13/128")
try:
    answer = qif.refinement.refined_by(left, right)
except RuntimeError as error:
    answer = f"RuntimeError: {error}"
print("answer:", answer)
print("truth: ", False)
