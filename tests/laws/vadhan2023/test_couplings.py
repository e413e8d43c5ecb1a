"""The certificate about couplings and the Rényi divergence, by what it says."""

from __future__ import annotations

from oracle.certificates.checker import check
from oracle.laws.vadhan2023._renyi_errata import COUPLING


def test_the_bound_for_all_couplings_is_what_the_certificate_says() -> None:
    """3/2 > 4/3, twice, from the two pairs themselves."""
    statement = check(COUPLING.certificate()).statement
    assert statement.count("= 3/2 (fact 6) > ") == 2
    assert "M1 = [1/2 1/2; 1/4 3/4], M2 = [0 1; 1/4 3/4]" in statement
