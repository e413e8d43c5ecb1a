"""The cases of the comparison: compositions and one question each.

Every number is given as a decimal text. Peers read it as a binary64 literal, and so does the certified value: a case is
about the doubles nearest the decimals shown, taken exactly. Sensitivity is 1 throughout; a question is about the larger
of the two directions (remove and add).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["CASES", "FIRST", "Approximate", "Case", "Gaussian", "Laplace", "Part", "Response", "Subsampled", "double"]


def double(text: str) -> Fraction:
    """The double nearest a decimal text, exactly."""
    return Fraction(float(text))


@dataclass(frozen=True, slots=True)
class Subsampled:
    """N(0, sigma²) noise on a Poisson sample of the rate."""

    times: int
    sigma: str
    rate: str

    def label(self) -> str:
        """A short name."""
        return f"sub({self.sigma}, {self.rate})"


@dataclass(frozen=True, slots=True)
class Gaussian:
    """N(0, sigma²) noise."""

    times: int
    sigma: str

    def label(self) -> str:
        """A short name."""
        return f"gauss({self.sigma})"


@dataclass(frozen=True, slots=True)
class Laplace:
    """Laplace noise of the given scale."""

    times: int
    scale: str

    def label(self) -> str:
        """A short name."""
        return f"lap({self.scale})"


@dataclass(frozen=True, slots=True)
class Response:
    """Randomized response on one bit, told wrongly with probability ``flip``; twice it must be a double, too."""

    times: int
    flip: str

    def label(self) -> str:
        """A short name."""
        return f"rr({self.flip})"


@dataclass(frozen=True, slots=True)
class Approximate:
    """The worst mechanism that is (epsilon, delta)-private: loss inf with probability delta, else ±epsilon."""

    times: int
    epsilon: str
    delta: str

    def label(self) -> str:
        """A short name."""
        return f"adp({self.epsilon}, {self.delta})"


Part = Subsampled | Gaussian | Laplace | Response | Approximate


@dataclass(frozen=True, slots=True)
class Case:
    """A composition and one question.

    Attributes:
        name: unique.
        parts: what is composed.
        epsilon: delta at this epsilon is asked for, or None.
        delta: epsilon at this delta is asked for, or None.
        scale: the power of ten near the delta of the answer, for peers that must be told an accuracy in advance.
    """

    name: str
    parts: tuple[Part, ...]
    epsilon: str | None
    delta: str | None
    scale: str

    def label(self) -> str:
        """The composition and the question in short."""
        parts = " + ".join(f"{part.label()} × {part.times}" for part in self.parts)
        return f"{parts}, {self.question}"

    @property
    def question(self) -> str:
        """What is given."""
        return f"ε = {self.epsilon}" if self.epsilon is not None else f"δ = {self.delta}"


def _sub(sigma: str, rate: str, times: int) -> Subsampled:
    return Subsampled(times, sigma, rate)


def _of_epsilon(name: str, parts: Part | tuple[Part, ...], epsilon: str, scale: str) -> Case:
    return Case(name, parts if isinstance(parts, tuple) else (parts,), epsilon, None, scale)


def _of_delta(name: str, parts: Part | tuple[Part, ...], delta: str) -> Case:
    return Case(name, parts if isinstance(parts, tuple) else (parts,), None, delta, delta)


_A = _sub("0.8", "0.005", 1000)
_TWO = (_sub("0.8", "0.005", 500), _sub("1.2", "0.01", 500))
_MIXED = (_sub("1.0", "0.01", 1000), Gaussian(4, "20.0"), Laplace(2, "10.0"))

_DELTAS = (
    # The eight of the method's own table.
    _of_epsilon("A1", _A, "1.0", "1e-3"),
    _of_epsilon("B", _sub("1.0", "0.01", 10000), "4.0", "1e-3"),
    _of_epsilon("D", _sub("0.3", "0.0001", 1000), "1.0", "1e-2"),
    _of_epsilon("E", Gaussian(64, "1.0"), "40.0", "1e-1"),
    _of_epsilon("F", Laplace(50, "1.0"), "20.0", "1e-1"),
    _of_epsilon("G", Response(1000, "0.25"), "600.0", "1e-2"),
    _of_epsilon("J", _sub("0.8", "0.005", 30), "1.0", "1e-6"),
    _of_epsilon("M", _sub("2.0", "0.1", 500), "2.0", "1e-1"),
    # The families of the speed targets, deltas from 0.5 down to 1e-18.
    _of_epsilon("A-1", _sub("0.8", "0.005", 1), "0.5", "1e-6"),
    _of_epsilon("A-5", _sub("0.8", "0.005", 5), "2.4", "1e-10"),
    _of_epsilon("A-30-tiny", _sub("0.8", "0.005", 30), "5.5", "1e-17"),
    _of_epsilon("A1-small", _A, "4.7", "1e-12"),
    _of_epsilon("A1-tiny", _A, "6.0", "1e-15"),
    _of_epsilon("A-3000-tiny", _sub("0.8", "0.005", 3000), "6.8", "1e-15"),
    _of_epsilon("A-100000", _sub("0.8", "0.005", 100_000), "19.0", "1e-6"),
    _of_epsilon("B-small", _sub("1.0", "0.01", 10000), "10.0", "1e-12"),
    _of_epsilon("C-1000", _sub("4.0", "0.00033", 1000), "0.008", "1e-6"),
    _of_epsilon("C-100000", _sub("4.0", "0.00033", 100_000), "0.15", "1e-10"),
    _of_epsilon("C-100000-tiny", _sub("4.0", "0.00033", 100_000), "0.21", "1e-17"),
    _of_epsilon("H-1000", _sub("0.5", "0.001", 1000), "4.2", "1e-6"),
    _of_epsilon("H-100000", _sub("0.5", "0.001", 100_000), "21.0", "1e-10"),
    _of_epsilon("M-small", _sub("2.0", "0.1", 1000), "12.2", "1e-10"),
    _of_epsilon("M-100000", _sub("2.0", "0.1", 100_000), "176.0", "1e-2"),
    _of_epsilon("D-small", _sub("0.3", "0.0001", 1000), "18.1", "1e-10"),
    _of_epsilon("W-1000", _sub("10.0", "1e-06", 1000), "1e-05", "1e-9"),
    _of_epsilon("J-small", _sub("0.8", "0.005", 30), "3.8", "1e-13"),
    _of_epsilon("A-100000-small", _sub("0.8", "0.005", 100_000), "25.5", "1e-12"),
    _of_epsilon("T", _sub("0.6", "0.01", 10000), "30.0", "1e-8"),
    _of_epsilon("T-small", _sub("0.6", "0.01", 10000), "36.0", "1e-12"),
    # Other mechanisms, and small deltas of theirs.
    _of_epsilon("E-1", Gaussian(1, "1.0"), "8.0", "1e-14"),
    _of_epsilon("E-1000", Gaussian(1000, "10.0"), "26.7", "1e-12"),
    _of_epsilon("F-2", Laplace(2, "1.0"), "0.6", "1e-1"),
    _of_epsilon("F-small", Laplace(50, "1.0"), "45.0", "1e-8"),
    _of_epsilon("F-100", Laplace(100, "10.0"), "3.0", "1e-3"),
    _of_epsilon("G-small", Response(1000, "0.25"), "750.0", "1e-12"),
    _of_epsilon("G-large", Response(10_000, "0.4375"), "500.0", "1e-14"),
    _of_epsilon("P", Approximate(100, "0.1", "1e-06"), "3.0", "1e-3"),
    _of_epsilon("P-large", Approximate(10, "5.0", "1e-09"), "45.0", "1.0"),
    # Heterogeneous.
    _of_epsilon("R", _TWO, "1.5", "1e-5"),
    _of_epsilon("R-small", _TWO, "4.5", "1e-12"),
    _of_epsilon("S", _MIXED, "2.0", "1e-5"),
)

_EPSILONS = (
    _of_delta("A1-eps", _A, "1e-05"),
    _of_delta("A1-eps-small", _A, "1e-10"),
    _of_delta("A1-eps-tiny", _A, "1e-14"),
    _of_delta("A-3000-eps", _sub("0.8", "0.005", 3000), "1e-13"),
    _of_delta("T-eps", _sub("0.6", "0.01", 10000), "1e-10"),
    _of_delta("B-eps", _sub("1.0", "0.01", 10000), "1e-05"),
    _of_delta("C-eps", _sub("4.0", "0.00033", 100_000), "1e-06"),
    _of_delta("H-eps", _sub("0.5", "0.001", 1000), "1e-06"),
    _of_delta("M-eps", _sub("2.0", "0.1", 500), "1e-05"),
    _of_delta("M-eps-tiny", _sub("2.0", "0.1", 500), "1e-13"),
    _of_delta("D-eps", _sub("0.3", "0.0001", 1000), "1e-03"),
    _of_delta("W-eps", _sub("10.0", "1e-06", 1000), "1e-09"),
    _of_delta("E-eps", Gaussian(64, "1.0"), "1e-06"),
    _of_delta("E-1-eps", Gaussian(1, "1.0"), "1e-12"),
    _of_delta("F-eps", Laplace(50, "1.0"), "1e-06"),
    _of_delta("G-eps", Response(1000, "0.25"), "1e-06"),
    _of_delta("P-eps", Approximate(100, "0.1", "1e-06"), "0.001"),
    _of_delta("R-eps", _TWO, "1e-06"),
    _of_delta("S-eps", _MIXED, "1e-08"),
)

CASES = {case.name: case for case in (*_DELTAS, *_EPSILONS)}
"""By name."""

FIRST = ("A1", "B", "D", "E", "F", "G", "J", "M")
"""The cases of the method's own table."""
