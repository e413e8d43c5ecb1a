"""dp-accelerator 0.1.0: the Rényi curve is below the divergences.

Needs: pip install dp-accelerator==0.1.0 numpy
"""
# ruff: noqa: INP001, T201

from dp_accelerator import DPSGDAccountant

accountant = DPSGDAccountant(noise_multiplier=1.0, batch_size=1, dataset_size=2)
accountant.orders = [2.0]
print("answer:", accountant.get_rdp_curve(1)[2.0])
print("truth: ", "between 0.357374019508788 and 0.357374019508789: log(1 + (e - 1)/4)")
