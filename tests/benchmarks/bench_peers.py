"""Refinement at n = 256 against a float linear programme (scipy's HiGHS) on the same pair, in the same run.

With ``--qif`` also against the rational witness of the ``qif`` library (pip install qif), which takes minutes.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from oracle.channels.channel import Channel
from oracle.channels.refinement import refine
from tests.benchmarks.pairs import best_of, refining_pair


def highs(left: Channel, right: Channel) -> tuple[bool, float]:
    """Feasibility of left·W = right, W stochastic, as a float linear programme: the verdict and CPU seconds."""
    import numpy as np  # noqa: PLC0415 - the peers load where they are asked
    from scipy.optimize import linprog  # noqa: PLC0415
    from scipy.sparse import eye_array, kron, vstack  # noqa: PLC0415

    a, b = (np.array([[float(v) for v in row] for row in channel.rows]) for channel in (left, right))
    n, m = a.shape[1], b.shape[1]
    product = kron(a, eye_array(m))
    sums = kron(eye_array(n), np.ones((1, m)))
    start = time.process_time()
    found = linprog(
        np.zeros(n * m), A_eq=vstack([product, sums]), b_eq=np.concatenate([b.ravel(), np.ones(n)]), method="highs"
    )
    return found.status == 0, time.process_time() - start


def qif_witness(left: Channel, right: Channel) -> tuple[bool, float]:
    """The rational witness of qif: the verdict and CPU seconds."""
    import numpy as np  # noqa: PLC0415
    import qif  # noqa: PLC0415

    a, b = (np.array([list(row) for row in c.matrix], dtype=object) for c in (left, right))
    start = time.process_time()
    verdict, _, _ = qif.refinement.refined_by_witness(a, b)
    return bool(verdict), time.process_time() - start


def main() -> None:
    left, right = refining_pair(256)
    exact = best_of(refine, left, right)
    verdict, seconds = highs(left, right)
    print(f"n = 256: exact {exact:.4f} s; HiGHS {seconds:.2f} s CPU: {verdict}, {seconds / exact:.0f} times (goal 300)")
    if "--qif" in sys.argv[1:]:
        for n in (64, 128, 256):
            small, merged = refining_pair(n)
            own = best_of(refine, small, merged)
            verdict, seconds = qif_witness(small, merged)
            times = f"{seconds / own:.0f} times (goal 2000 at n = 256)"
            print(f"n = {n}: exact {own:.4f} s; qif {seconds:.2f} s CPU says {verdict}, {times}")
    near = 10**9
    here = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
    more = Channel([[f"{3 * near + 1}/{4 * near}", f"{near - 1}/{4 * near}"], ["1/4", "3/4"]])
    print(f"a miss of 2.5e-10: exact says {bool(refine(here, more))}, HiGHS says {highs(here, more)[0]}")


if __name__ == "__main__":
    main()
