"""A pytest plugin: ``pytest --oracle-adapter pkg.mod:OBJ`` adds one test for each file of vectors.

Without that option it does nothing, and loads nothing of the oracle.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from oracle.conformance.cases import Suite, VectorFile
    from oracle.conformance.known import Known
    from oracle.conformance.runs import Settings

__all__ = ["VectorItem", "pytest_addoption", "pytest_collection_modifyitems"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite."""
    group = parser.getgroup("oracle", "differential privacy conformance suite")
    group.addoption("--oracle-adapter", metavar="pkg.mod:OBJ", help="Ask this object the suite, one test a file.")
    group.addoption("--oracle-known", metavar="FILE", help="Its known failures (dp-oracle.toml).")
    group.addoption("--oracle-op", action="append", default=[], metavar="OP", help="Only this op; repeat for several.")
    group.addoption("--oracle-strict", action="store_true", help="Fail for the wrong side by rounding alone, too.")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests; first, so that -k and -m choose among them too."""
    adapter = config.getoption("--oracle-adapter")
    if adapter:
        items.extend(_items(session, config, adapter))


def _items(session: pytest.Session, config: pytest.Config, adapter: str) -> Iterator[VectorItem]:
    from oracle.conformance.cases import installed_suite  # noqa: PLC0415 - only where the suite is asked for
    from oracle.conformance.checking import known_from  # noqa: PLC0415
    from oracle.conformance.runs import Settings  # noqa: PLC0415
    from oracle.errors import OracleError  # noqa: PLC0415

    try:
        suite = installed_suite()
        known = known_from(config.getoption("--oracle-known"))
        if known is not None:
            known.require_used(suite.version, suite.cases)
    except OracleError as error:
        raise pytest.UsageError(str(error)) from error
    ops = tuple(config.getoption("--oracle-op"))
    settings = Settings(ops=ops, strict=config.getoption("--oracle-strict"))
    for file in suite.files:
        if not ops or file.op in ops:
            yield VectorItem.from_parent(
                session,
                name=file.path,
                nodeid=f"oracle::{file.path}",
                facts=(adapter, suite, file, settings, known),
            )


class FindingsError(Exception):
    """A file of vectors has findings; the message is the table of them."""


class VectorItem(pytest.Item):
    """The cases of one file of vectors."""

    def __init__(
        self,
        *,
        facts: tuple[str, Suite, VectorFile, Settings, Known | None],
        **further: Any,  # noqa: ANN401 - pytest's
    ) -> None:
        super().__init__(**further)
        self._facts = facts

    def runtest(self) -> None:
        """Ask the cases; skipped where the adapter offers none of them."""
        from oracle.conformance.checking import failure_table, run_in_process  # noqa: PLC0415

        adapter, suite, file, settings, known = self._facts
        cases = [case for case in file.cases if not case.withdrawn]
        events = run_in_process(adapter, suite, cases, settings, known)
        footer = events[-1]
        if footer["findings"]:
            raise FindingsError(failure_table(events))
        if footer["counts"]["declined"] == len(cases):
            pytest.skip(f"{file.op} is not offered")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401
        """The table alone, without a trace through the oracle."""
        from oracle.conformance.protocol import AdapterError  # noqa: PLC0415

        if isinstance(excinfo.value, (FindingsError, AdapterError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where it is from: the file of vectors."""
        _, suite, file, _, _ = self._facts
        return suite.directory / file.path, None, f"oracle: {file.path}"
