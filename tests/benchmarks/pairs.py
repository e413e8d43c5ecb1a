"""Pairs and clocks that the benchmarks share."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable

from gmpy2 import mpq

from oracle.channels.channel import Channel


def generator(seed: int) -> random.Random:
    """The same numbers every time."""
    return random.Random(seed)  # noqa: S311 - no secrets here


def weights(n: int, rng: random.Random, bits: int = 20) -> list[mpq]:
    """A probability vector from n weights of so many bits."""
    drawn = [rng.randint(1, 2**bits) for _ in range(n)]
    total = sum(drawn)
    return [mpq(w, total) for w in drawn]


def channel(n: int, rng: random.Random) -> Channel:
    """A two-row channel of n columns with 20-bit weights."""
    return Channel([weights(n, rng), weights(n, rng)])


def refining_pair(n: int, seed: int = 1) -> tuple[Channel, Channel]:
    """A and B = A·Q with four nonzeros in each row of Q."""
    rng = generator(seed)
    left = channel(n, rng)
    rows = [[mpq(0)] * n for _ in range(2)]
    for i in range(n):
        targets = rng.sample(range(n), 4)
        shares = [rng.randint(1, 16) for _ in targets]
        for j, share in zip(targets, shares, strict=True):
            for row, source in zip(rows, left.rows, strict=True):
                row[j] += source[i] * mpq(share, sum(shares))
    return left, Channel(rows)


def best_of(run: Callable[..., object], *channels: Channel, times: int = 5) -> float:
    """Least seconds of so many runs, each on new copies of *channels*: a channel keeps what was derived from it."""
    found = []
    for _ in range(times):
        fresh = [Channel.trusted(channel.rows) for channel in channels]
        gc.collect()
        start = time.perf_counter()
        run(*fresh)
        found.append(time.perf_counter() - start)
    return min(found)
