"""diffprivlib 0.6.6: a total is below the sum by its rounding.

Needs: pip install diffprivlib==0.6.6 numpy==2.2.6 scipy==1.13.1 scikit-learn==1.5.2
"""
# ruff: noqa: INP001, T201

import math

from diffprivlib import BudgetAccountant

accountant = BudgetAccountant()
for _ in range(10):
    accountant.spend(math.log(3), 0)
print("answer:", accountant.total()[0])
print("truth: ", "10 log 3, between 10.986122886681096913 and 10.986122886681096914")
