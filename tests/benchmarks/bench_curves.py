"""T and glb at n = 100,000 on channels already built, against sorting all input ratios as gmpy2 rationals."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from oracle.channels.galois import tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from tests.benchmarks.pairs import best_of, channel, generator

COLUMNS = 100_000


def main() -> None:
    rng = generator(3)
    first, second = channel(COLUMNS, rng), channel(COLUMNS, rng)
    ratios = [[q / p for p, q in zip(*c.rows, strict=True)] for c in (first, second)]
    one, two = best_of(lambda: sorted(ratios[0])), best_of(lambda: sorted(ratios[0] + ratios[1]))
    curve = best_of(tradeoff_of, first)
    bound = best_of(lambda *pair: greatest_lower_bound(pair), first, second)
    print(f"T   {curve:.3f} s, sort of its ratios {one:.3f} s: {curve / one:.2f} times (limit 4)")
    print(f"glb {bound:.3f} s, sort of all ratios {two:.3f} s: {bound / two:.2f} times (limit 4)")


if __name__ == "__main__":
    main()
