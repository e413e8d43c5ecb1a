"""A measurement of OpenDP at a distance, and what the library says of it: epsilon, rho, profiles and checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from oracle.conformance.adapters.doubles import load

__all__ = ["Measured", "library"]


def library() -> Any:  # noqa: ANN401 - a module without types
    """The library, with the features that the adapter uses."""
    prelude = load("opendp.prelude", "opendp")
    prelude.enable_features("contrib", "honest-but-curious")
    return prelude


@dataclass(frozen=True, slots=True)
class Measured:
    """A measurement of the library with the distance of the two inputs.

    Attributes:
        measurement: the object of the library.
        distance: what its map is asked at.
        pure: whether the map gives epsilon; otherwise it gives rho.
        domain: the input domain; only measurements on the same one compose.
    """

    measurement: Any
    distance: Any
    pure: bool
    domain: str

    @property
    def epsilon(self) -> float | None:
        """The epsilon of a pure measurement."""
        return float(self.measurement.map(self.distance)) if self.pure else None

    @property
    def rho(self) -> float:
        """The rho of the measurement."""
        return float(self.concentrated().measurement.map(self.distance))

    def concentrated(self) -> Measured:
        """The measurement cast to zCDP, if it is pure."""
        if not self.pure:
            return self
        return replace(self, measurement=library().c.make_pureDP_to_zCDP(self.measurement), pure=False)

    def passes(self, epsilon: float, delta: float) -> bool:
        """Whether the library's check of epsilon alone passes, or its profile at epsilon is within delta."""
        if self.pure and self.measurement.check(self.distance, epsilon):
            return True
        return self.least(lambda profile: profile.delta(epsilon)) <= delta

    def least(self, question: Callable[[Any], float]) -> float:
        """The least answer of the profiles that it is cast to.

        A pure measurement has two casts, both bounds, of which the library may fail at one: through (epsilon, 0), and
        through zCDP.
        """
        dp, concentrated = library(), self.concentrated().measurement
        if not self.pure:
            return float(question(dp.c.make_zCDP_to_approxDP(concentrated).map(self.distance)))
        pair = dp.c.make_approximate(self.measurement)
        answers, failures = [], []
        for cast in (dp.c.make_fixed_approxDP_to_approxDP(pair), dp.c.make_zCDP_to_approxDP(concentrated)):
            try:
                answers.append(float(question(cast.map(self.distance))))
            except dp.OpenDPException as failure:
                failures.append(failure)
        if not answers:
            raise failures[0]
        return min(answers)
