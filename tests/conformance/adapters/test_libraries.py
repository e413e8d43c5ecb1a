"""The table of libraries: every adapter imports without its library, and names what to install for it."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from oracle.conformance.adapters.libraries import LIBRARIES, installation, serving_command
from oracle.conformance.protocol import AWKWARD, AdapterError, echoes, request
from oracle.conformance.subjects import InProcess, find_object
from oracle.errors import InputError

ROOT = Path(__file__).parents[3]
MODULES = {"dp-accounting": "dp_accounting", "opendp": "opendp", "autodp": "autodp", "diffprivlib": "diffprivlib"}


@pytest.mark.parametrize("name", LIBRARIES)
def test_an_adapter_imports_and_echoes_without_its_library(name: str) -> None:
    """The library loads when it is first asked; echo asks it nothing."""
    subject = find_object(LIBRARIES[name].adapter)
    assert callable(getattr(subject, "hello", None))
    reply = InProcess(subject).ask(request("echo", "echo", {"values": list(AWKWARD)}))
    assert echoes(reply.value) is None


@pytest.mark.parametrize("name", [name for name, module in MODULES.items() if find_spec(module) is None])
def test_a_missing_library_is_named_with_the_command_that_installs_it(name: str) -> None:
    """The adapter cannot be asked, which is no failure of the library."""
    with pytest.raises(AdapterError) as raised:
        InProcess(LIBRARIES[name].adapter).hello()
    assert installation(name) in str(raised.value)
    assert f"oracle conform {name} --python PATH" in str(raised.value)


def test_the_packages_are_those_of_the_environments() -> None:
    """What a user is told to install is what .ci/peers installs, at the same versions."""
    pinned = set(re.findall(r"[a-z][a-z0-9-]*==[0-9.]+", (ROOT / ".ci/peers").read_text(encoding="utf-8")))
    for library in LIBRARIES.values():
        assert {package for package in library.packages if "==" in package} <= pinned


def test_the_command_of_a_name() -> None:
    """A name stands for its adapter, module:object for itself, both in the Python that is given."""
    serving = ["-m", "oracle.conformance.serving"]
    assert serving_command("autodp", "/p") == ["/p", *serving, "oracle.conformance.adapters.autodp:ADAPTER"]
    assert serving_command("a.b:C") == [sys.executable, *serving, "a.b:C"]
    with pytest.raises(InputError, match="riskcal"):
        serving_command("no-such-library")


def test_the_table_as_a_program() -> None:
    """.ci/conformance-reports reads a line for each library: its name and its environment."""
    done = subprocess.run(
        [sys.executable, "-m", "oracle.conformance.adapters.libraries"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"{name} {library.environment}" for name, library in LIBRARIES.items()]


def conform(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from oracle.cli.main import main; main()", "conform", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(find_spec("opendp") is not None, reason="opendp is installed here")
def test_a_missing_library_on_the_command_line() -> None:
    """Exit code 2 and the command that installs it."""
    done = conform("opendp")
    assert done.returncode == 2
    assert "-m pip install opendp==0.16.0" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_python_of_the_adapter() -> None:
    """--python is the interpreter that is started; one that is not there cannot be."""
    assert conform("float64", "--python", sys.executable, "--op", "renyi").returncode in (0, 1)
    done = conform("float64", "--python", "/no/such/python", "--op", "renyi")
    assert (done.returncode, "could not be started: no such file" in done.stderr) == (2, True)


def test_the_help_names_every_library() -> None:
    """So that a name is found without the source."""
    told = conform("--help").stdout
    assert all(re.search(rf"\b{name}\b", told) for name in LIBRARIES)
