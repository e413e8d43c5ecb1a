"""The subjects that come with the package: the adapter of each name, and what to install for it.

``oracle conform NAME`` starts the adapter in a Python of its own: the one that runs the oracle, or the one given by
``--python``, for a library that shares no environment with it. That Python needs this package and the library.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from oracle.errors import InputError, shorten

__all__ = ["LIBRARIES", "Library", "installation", "serving_command"]

_PACKAGE: Final = "oracle.conformance.adapters"


@dataclass(frozen=True, slots=True)
class Library:
    """A subject.

    Attributes:
        target: the adapter, ``module:object`` inside this folder.
        environment: where ``.ci/peers`` installs the library.
        packages: what is installed, at the versions that were asked.
    """

    target: str
    environment: str = "adapters"
    packages: tuple[str, ...] = ()

    @property
    def adapter(self) -> str:
        """The full name of the adapter."""
        return f"{_PACKAGE}.{self.target}"


_DP_ACCOUNTING: Final = ("dp-accounting==0.6.0",)
_PRV: Final = ("prv-accountant==0.2.0",)
_OPACUS: Final = ("opacus==1.6.0",)

LIBRARIES: Final[Mapping[str, Library]] = {
    "float64": Library("float64:ADAPTER"),
    "dp-accounting": Library("dp_accounting:ADAPTER", packages=_DP_ACCOUNTING),
    "dp-accounting-optimistic": Library("dp_accounting:OPTIMISTIC", packages=_DP_ACCOUNTING),
    "dp-accounting-rdp": Library("dp_accounting_rdp:ADAPTER", packages=_DP_ACCOUNTING),
    "opendp": Library("opendp:ADAPTER", packages=("opendp==0.16.0",)),
    "prv-accountant": Library("prv_accountant:ADAPTER", packages=_PRV),
    "prv-accountant-lower": Library("prv_accountant:LOWER", packages=_PRV),
    "riskcal": Library("riskcal:ADAPTER", packages=("riskcal==1.5.1",)),
    "gdpnum": Library("gdpnum:ADAPTER", packages=("gdpnum==0.1.2",)),
    "dp-accelerator": Library("dp_accelerator:ADAPTER", packages=("dp-accelerator==0.1.0", "numpy")),
    "opacus-rdp": Library("opacus:RDP", packages=_OPACUS),
    "opacus-prv": Library("opacus:PRV", packages=_OPACUS),
    "opacus-gdp": Library("opacus:GDP", packages=_OPACUS),
    "qif": Library("qif:ADAPTER", packages=("qif==1.6.0",)),
    "autodp": Library("autodp:ADAPTER", "numpy1", ("autodp==0.2.3.1", "numpy==1.26.4", "scipy==1.11.4")),
    "fourier-accountant": Library(
        "fourier_accountant:ADAPTER", "numpy1", ("fourier-accountant==0.12.11", "numpy==1.26.4", "scipy==1.11.4")
    ),
    "diffprivlib": Library(
        "diffprivlib:ADAPTER",
        "sklearn",
        ("diffprivlib==0.6.6", "numpy==2.2.6", "scipy==1.13.1", "scikit-learn==1.5.2"),
    ),
}
"""By the name that ``oracle conform`` takes."""


def installation(name: str, python: str | None = None) -> str:
    """The command that installs the library of a name for a Python, by default the one that runs."""
    packages = " ".join(LIBRARIES[name].packages)
    return f"{shlex.quote(python or sys.executable)} -m pip install {packages}"


def serving_command(name: str, python: str | None = None) -> list[str]:
    """The program that answers for a name, or for a ``module:object``.

    Raises:
        InputError: naming what there is.
    """
    library = LIBRARIES.get(name)
    target = name if library is None else library.adapter
    if ":" not in target:
        raise InputError(", ".join(LIBRARIES) + " or module:object", f'"{shorten(name)}"', "NAME")
    return [python or sys.executable, "-m", "oracle.conformance.serving", target]


if __name__ == "__main__":
    for known, facts in LIBRARIES.items():
        sys.stdout.write(f"{known} {facts.environment}\n")
