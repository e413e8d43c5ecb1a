"""dp-accounting 0.6.0: the masses of connect-the-dots do not sum to 1, which the upper estimate does not make up for.

With use_connect_dots (the default for Laplace and Gaussian noise) the mass of a grid point is made of float
differences of delta at neighbouring points. On fine grids their sum falls short of 1 (for Laplace noise of scale 1 and
an interval of 1e-5 by 6e-12 a step), which is multiplied by the number of steps and given to no loss.

Case: lap(1.0) × 50, ε = 20.0. Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld

step = pld.from_laplace_mechanism(1.0, value_discretization_interval=1e-5)
composed = step.self_compose(50)
value = composed.get_delta_for_epsilon(20.0)

# The true delta (of the worse direction) is proved to lie between the two numbers printed last, so
# what is claimed to be at least the true delta is not.
print("claimed upper end:", value)
print("proved lower end:  ", "0.333582055142111")
print("proved upper end:  ", "0.333582055142112")
