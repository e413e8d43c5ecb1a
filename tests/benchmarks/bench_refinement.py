"""Refinement decision and witness on pairs B = A·Q, with memory and the "no" answers."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from oracle.channels.refinement import Separation, Witness, refine
from tests.benchmarks.pairs import best_of, refining_pair

PROTOTYPE = {256: 0.0042, 4096: 0.1, 16384: 0.6, 65536: 2.9}
SIZES = (256, 1024, 4096, 16384, 65536)


def measure(n: int) -> tuple[float, float]:
    left, right = refining_pair(n)
    witness, refusal = refine(left, right), refine(right, left)
    assert isinstance(witness, Witness)
    assert isinstance(refusal, Separation)
    assert witness.product(left) == right.rows
    nonzeros = len(witness.entries) / n
    del witness
    yes, no = best_of(refine, left, right), best_of(refine, right, left)
    prototype = f"{yes / PROTOTYPE[n]:5.2f} x prototype" if n in PROTOTYPE else " " * 17
    print(f"n = {n:6}  yes {yes:8.4f} s  {prototype}  {nonzeros:.2f} n nonzeros  no {no:8.4f} s  {no / yes:4.2f} x yes")
    return yes, no


def main() -> None:
    if sys.argv[1:] == ["memory"]:
        left, right = refining_pair(SIZES[-1])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert refine(left, right)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(
            f"n = {SIZES[-1]}: peak {peak / 1024:.0f} MB, of which {before / 1024:.0f} MB to build the pair (limit 500)"
        )
        return
    found = {n: measure(n) for n in SIZES}
    print(f"t(65,536) / t(16,384) = {found[65536][0] / found[16384][0]:.2f} (limit 5)")
    subprocess.run([sys.executable, __file__, "memory"], check=True)


if __name__ == "__main__":
    main()
